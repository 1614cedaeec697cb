extension Rule {
  static let mappingUncoveredSource = Rule(
    id: "mapping-uncovered-source",
    severity: .warning,
    purpose: "The objects of every source entity are read, or said to be dropped.",
    explanation: """
      Core Data carries over only what an entity mapping reads: all objects of an entity that none mentions are gone \
      after the migration, without a word. Add an entity mapping for it, or one without a destination that says that \
      they are to go.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-uncovered-source")
  }
}
