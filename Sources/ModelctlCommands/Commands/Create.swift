import ArgumentParser
import Foundation
import ModelKit

struct Create: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a store, empty or with synthetic rows.",
    usage: "modelctl create <store> [--version <model>] [--rows <n>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl create store.sqlite --version v1
        modelctl create store.sqlite --version Orders@v1 --rows 1000 --seed 7
        modelctl create store.json --version v1 --rows 3

      The rows are valid: links on both sides and as many as the model
      asks for, every type of attribute, empty values where they are
      optional, unique where they must be. Two things are not followed:
      regular expressions of texts, and derivations that are no key paths.

      The store is of the kind that its extension shows, or --kind: json,
      xml or binary; else SQLite.
      """)

  @Argument(help: "The store to make; nothing may be there.")
  var store: StorePath

  @Option(name: .long, help: "The kind of the store.")
  var kind: ConvertedKind?

  @Option(
    name: .customLong("version"), help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var modelVersion: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The number of rows of every entity that is not abstract.", valueName: "n"))
  var rows = 0

  @Option(
    name: .long, parsing: .unconditional, help: ArgumentHelp("The same seed gives the same rows.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .long, help: "The store's UUID; a new one otherwise.")
  var uuid: String?

  @Option(name: .long, help: ArgumentHelp("Only the entities of this configuration.", valueName: "name"))
  var configuration: String?

  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard (0...SyntheticRows.maximumRowsPerEntity).contains(rows) else {
      throw ValidationError("--rows takes a number from 0 to \(SyntheticRows.maximumRowsPerEntity)")
    }
    if let uuid, UUID(uuidString: uuid) == nil { throw ValidationError("--uuid takes a UUID") }
  }

  func run() throws {
    try store.checkNamesFile()
    let (name, file) = try models.workspace.model(modelVersion, configuration: configuration)
    let (creator, suggest) = try WorkspaceError.locating(in: file, named: name) {
      try joinNames.creator(of: file.model, named: name, models)
    }
    for warning in creator.layout.warnings { Console.warn("\(warning)") }
    suggest()
    let isInterrupted: @Sendable () -> Bool = { [interrupt = Interrupt()] in interrupt.isRaised }
    let uuid = uuid.flatMap(UUID.init(uuidString:)) ?? UUID()
    let filling = rows > 0 ? SyntheticRows(seed: seed, rowsPerEntity: rows) : nil
    if let kind = (kind ?? ConvertedKind(extensionOf: store.text))?.kind {
      try creator.create(at: store.text, kind: kind, uuid: uuid, filling: filling, interruption: isInterrupted)
    } else {
      try creator.create(at: store.text, uuid: uuid, filling: filling, interruption: isInterrupted)
    }
    let content = rows == 0 ? "" : ", \(Quantity.text(rows, "row")) an entity"
    try Console.words("\(store.text): made with version \(name)\(content)\n")
    UnprovedKinds(of: [store.text]).show()
  }
}
