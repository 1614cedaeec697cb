extension Rule {
  static let unusedSuppression = Rule(
    id: "unused-suppression",
    severity: .note,
    purpose: "Every userInfo entry that silences a rule still silences something.",
    explanation: """
      An entry modelctl.ignore silences a rule at one entity or property. When the cause is gone, the entry stays and \
      would silence the next finding of the rule there, which nobody has looked at. Take the id out of the entry, or \
      the entry away.
      """,
    subject: .suppressions)
}
