public import ModelChecks

/// All rules of `check`, for people and programs.
public struct RuleListReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The rules, sorted by id.
  public let rules: [Entry]

  private enum CodingKeys: CodingKey {
    case version, rules
  }

  /// One rule.
  public struct Entry: Encodable, Hashable, Sendable {
    /// The rule's id.
    public let id: String
    /// What it is about.
    public let category: String
    /// `error`, `warning` or `note`.
    public let severity: String
    /// What the configuration says instead: one of these or `off`; nil when it says nothing.
    public let configured: String?
    /// What it is for, in one sentence.
    public let purpose: String
    /// Why it matters and what to do.
    public let explanation: String
    /// The path of its page in the documentation.
    public let page: String
  }

  /// Takes rules.
  ///
  /// - Parameters:
  ///   - rules: the rules.
  ///   - configuration: what the project has decided.
  public init(_ rules: [Rule] = Rule.all, configuration: CheckConfiguration = CheckConfiguration()) {
    self.rules = rules.map { rule in
      Entry(
        id: rule.id, category: rule.category.rawValue, severity: rule.severity.rawValue,
        configured: configuration.levels[rule.id]?.rawValue, purpose: rule.purpose, explanation: rule.explanation,
        page: rule.page)
    }
  }

  /// One line a rule: id, severity and purpose.
  public var text: String {
    rules.map { rule in
      let severity = rule.severity + (rule.configured.map { ", here \($0)" } ?? "")
      return "\(rule.id) (\(severity)): \(rule.purpose)\n"
    }.joined()
  }
}
