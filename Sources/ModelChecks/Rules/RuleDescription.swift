/// What a rule is, for those who list rules or render what they found.
public struct RuleDescription: Hashable, Sendable {
  /// The rule's id, stable across releases.
  public var id: String
  /// What the rule is for, in one sentence.
  public var purpose: String
  /// How much its findings matter where no configuration says otherwise.
  public var severity: Finding.Severity
  /// Why it matters and what to do, as plain text; nil where the purpose says it all.
  public var explanation: String?

  /// Describes a rule.
  public init(id: String, purpose: String, severity: Finding.Severity, explanation: String? = nil) {
    self.id = id
    self.purpose = purpose
    self.severity = severity
    self.explanation = explanation
  }

  /// The rule's page, relative to the root of modelctl's repository.
  public var helpPath: String { "docs/rules/\(id).md" }
}

extension RuleDescription {
  /// Describes a rule as it is without a configuration.
  public init(_ rule: Rule) {
    self.init(
      id: rule.id, purpose: rule.purpose, severity: rule.severity,
      explanation: rule.explanation.isEmpty ? nil : rule.explanation)
  }
}
