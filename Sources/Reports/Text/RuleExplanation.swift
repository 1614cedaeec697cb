public import ModelChecks

/// Everything there is to know about a rule, as plain text.
public struct RuleExplanation: Hashable, Sendable {
  /// The text.
  public let text: String

  /// Explains a rule.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - configuration: what the project has decided.
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
