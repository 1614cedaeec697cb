public import ModelChecks

/// The pages of the documentation about rules, written from the rules themselves.
public enum RulePages {
  /// The page that lists all rules.
  public static func list(_ rules: [Rule] = Rule.all) -> String {
    let sections = Rule.Category.allCases.map { category in
      let rows = rules.filter { $0.category == category }.map { rule in
        "| [`\(rule.id)`](rules/\(rule.id).md) | \(rule.severity.rawValue) | \(cell(rule.purpose)) |\n"
      }
      return "\n## \(category.rawValue)\n\n| rule | severity | requirement |\n| --- | --- | --- |\n\(rows.joined())"
    }
    return """
      # Rules

      `modelctl check` tests your models with these rules. Errors and warnings fail the check; notes do not. \
      `modelctl check --explain RULE` explains a rule, and `modelctl check --rule RULE` checks a single rule.

      You can ignore a rule in two locations ([details](reference/configuration.md)):

      - in your project, in `\(CheckConfiguration.fileName)`: `{ "rules": { "missing-inverse": "off" } }`
      - at an entity or property, in the model: a userInfo entry `modelctl.ignore` with the value `missing-inverse` (in \
      Xcode: data model inspector, User Info). You cannot ignore rules about mapping models and `unused-suppression` there.

      A test generates this page and the pages of the rules from the source.
      \(sections.joined())
      """
  }

  /// The page of one rule.
  ///
  /// - Parameter example: the output of `check` for a fixture that breaks the rule; nil if there is none.
  public static func page(of rule: Rule, example: String?) -> String {
    let found = example.map { "\n## Example\n\n```text\n\(shown(of: $0))\n```\n" } ?? ""
    return """
      # \(rule.id)

      \(rule.purpose) Severity: \(rule.severity.rawValue).

      \(linked(rule.explanation))
      \(found)
      [Ignore this rule](../rules.md)

      """
  }

  /// The first finding of an example, or all findings if they share a fix.
  private static func shown(of findings: String) -> String {
    let lines = findings.split(separator: "\n")
    let second = lines.indices.dropFirst().first { !lines[$0].hasPrefix(" ") } ?? lines.endIndex
    return (findings.contains("fix of these ") ? lines[...] : lines[..<second]).joined(separator: "\n")
  }

  /// The text with the names of other rules as links to their pages.
  private static func linked(_ text: String) -> String {
    Rule.all.reduce(text) { $0.replacing("`\($1.id)`", with: "[`\($1.id)`](\($1.id).md)") }
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// All rules of `check`.
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
    /// The group of rules that it belongs to.
    public let category: String
    /// `error`, `warning` or `note`.
    public let severity: String
    /// The severity that the configuration sets, or `off`; nil if it does not set any.
    public let configured: String?
    /// The rule's requirement, as a sentence.
    public let purpose: String
    /// The reason for the rule, and the fix.
    public let explanation: String
    /// The path of its page in the documentation.
    public let page: String
  }

  /// Creates a report of rules.
  public init(_ rules: [Rule] = Rule.all, configuration: CheckConfiguration = CheckConfiguration()) {
    self.rules = rules.map { rule in
      Entry(
        id: rule.id, category: rule.category.rawValue, severity: rule.severity.rawValue,
        configured: configuration.levels[rule.id]?.rawValue, purpose: rule.purpose, explanation: rule.explanation,
        page: rule.page)
    }
  }

  /// One line per rule: id, severity and requirement.
  public var text: String {
    rules.map { rule in
      let severity = rule.severity + (rule.configured.map { ", here \($0)" } ?? "")
      return "\(rule.id) (\(severity)): \(rule.purpose)\n"
    }.joined()
  }
}

/// The explanation of a rule, as plain text.
public struct RuleExplanation: Hashable, Sendable {
  /// The text.
  public let text: String

  /// Explains a rule.
  public init(_ rule: Rule, configuration: CheckConfiguration = CheckConfiguration()) {
    let level = configuration.levels[rule.id].map { ", here \($0.rawValue)" } ?? ""
    let silence = ([Self.inConfiguration(rule)] + (rule.isSilencedInModels ? [Self.inModel(rule)] : []))
      .map { "  \($0)\n" }.joined()
    text = """
      \(rule.id) (\(rule.severity.rawValue)\(level))
      \(WrappedText.lines(rule.purpose, lead: "").joined(separator: "\n"))

      \(WrappedText.lines(rule.explanation, lead: "").joined(separator: "\n"))

      To ignore it:
      \(silence)
      The page with an example: \(rule.page)

      """
  }

  static func inConfiguration(_ rule: Rule) -> String {
    "everywhere, in \(CheckConfiguration.fileName): { \"rules\": { \"\(rule.id)\": \"off\" } }"
  }

  static func inModel(_ rule: Rule) -> String {
    "at one entity or property: a userInfo entry modelctl.ignore with the value \(rule.id)"
  }
}
