extension Rule {
  static let mappingPolicy = Rule(
    id: "mapping-policy",
    severity: .error,
    purpose: "Something stands in for every policy class and function that a mapping model calls.",
    explanation: """
      A policy class is code of the app, which modelctl does not have. Unless the mapping file says what to do in \
      its place, migrations with modelctl and rehearsals of it stop. Write a policy element with SQL for its \
      functions, name a policy in Swift, or have it treated as the default.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-policy")
  }
}
