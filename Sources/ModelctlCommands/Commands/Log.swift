import ArgumentParser
import ModelKit

/// Prints the history of models.
struct Log: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print a model's history, a line a version.",
    usage: "modelctl log [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl log                     of all bundles here, the newest first
        modelctl log --model App/Shop.xcdatamodeld --format json

      A version has the day and the commit with which git first had it, and
      what changed since the version before. modelctl diff says all of it.
      """)

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let bundles = VersionEvidence.ordered(try models.workspace.bundles()) { Console.note("\($0)") }
    guard !bundles.isEmpty else { throw WorkspaceError.noBundle(folder: models.model ?? ".") }
    Console.warn(ofCurrentVersionsIn: bundles)
    let report = LogReport(bundles.map(LoggedBundle.load), commits: FirstCommits.read(of: bundles))
    try output.write(text: report.text, document: report)
  }
}
