extension Rule {
  static let mappingUnmappedObjects = Rule(
    id: "mapping-unmapped-objects",
    severity: .warning,
    purpose: "The objects that a relationship leads to are carried over by some entity mapping.",
    explanation: """
      A relationship's expression asks for the objects that were made of certain source objects, and no entity \
      mapping reads those. The relationship is empty after the migration. Add an entity mapping that reads them, or \
      delete the property mapping if it is to be empty.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-unmapped-objects")
  }
}
