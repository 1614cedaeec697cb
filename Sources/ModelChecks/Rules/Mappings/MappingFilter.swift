extension Rule {
  static let mappingFilter = Rule(
    id: "mapping-filter",
    severity: .error,
    purpose: "The filter of an entity mapping is a condition over its source entity.",
    explanation: """
      A filter decides which objects of the source entity a mapping takes. One that names a property the entity does \
      not have, or that is no condition, ends the migration. Correct it by the source version's properties, which \
      modelctl show prints.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-filter")
  }
}
