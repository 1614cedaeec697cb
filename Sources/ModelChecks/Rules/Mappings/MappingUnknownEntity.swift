extension Rule {
  static let mappingUnknownEntity = Rule(
    id: "mapping-unknown-entity",
    severity: .error,
    purpose: "A mapping model names entities that its two models have.",
    explanation: """
      An entity was renamed or removed since the mapping was made, or its name was misspelt. Core Data does not find \
      the entity mapping then and the objects are lost or the migration is refused. Correct the name, or delete the \
      entity mapping.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-unknown-entity")
  }
}
