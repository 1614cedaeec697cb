extension Rule {
  static let mappingUnfilledRequired = Rule(
    id: "mapping-unfilled-required",
    severity: .error,
    purpose: "Every required property of the objects made is given a value.",
    explanation: """
      The objects that a mapping makes are validated before they are saved. One without a value for a required \
      property fails, and the whole migration with it. Give the property an expression, or a default value in the \
      model.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-unfilled-required")
  }
}
