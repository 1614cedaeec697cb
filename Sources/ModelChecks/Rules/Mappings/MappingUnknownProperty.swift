extension Rule {
  static let mappingUnknownProperty = Rule(
    id: "mapping-unknown-property",
    severity: .error,
    purpose: "A mapping model fills properties that the destination entity has.",
    explanation: """
      A property was renamed or removed since the mapping was made, or its name was misspelt. The migration fails \
      when the value is set. Correct the name, or delete the property mapping.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-unknown-property")
  }
}
