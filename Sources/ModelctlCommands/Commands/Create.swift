import ArgumentParser
import Foundation
import ModelKit

struct Create: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a store, empty or with generated rows.",
    usage: "modelctl create <store> [--version <model>] [--rows <n>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl create store.sqlite --version v1
        modelctl create store.sqlite --version Orders@v1 --rows 1000 --seed 7
        modelctl create store.json --version v1 --rows 3

      The rows are valid: modelctl generates values of every type, unique values
      if the model requires them, links in both directions, and as many links as
      the model requires. Some optional values are empty. Generated rows ignore
      regular expressions, and derived attributes whose derivation is not a key
      path. The extension of the store sets its type, unless you give --store-type.
      """)

  @Argument(help: "The path of the new store, which must not exist.")
  var store: StorePath

  @Option(name: .customLong("store-type"), help: "Set the store type (default: from the extension, or SQLite).")
  var kind: ConvertedKind?

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp(
      "Create the store with this model (default: the current version).", valueName: "model"))
  var modelVersion: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Generate this number of rows for each entity that is not abstract.", valueName: "n"))
  var rows = 0

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Generate rows from this seed. The same seed gives the same rows.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .long, help: "Give the store this UUID (default: a random UUID).")
  var uuid: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Create only the entities of this configuration (default: all entities).", valueName: "name"))
  var configuration: String?

  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    guard (0...SyntheticRows.maximumRowsPerEntity).contains(rows) else {
      throw ValidationError("--rows must be from 0 to \(SyntheticRows.maximumRowsPerEntity)")
    }
    if let uuid, UUID(uuidString: uuid) == nil { throw ValidationError("--uuid needs a valid UUID") }
  }

  func run() throws {
    try store.checkNamesFile()
    let (name, file) = try models.workspace.model(modelVersion, configuration: configuration)
    var (creator, suggest) = try WorkspaceError.locating(in: file, named: name) {
      try joinNames.creator(of: file.model, named: name, models)
    }
    creator.cachedModel = file.cachedContent
    for warning in creator.layout.warnings { Console.warn(warning.sentence) }
    suggest()
    let isInterrupted: @Sendable () -> Bool = { [interrupt = Interrupt()] in interrupt.isRaised }
    let uuid = uuid.flatMap(UUID.init(uuidString:)) ?? UUID()
    let filling = rows > 0 ? SyntheticRows(seed: seed, rowsPerEntity: rows) : nil
    if let kind = (kind ?? ConvertedKind(extensionOf: store.text))?.kind {
      try creator.create(at: store.text, kind: kind, uuid: uuid, filling: filling, interruption: isInterrupted)
    } else {
      let progress = ProgressLine()
      defer { progress.finish() }
      try creator.create(
        at: store.text, uuid: uuid, filling: filling, progress: { progress.show(written: $0, of: $1, to: store.text) },
        interruption: isInterrupted)
    }
    let content = rows == 0 ? "" : ", \(Quantity.text(rows, "row")) per entity"
    try Console.words(
      "\(store.text): made with version \(name)\(content)\n"
        + MissingModelText.text(file, kind: (kind ?? ConvertedKind(extensionOf: store.text))?.kind))
    UnprovedKinds(of: [store.text]).show()
  }
}
