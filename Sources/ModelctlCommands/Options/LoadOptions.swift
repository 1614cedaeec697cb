import ArgumentParser
import ModelKit

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
  ///
  /// - Throws: `ValidationError`.
  func check(for source: String) throws {
    if textForm(of: source) == nil {
      throw ValidationError("“\(source)” names no form; add --form json, jsonl or csv")
    }
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
