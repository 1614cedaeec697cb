public import ModelChecks

/// The pages of the documentation about rules, written from the rules themselves.
public enum RulePages {
  /// The page that lists all rules.
  public static func list(_ rules: [Rule] = Rule.all) -> String {
    let sections = Rule.Category.allCases.map { category in
      let rows = rules.filter { $0.category == category }.map { rule in
        "| [`\(rule.id)`](rules/\(rule.id).md) | \(rule.severity.rawValue) | \(cell(rule.purpose)) |\n"
      }
      return "\n## \(category.rawValue)\n\n| rule | severity | what it asks |\n| --- | --- | --- |\n\(rows.joined())"
    }
    return """
      # Rules

      What `modelctl check` looks for. Errors and warnings fail the check, notes do not. How to change that for a \
      project or for one entity is told in [configuration.md](configuration.md); `modelctl check --explain RULE` prints \
      what the pages here say, and `modelctl check --rule RULE` checks one rule only. This page and those it leads to are written from the rules; a test keeps them so.
      \(sections.joined())
      """
  }

  /// The page of one rule.
  ///
  /// - Parameter example: what `check` prints of a fixture that breaks it, nil for none.
  public static func page(of rule: Rule, example: String?) -> String {
    let found =
      example.map { "\n## An example\n\n```text\n\($0.hasSuffix("\n") ? $0 : $0 + "\n")```\n" } ?? ""
    let inModel =
      rule.isSilencedInModels
      ? """
      \nAt one entity or property, a userInfo entry in the model (in Xcode: the data model inspector, User Info):

      ```xml
      <userInfo>
          <entry key="modelctl.ignore" value="\(rule.id)"/>
      </userInfo>
      ```

      """ : ""
    return """
      # \(rule.id)

      \(rule.purpose) Severity: \(rule.severity.rawValue).

      ## Why, and what to do

      \(rule.explanation)
      \(found)
      ## To silence it

      In the whole project, in `\(CheckConfiguration.fileName)`:

      ```json
      { "rules": { "\(rule.id)": "off" } }
      ```
      \(inModel)
      All rules: [rules.md](../rules.md)

      """
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

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

/// Everything there is to know about a rule, as plain text.
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

      To silence it:
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
