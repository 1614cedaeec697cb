import ArgumentParser
import ModelKit

/// Writes a model as a version of a bundle.
struct Export: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write any model as a version that Xcode opens.",
    usage: "modelctl export [<model>] --to <path> [--version <name>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl export store.sqlite --to Rescued.xcdatamodeld
        modelctl export App.momd --to Model.xcdatamodeld --version v1
        modelctl export 1.0:Model.xcdatamodeld --to Old.xcdatamodel
        modelctl export v2 --to contents.xml

      The version hashes of what is written are those of the model, or nothing
      is written. A bundle is made when it is missing; a version that is there
      is never overwritten.
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Option(
    name: .customLong("to"), help: ArgumentHelp("An .xcdatamodeld, an .xcdatamodel, or a file.", valueName: "path"))
  var destination: String

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp("The version's name in the bundle; that of the model otherwise.", valueName: "name"))
  var versionName: String?

  @Flag(help: "Make it the current version of a bundle that is there.")
  var current = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws { if destination.isEmpty { throw ValidationError("--to takes a path") } }

  func run() throws {
    let source = try models.resolveDocument(argument)
    for note in source.notes { Console.note("\(note)") }
    let export = try export(of: source)
    try source.check(export.hashes)
    for loss in export.losses { Console.warn("not exported: \(loss)") }
    try export.write()
    let report = ExportReport(export, of: source.name)
    try output.write(text: report.text, document: report)
  }

  private func export(of source: ExportSource) throws -> ModelExport {
    let isInBundle = BundlePath.pathExtension(destination).lowercased() == "xcdatamodeld"
    do {
      return try ModelExport(
        source.document, to: destination, version: versionName ?? (isInBundle ? source.versionName : nil),
        makesCurrent: current)
    } catch {
      guard let path = source.storePath, case .otherHashes(let entities, let losses) = error else { throw error }
      throw ModelExportError.otherHashesOfStore(path: path, entities: entities, losses: losses)
    }
  }
}
