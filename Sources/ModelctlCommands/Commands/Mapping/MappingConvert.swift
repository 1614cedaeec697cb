import ArgumentParser
import ModelKit

/// Converts a mapping model to a different format.
struct MappingConvert: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert between mapping files and .xcmappingmodel.",
    usage: "modelctl mapping convert <mapping> [--output <path>] [--model <path>]",
    discussion: """
      EXAMPLES
        modelctl mapping convert Old.xcmappingmodel > Migrations/Shop/v1-v2.xml
        modelctl mapping convert App.app/Old.cdm --model Shop.xcdatamodeld
        modelctl mapping convert v1-v2.xml --output V1toV2.xcmappingmodel

      Without --output, modelctl prints a mapping file. It contains only the
      mappings that inference would get wrong. With --output, modelctl writes an
      .xcmappingmodel, which Xcode opens and Core Data reads. This file contains
      both models in their present state. If the mapping uses SQL or policy
      replacements, modelctl refuses to write it. If you read the result, you get
      the same mapping model again.
      """)

  @Argument(help: "The mapping model: a mapping file, .xcmappingmodel or .cdm.")
  var mapping: String

  @OptionGroup var xcode: XcodeMappingOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var style: StyleOptions

  func run() throws {
    let loaded = try MappingInspection(
      UnmatchedMappingModel.read(mapping), among: VersionIndex(models.workspace.load().versions))
    for note in loaded.notes { Console.note(note.description) }
    guard let path = xcode.output else {
      return try Console.standardOutput(
        MappingFileWriter.text(
          of: loaded.decided(), from: loaded.source.hierarchy, to: loaded.destination.hierarchy,
          sourceVersion: loaded.source.name, destinationVersion: loaded.destination.name))
    }
    let model = try loaded.decided()
    let source = loaded.sourceHere ?? loaded.source
    let destination = loaded.destinationHere ?? loaded.destination
    try xcode.write(model, between: loaded.snapshots(in: Project.here.search().project), path)
    for name in model.droppedData.sorted() {
      Console.note("\(path) cannot record that you allow the loss of \(name); allow it with: --allow-data-loss \(name)")
    }
    let report = MappingFileReport(
      path: path, source: source.name, destination: destination.name, openDecisions: loaded.openDecisions,
      besides: mapping)
    try Console.words(report.text)
  }
}

/// The path of a new `.xcmappingmodel`.
struct XcodeMappingOption: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write an .xcmappingmodel, which Core Data reads, to this path.", valueName: "path")
  )
  var output: String?

  func validate() throws {
    guard let output else { return }
    guard MappingPath.form(of: output) == .xcode, BundlePath.pathExtension(BundlePath.trimmed(output)) != "xml" else {
      throw ValidationError("--output needs the path of an .xcmappingmodel, such as V1toV2.xcmappingmodel")
    }
  }

  /// Writes a mapping model.
  ///
  /// - Throws: `XcodeMappingError` with everything that the file cannot express, and ``CommandError``.
  func write(
    _ mapping: MappingModel, between models: (source: MappingModelSnapshot, destination: MappingModelSnapshot)?,
    _ path: String
  ) throws {
    guard let models else { throw WorkspaceError.unionOnly(name: path, what: "an .xcmappingmodel") }
    let text = try XcodeMappingModel.text(of: mapping, from: models.source, to: models.destination, path: path)
    try NewFile.writeMappingModel(text, to: path)
  }
}
