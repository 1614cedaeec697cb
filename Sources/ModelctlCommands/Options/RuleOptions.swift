import ArgumentParser
import ModelKit

/// What is asked about the rules of `check`, and where the project's decisions about them are.
struct RuleOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration; otherwise the nearest .modelctl.json, here or above in the repository.", valueName: "path"))
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Check only this rule. Can be given more than once.", valueName: "rule"))
  var rule: [String] = []

  @Flag(name: .long, help: "Print every rule with its severity and purpose.")
  var listRules = false

  @Option(
    name: .long, help: ArgumentHelp("Print why a rule matters, what to do, how to silence it.", valueName: "rule"))
  var explain: String?

  func validate() throws {
    if [listRules, explain != nil, !rule.isEmpty].filter(\.self).count > 1 {
      throw ValidationError("Give one of --rule, --list-rules and --explain.")
    }
  }

  /// The rules to check: all, unless some are named.
  ///
  /// - Throws: `UnknownRule`.
  func chosen() throws -> [Rule] {
    rule.isEmpty ? Rule.all : try rule.map(Self.named)
  }

  /// Reads the configuration, in which no named rule is off.
  ///
  /// - Throws: `JSONFileError` with the place of what is wrong in it, and `ModelFileError` when it cannot be read.
  func configuration() throws -> CheckConfiguration {
    var configuration = try config.map { try CheckConfiguration(contentsOf: $0) } ?? Project.here.configuration()
    for id in rule where configuration.levels[id] == .off { configuration.levels[id] = nil }
    return configuration
  }

  private static func named(_ id: String) throws -> Rule {
    guard let rule = Rule.named(id) else { throw UnknownRule(id) }
    return rule
  }

  /// Prints what is asked about the rules.
  ///
  /// - Parameter output: in which forms, and where.
  /// - Returns: false when nothing is asked.
  /// - Throws: `UnknownRule`, and as ``configuration()``.
  func answer(_ output: FindingOptions) throws -> Bool {
    guard listRules || explain != nil else { return false }
    let configuration = try configuration()
    if let explain {
      let rule = try Self.named(explain)
      try write(
        RuleExplanation(rule, configuration: configuration).text, RuleListReport([rule], configuration: configuration),
        output)
    } else {
      let report = RuleListReport(configuration: configuration)
      try write(report.text, report, output)
    }
    return true
  }

  private func write(_ text: String, _ document: RuleListReport, _ output: FindingOptions) throws {
    try output.write { form in
      switch form {
      case .text: text
      case .json: try JSONText.encode(document)
      default: throw ValidationError("What is asked about rules is given as text or json, not as \(form.rawValue).")
      }
    }
  }
}
