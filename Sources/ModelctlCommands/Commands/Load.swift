import ArgumentParser
import Foundation
import ModelKit

/// Creates or fills a store from text.
struct Load: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Create or fill a store from JSON, JSON lines or CSV.",
    usage: "modelctl load <source> --output <store> [--version <model>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl load shop.json --output shop.sqlite --version v2 --uuid-seed shop
        modelctl load orders.jsonl --output shop.sqlite --version v2 --upsert
        modelctl load tables --output shop.sqlite --version v2 \\
          --match Customer.number --upsert

      If the store does not exist, modelctl creates it with the keys in the text.
      The same text and --uuid-seed give the same bytes (for a SQLite store, with the
      same version of SQLite). If the store exists, it must have the version that
      you give; modelctl changes it in one save. It validates everything as Core
      Data does. If there are errors, it lists each with its file and line, and
      changes nothing.

      CSV is a file such as Order.csv, or a folder of such files. Each column is a
      property, or id. A link is the key of an object; separate several keys with
      spaces. With --match, a link is the value of the matched attribute, or a key
      if the text gives keys to the objects of that entity.
      """)

  @Argument(help: ArgumentHelp("The text file, or a folder of CSV files.", valueName: "source"))
  var source: String

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this store. modelctl creates it if it does not exist.", valueName: "store"))
  var store: StorePath

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp("Use this model for the store (default: the current version).", valueName: "model"))
  var modelVersion: String?

  @OptionGroup(title: "Load options") var text: LoadOptions
  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Check everything, print the result, and change no store.")
  var dryRun = false

  @OptionGroup(title: "Store options") var mirroring: MirroredOption
  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

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
    (loading.busyTimeout, loading.isWritten) = (waiting.busyTimeout, !dryRun)
    if !FileManager.default.fileExists(atPath: store.text) {
      let (references, suggest) = try joinNames.references(for: loading.version, models)
      loading.references = references
      suggest()
    }
    let outcome = try interrupt.showingTime(of: "\(store.text): loading") {
      try loading.run(to: store.text, kind: text.storeKind(of: store))
    }
    let report = LoadReport(outcome, from: source, to: store.text, version: loading.version.name)
    guard !dryRun else {
      Console.note("--dry-run: modelctl wrote nothing")
      return try output.write(text: report.text, document: report)
    }
    try output.write(text: report.text, document: report, afterWriting: [store.text], isWritten: outcome.changesStore)
  }
}

/// The options for the text and for its objects.
struct LoadOptions: ParsableArguments {
  @Option(name: .customLong("input-format"), help: "Set the format of the text (default: from the file name).")
  var form: LoadFormatOption?

  @Option(
    name: .customLong("store-type"), help: "Set the type of a new store (default: from the extension, or sqlite).")
  var kind: ConvertedKind?

  @Option(name: .long, help: ArgumentHelp("Use this entity for objects that do not name an entity.", valueName: "name"))
  var entity: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Find objects by this attribute instead of their key. You can repeat this option.",
      valueName: "Entity.attribute"))
  var match: [String] = []

  @Flag(name: .long, help: "Change objects that the store already has.")
  var upsert = false

  @Option(
    name: .customLong("uuid-seed"),
    help: ArgumentHelp(
      "Derive the UUID of a new store from this text. The same text gives the same bytes.", valueName: "text"))
  var seed: String?

  /// Refuses a text of unknown format, and a name that is not an attribute.
  func check(for source: String) throws {
    if textForm(of: source) == nil {
      throw ValidationError("the name “\(source)” does not show the format; add --input-format json, jsonl or csv")
    }
    for text in match where LoadMatch(text) == nil {
      throw ValidationError("--match needs Entity.attribute, not “\(text)”")
    }
  }

  /// The format of a text from the option or the extension, or nil if both are missing.
  func textForm(of source: String) -> LoadFormat? {
    form.flatMap { LoadFormat(rawValue: $0.rawValue) } ?? LoadFormat(of: source)
  }

  /// The store type of a new store, or nil for SQLite.
  func storeKind(of store: StorePath) -> (any StoreKind)? { (kind ?? ConvertedKind(extensionOf: store.text))?.kind }

  /// Loads the objects with these options.
  func apply(to loading: inout StoreLoading) {
    (loading.entity, loading.matches, loading.updates) = (entity, match.compactMap { LoadMatch($0) }, upsert)
    loading.seed = seed.map { LoadSeed($0) }
  }
}

/// The text formats that an option can name.
enum LoadFormatOption: String, ExpressibleByArgument, CaseIterable {
  case json
  case jsonl
  case csv
}
