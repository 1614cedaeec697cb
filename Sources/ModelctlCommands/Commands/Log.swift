import ArgumentParser
import ModelKit

/// Prints the history of models.
struct Log: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the versions of a bundle with their changes.",
    usage: "modelctl log [<bundle> ...] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl log                     all bundles, the newest version first
        modelctl log App/Shop.xcdatamodeld --format json

      Prints one line per version: the day and the git commit that added it, and
      the changes since the previous version. For all changes, use modelctl diff.
      """)

  @Argument(
    help: ArgumentHelp("Bundles, or folders with bundles (default: all bundles of the project).", valueName: "bundle"))
  var bundles: [String] = []

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  func validate() throws {
    if !bundles.isEmpty, !models.paths.isEmpty {
      throw ValidationError("--model names a bundle too; remove one of the two")
    }
  }

  func run() throws {
    let sources = bundles.isEmpty ? [models] : bundles.map(ModelOptions.init(at:))
    let bundles = VersionEvidence.ordered(try sources.flatMap { try $0.workspace.bundles() }) { Console.note("\($0)") }
    guard !bundles.isEmpty else { throw WorkspaceError.noBundle(folder: self.bundles.first ?? models.model ?? ".") }
    Console.warn(ofCurrentVersionsIn: bundles)
    let report = LogReport(bundles.map(LoggedBundle.load), commits: FirstCommits.read(of: bundles))
    try output.write(text: report.text, document: report)
  }
}
