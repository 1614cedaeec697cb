extension Rule {
  static let mappingCycle = Rule(
    id: "mapping-cycle",
    severity: .warning,
    purpose: "Entities do not change places in a mapping model.",
    explanation: """
      The objects of one entity become those of the next, around a circle, so that in the end every object is of \
      another entity. That is rarely meant; two destinations were probably exchanged. Correct the entities, or \
      silence the rule if it is meant.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-cycle")
  }
}
