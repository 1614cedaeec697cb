extension Rule {
  static let mappingDuplicateProperty = Rule(
    id: "mapping-duplicate-property",
    severity: .error,
    purpose: "A property is filled once.",
    explanation: """
      Two property mappings of one entity mapping fill the same property, and only one of the values stays. Keep the \
      one that is right.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-duplicate-property")
  }
}
