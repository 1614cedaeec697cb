extension Rule {
  static let mappingWithoutEntities = Rule(
    id: "mapping-without-entities",
    severity: .error,
    purpose: "An entity mapping names a source entity, a destination entity, or both.",
    explanation: """
      An entity mapping without any entity neither reads nor makes objects. It is left over from an edit. Give it \
      its entities, or take it out of the mapping model.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-without-entities")
  }
}
