extension Rule {
  static let mappingDrift = Rule(
    id: "mapping-drift",
    severity: .error,
    purpose: "The models of a mapping model are still those it was made with.",
    explanation: """
      Core Data finds a mapping model by the version hashes of the entities it was made for. When a version is edited \
      afterwards, it silently does not find it any more, and the migration is inferred or refused. Put the version back \
      as it was, or refresh the mapping model (in Xcode: Editor > Refresh Data Models) and look at it again.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-drift")
  }
}
