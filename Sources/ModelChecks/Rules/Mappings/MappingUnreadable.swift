extension Rule {
  static let mappingUnreadable = Rule(
    id: "mapping-unreadable",
    severity: .error,
    purpose: "Every mapping model here can be read.",
    explanation: """
      A mapping model that cannot be read is not passed over in silence: a migration on whose way it may lie is \
      refused. Correct the file at the location shown, convert it again from the Xcode mapping model it came from, or \
      take it back from git.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-unreadable")
  }
}
