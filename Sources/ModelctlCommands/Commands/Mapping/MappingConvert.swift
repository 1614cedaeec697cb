import ArgumentParser
import ModelKit

/// Turns Xcode's mapping model into a mapping file.
struct MappingConvert: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Turn an .xcmappingmodel or a .cdm into a mapping file.",
    usage: "modelctl mapping convert <mapping> [--model <path>]",
    discussion: """
      EXAMPLES
        modelctl mapping convert Old.xcmappingmodel > Migrations/Shop/v1-v2.xml
        modelctl mapping convert App.app/Old.cdm --model Shop.xcdatamodeld

      Only what inference would not say is written. Reading the file gives
      the same mapping model again.
      """)

  @Argument(help: "The mapping model.")
  var mapping: String

  @OptionGroup var models: ModelOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let loaded = try MappingInspection(
      MappingReading.read(mapping), among: VersionIndex(models.workspace.load().versions))
    for note in loaded.notes { Console.note(note.description) }
    try Console.standardOutput(
      MappingFileWriter.text(
        of: loaded.decided(), from: loaded.source.hierarchy, to: loaded.destination.hierarchy,
        sourceVersion: loaded.source.name, destinationVersion: loaded.destination.name))
  }
}
