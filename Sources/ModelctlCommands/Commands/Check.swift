import ArgumentParser
import ModelKit

/// Checks models against the rules.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the models here against the rules.",
    usage: "modelctl check [<model> ...] [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl check                     every version of every bundle here
        modelctl check App/Model.xcdatamodeld --format json=findings.json
        modelctl check --format github --format sarif=modelctl.sarif

      Exits with 1 when an error or a warning was found.
      """)

  @Argument(help: ArgumentHelp("Models, or folders with bundles; this folder otherwise.", valueName: "model"))
  var paths: [String] = []

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FindingOptions

  func run() throws {
    var findings: [Finding] = []
    let (files, errors) = try ModelFiles(paths, models).loaded()
    for error in errors { Console.standardError(ErrorMessage.text(error)) }
    for file in files {
      for note in file.notes { Console.note("\(note)") }
      findings += ModelRule.check(file)
    }
    if errors.isEmpty || !files.isEmpty {
      try output.write(findings, rules: ModelRule.all.map(RuleDescription.init), failures: errors)
    }
    guard errors.isEmpty else { throw CommandExit.failure }
    let checked = "\(Quantity.text(files.count, "version")) checked against \(ModelRule.all.count) rules"
    let found = findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding")
    Console.standardError("\(checked): \(found)\n")
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }
}
