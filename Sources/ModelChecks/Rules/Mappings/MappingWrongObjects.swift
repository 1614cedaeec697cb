extension Rule {
  static let mappingWrongObjects = Rule(
    id: "mapping-wrong-objects",
    severity: .error,
    purpose: "A relationship is filled with objects of the entity it leads to.",
    explanation: """
      The entity mapping that a relationship's expression names makes objects of another entity than the \
      relationship's destination. They cannot be set, and the migration fails or leaves the relationship empty. Name \
      a mapping that makes objects of the right entity. About a step between two versions that users have it is a note, \
      because it matters only in stores with such objects; modelctl itself refuses the mapping model.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-wrong-objects", dependsOnRows: true)
  }
}
