import ArgumentParser
import ModelKit

/// Prints the history of models.
struct Log: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the versions of a bundle with their changes.",
    usage: "modelctl log [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl log                     all bundles, the newest version first
        modelctl log --model App/Shop.xcdatamodeld --format json

      Prints one line per version: the day and the git commit that added it, and
      the changes since the previous version. For all changes, use modelctl diff.
      """)

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  func run() throws {
    let bundles = VersionEvidence.ordered(try models.workspace.bundles()) { Console.note("\($0)") }
    guard !bundles.isEmpty else { throw WorkspaceError.noBundle(folder: models.model ?? ".") }
    Console.warn(ofCurrentVersionsIn: bundles)
    let report = LogReport(bundles.map(LoggedBundle.load), commits: FirstCommits.read(of: bundles))
    try output.write(text: report.text, document: report)
  }
}
