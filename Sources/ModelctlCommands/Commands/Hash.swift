import ArgumentParser
import ModelKit

/// Prints the version hashes of a model.
struct Hash: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the version hashes of a model.",
    usage: "modelctl hash [<model>] [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl hash                    the current version of your bundle
        modelctl hash v2 --format json
        modelctl hash store.sqlite       the model inside a store

      Prints one hash per entity, their digest, and the checksum that Xcode prints.
      If two models have the same hashes, Core Data treats them as the same version.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  func run() throws {
    let (name, file) = try models.workspace.model(argument)
    let report = try WorkspaceError.locating(in: file, named: name) {
      HashReport(model: name, hashes: try VersionHashes(of: file.model))
    }
    try output.write(text: report.text, document: report)
  }
}
