extension Rule {
  static let mappingDuplicateName = Rule(
    id: "mapping-duplicate-name",
    severity: .error,
    purpose: "The entity mappings of a mapping model have names of their own.",
    explanation: """
      Expressions find the objects of an entity mapping by its name, as in FUNCTION($manager, …). Where two have one \
      name, Core Data takes either of them. Give one another name, and look at the expressions that refer to it.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-duplicate-name")
  }
}
