import ArgumentParser
import Foundation
import ModelKit

/// Prints the schema that CloudKit gets from a model.
struct CloudKitSchemaOfModel: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the CloudKit schema of a model, or add it to an export.",
    usage: "modelctl cloudkit schema [<model>] [--merge <export>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl cloudkit schema
        modelctl cloudkit schema v3 --merge cloudkit/schema.ckdb
        modelctl cloudkit schema --merge schema.ckdb --output schema.ckdb

      With --merge, modelctl prints the export with the missing record types and
      fields. It changes nothing else, so import the complete file. Fields that no
      measured export proves are left out and listed; to include them, add
      --unproved. To deploy the schema to production, use the CloudKit Console.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Add the schema to this export (.ckdb, or a Markdown file).", valueName: "export"))
  var merge: String?

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this file, which can be the export.", valueName: "path"))
  var destination: String?

  @Flag(help: "Include fields that no measured export proves.")
  var unproved = false

  @Flag(
    name: .customLong("no-move-receipt"), help: "Leave out CD_moveReceipt, which only records of shared zones have.")
  var withoutReceipts = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Model options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws { if destination == "" { throw ValidationError("--output needs a path") } }

  func run() throws {
    let export = try merge.map { try Workspace.cloudKitExport(at: $0) }
    let (name, mirrored) = try models.workspace.mirroredSchema(argument, configuration: configuration.configuration)
    let schema = mirrored.schema(unproved: unproved, moveReceipts: !withoutReceipts)
    let text = export.map { schema.merged(into: $0.text, of: $0.schema) } ?? schema.description
    if !unproved, !mirrored.unproved.isEmpty {
      let rules = mirrored.unproved.map(\.words).joined(separator: "; ")
      Console.note("left out, because no measured export proves it: \(rules); to include it, add --unproved")
    }
    guard let destination else { return try Console.standardOutput(text) }
    if destination != merge { try OutputPath.check(destination) }
    do {
      try FileReplacement.write(Data(text.utf8), to: destination)
    } catch {
      throw CommandError.unwritable(destination, error)
    }
    let isSame = destination == merge && text == export?.text
    try Console.words(
      "\(destination): \(isSame ? "unchanged, because modelctl has nothing to add for \(name)" : "written with the schema of \(name)")\n"
    )
  }
}
