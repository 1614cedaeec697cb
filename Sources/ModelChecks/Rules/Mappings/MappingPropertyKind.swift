extension Rule {
  static let mappingPropertyKind = Rule(
    id: "mapping-property-kind",
    severity: .error,
    purpose: "Attributes are mapped as attributes and relationships as relationships.",
    explanation: """
      A property changed its kind since the mapping was made, or was written in the wrong list. Core Data passes \
      over it or fails. Write it in the other list with an expression of the right kind.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-property-kind")
  }
}
