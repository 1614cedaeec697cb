extension Rule {
  static let mappingPolicy = Rule(
    id: "mapping-policy",
    severity: .note,
    purpose: "A policy class of the app is known to stop migrations with modelctl.",
    explanation: """
      A policy class is code of the app, which runs it and which modelctl does not have. Unless the mapping file says \
      what replaces it, migrations and rehearsals with modelctl stop. Write a policy element with SQL for its \
      functions, name a policy in Swift, or have it treated as the default. An expression that calls a policy where the \
      entity mapping has none is an error.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-policy")
  }
}
