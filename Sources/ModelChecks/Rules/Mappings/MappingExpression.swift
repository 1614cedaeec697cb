extension Rule {
  static let mappingExpression = Rule(
    id: "mapping-expression",
    severity: .error,
    purpose: "The expressions of a mapping model mean something for its two models.",
    explanation: """
      An expression reads properties of the source object by name and gives a value of the destination attribute's \
      type. One that names a property that is not there, or gives a value of another type, ends the migration at the \
      first object, on the user's device. Correct it; modelctl mapping show prints all of them.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-expression")
  }
}
