import ArgumentParser
import Foundation
import ModelKit

/// Makes or fills a store from text.
struct Load: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Make a store, or fill one, from JSON, JSON lines or CSV.",
    usage: "modelctl load <source> --output <store> [--version <model>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl load shop.json --output shop.sqlite --version v2 --seed shop
        modelctl load orders.jsonl --output shop.sqlite --version v2 --upsert
        modelctl load tables --output shop.sqlite --version v2 \\
          --match Customer.number --upsert

      A new store has the keys of the text; the same text and --seed give the
      same bytes, of a SQLite store with the same version of SQLite. A store
      that is there must be of the version, and is changed by one save.
      Everything is validated as Core Data does it, and all problems are listed
      with file and line; nothing is changed then.

      CSV is a file such as Order.csv or a folder of them; a column is a
      property, or id. Links are keys, several of them with spaces between.
      With --match they are values of the attribute, or keys where the text
      gives its objects any.
      """)

  @Argument(help: ArgumentHelp("The file, or a folder of CSV files.", valueName: "source"))
  var source: String

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("The store; it is made where nothing is.", valueName: "store"))
  var store: StorePath

  @Option(
    name: .customLong("version"), help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var modelVersion: String?

  @OptionGroup var text: LoadOptions
  @OptionGroup var mirroring: MirroredOption
  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text], sources: [source]) }

  func validate() throws { try text.check(for: source) }

  func run() throws {
    try store.checkNamesFile()
    try output.check()
    let interrupt = Interrupt()
    var loading = try models.workspace(configuration).loading(
      source, as: text.textForm(of: source) ?? .json, to: modelVersion)
    text.apply(to: &loading)
    (loading.interruption, loading.writesMirrored) = ({ interrupt.isRaised }, mirroring.mirrored)
    loading.busyTimeout = waiting.busyTimeout
    if !FileManager.default.fileExists(atPath: store.text) {
      let (references, suggest) = try joinNames.references(for: loading.version, models)
      loading.references = references
      suggest()
    }
    let outcome = try loading.run(to: store.text, kind: text.storeKind(of: store))
    let report = LoadReport(outcome, from: source, to: store.text, version: loading.version.name)
    try output.write(text: report.text, document: report, afterWriting: [store.text], isWritten: outcome.changesStore)
  }
}

/// How `load` reads a text, and what it makes of the text's objects.
struct LoadOptions: ParsableArguments {
  @Option(name: .long, help: "The form of the text; the one of its name otherwise.")
  var form: LoadedForm?

  @Option(name: .long, help: "The kind of a new store; the one of its extension otherwise, else sqlite.")
  var kind: ConvertedKind?

  @Option(name: .long, help: ArgumentHelp("The entity of objects that name none.", valueName: "name"))
  var entity: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "An attribute by which objects are known, in place of keys. Can be given more than once.",
      valueName: "Entity.attribute"))
  var match: [String] = []

  @Flag(name: .long, help: "Change objects that are there already.")
  var upsert = false

  @Option(
    name: .long,
    help: ArgumentHelp("What a new store's UUID follows from; the same gives the same bytes.", valueName: "text"))
  var seed: String?

  /// Refuses a text whose form nothing says, and what is no attribute.
  func check(for source: String) throws {
    if textForm(of: source) == nil { throw ValidationError("“\(source)” names no form; add --form json, jsonl or csv") }
    for text in match where LoadMatch(text) == nil {
      throw ValidationError("--match takes Entity.attribute, not “\(text)”")
    }
  }

  /// The form of a text; nil where neither an option nor its name says it.
  func textForm(of source: String) -> LoadForm? {
    form.flatMap { LoadForm(rawValue: $0.rawValue) } ?? LoadForm(of: source)
  }

  /// The kind of a store that is made; nil for SQLite.
  func storeKind(of store: StorePath) -> (any StoreKind)? { (kind ?? ConvertedKind(extensionOf: store.text))?.kind }

  /// Has objects loaded as the options say.
  func apply(to loading: inout StoreLoading) {
    (loading.entity, loading.matches, loading.updates) = (entity, match.compactMap { LoadMatch($0) }, upsert)
    loading.seed = seed.map { LoadSeed($0) }
  }
}

/// The forms of text that can be named.
enum LoadedForm: String, ExpressibleByArgument, CaseIterable {
  case json
  case jsonl
  case csv
}
