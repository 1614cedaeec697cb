import ArgumentParser
import ModelKit

/// What is asked about the rules of `check`, and where the project's decisions about them are.
struct RuleOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration; otherwise the nearest .modelctl.json, here or above in the repository.", valueName: "path"))
  var config: String?

  @Flag(name: .long, help: "Print every rule with its severity and purpose.")
  var listRules = false

  @Option(
    name: .long, help: ArgumentHelp("Print why a rule matters, what to do, how to silence it.", valueName: "rule"))
  var explain: String?

  func validate() throws {
    if listRules, explain != nil { throw ValidationError("Give one of --list-rules and --explain.") }
  }

  /// Reads the configuration.
  ///
  /// - Throws: `JSONFileError` with the place of what is wrong in it, and `ModelFileError` when it cannot be read.
  func configuration() throws -> CheckConfiguration {
    try config.map { try CheckConfiguration(contentsOf: $0) } ?? Project.here.configuration()
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
      guard let rule = Rule.named(explain) else { throw UnknownRule(explain) }
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
