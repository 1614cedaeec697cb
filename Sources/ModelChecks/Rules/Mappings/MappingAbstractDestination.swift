extension Rule {
  static let mappingAbstractDestination = Rule(
    id: "mapping-abstract-destination",
    severity: .error,
    purpose: "An entity mapping makes objects of an entity that can have some.",
    explanation: """
      An abstract entity has no rows, so a mapping that makes objects of it cannot be saved. Name the sub-entity \
      that the objects are to be of; several entity mappings with filters can send them to several.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-abstract-destination")
  }
}
