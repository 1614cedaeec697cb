import ArgumentParser
import ModelKit

/// Prints a mapping model.
struct MappingShow: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a mapping model, with one line per property.",
    usage: "modelctl mapping show <mapping> [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl mapping show Migrations/Shop/v2-v3.xml
        modelctl mapping show Old.xcmappingmodel
        modelctl mapping show Old.xcmappingmodel --format json

      If the file leaves a mapping to inference, you see the inferred mapping.
      """)

  @Argument(help: "The mapping model: a mapping file, .xcmappingmodel or .cdm.")
  var mapping: String

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(sources: [mapping]) }

  func run() throws {
    let loaded = try MappingInspection(
      UnmatchedMappingModel.read(mapping), among: VersionIndex(models.workspace.load().versions))
    let report = try MappingReport(
      path: mapping, source: loaded.source.name, destination: loaded.destination.name, loaded.decided(),
      notes: loaded.notes.map(\.description))
    try output.write(text: report.text, document: report)
  }
}
