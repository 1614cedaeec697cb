import ArgumentParser
import ModelKit

/// Writes a model as a version of a bundle.
struct Export: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write any model as a version that Xcode opens.",
    usage: "modelctl export [<model>] --output <path> [--name <name>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl export store.sqlite --output Rescued.xcdatamodeld
        modelctl export App.momd --output Model.xcdatamodeld --name v1
        modelctl export 1.0:Model.xcdatamodeld --output Old.xcdatamodel
        modelctl export v2 --output contents.xml

      The exported version has the same version hashes as the model. If a contents
      file cannot describe the model exactly, modelctl writes nothing. It creates
      the bundle if it is missing, and never overwrites a version. This command
      writes a model; to write the data of a store, use modelctl dump.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this .xcdatamodeld, .xcdatamodel or file.", valueName: "path")
  )
  var destination: String

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("Give the version this name in the bundle (default: the name of the model).", valueName: "name"))
  var versionName: String?

  @Flag(help: "Make the version current if the bundle already exists.")
  var current = false

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Check everything, print the result, and write nothing.")
  var dryRun = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws { if destination.isEmpty { throw ValidationError("--output needs a path") } }

  func run() throws {
    let source = try models.resolveDocument(argument)
    for note in source.notes { Console.note("\(note)") }
    let export = try export(of: source)
    try source.check(export.hashes)
    for loss in export.losses { Console.warn("modelctl cannot export \(loss)") }
    if dryRun { Console.note("--dry-run: modelctl wrote nothing") } else { try export.write() }
    if case .version(let bundle) = export.form, !export.isCurrent, let name = export.versionName {
      let command = "modelctl edit current \(ShellWord(name).text) --model \(ShellWord(path: bundle).text)"
      Console.note("\(name) is not the current version of the bundle; to make it current, run: \(command)")
    }
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
