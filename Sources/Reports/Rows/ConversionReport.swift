public import AtomicStores
import ModelDescription
public import ModelFiles
import PersistentStores
public import StoreContents
public import StoreRows

/// The result of a conversion.
public struct ConversionReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let source: String
  private let destination: String
  private let kind: String
  private let modelVersion: String?
  private let objects: Int
  private let isProved: Bool
  private let rounded: Int
  private let linksToNothing: [LeftOutLink]
  private let rowsOfNoEntity: Int
  private let leftOut: String?

  private enum CodingKeys: CodingKey {
    case version, source, destination, kind, modelVersion, objects, isProved, rounded, linksToNothing
    case rowsOfNoEntity
  }

  /// Creates a report of a conversion.
  ///
  /// - Parameters:
  ///   - isProved: whether it is verified that Core Data opens such stores written by modelctl.
  ///   - rounded: the number of values that the new store keeps with fewer digits.
  ///   - linksToNothing: the omitted links, because they point to objects that do not exist.
  ///   - rowsOfNoEntity: the number of omitted rows, because their entity number is of no entity of their table.
  public init(
    from source: String, to destination: String, kind: String, version: String?, objects: Int, isProved: Bool,
    rounded: Int, linksToNothing: [LinkToNothing], rowsOfNoEntity: Int
  ) {
    self.rowsOfNoEntity = rowsOfNoEntity
    self.rounded = rounded
    self.linksToNothing = linksToNothing.map { LeftOutLink($0) }
    leftOut = LinksToNothingText.text(linksToNothing.count, such: linksToNothing.first)
    (self.source, self.destination, self.kind) = (source, destination, kind)
    (modelVersion, self.objects, self.isProved) = (version, objects, isProved)
  }

  /// The new store.
  public var text: String {
    let kindName = kind == "sqlite" ? "SQLite" : kind == "binary" ? "binary" : kind.uppercased()
    let made = modelVersion.map { " with version \(PrintableText.line($0))" } ?? ""
    let count = objects == 1 ? "1 object" : "\(objects) objects"
    var text = "\(PrintableText.line(destination)): \(kindName) store made\(made), \(count)\n"
    text += LostDigitsText.text(rounded)
    let notes = [leftOut, RowsOfNoEntityText.text(rowsOfNoEntity)]
    return text + notes.compactMap { $0 }.map { "note: \($0)\n" }.joined()
  }
}

/// The result of an anonymization, in words.
public enum AnonymousCopyText {
  /// The number of rows, the omitted links, and the number of kept decimal numbers that lost digits.
  public static func text(_ outcome: Anonymization.Outcome, rounded: Int, at path: String) -> String {
    let links = outcome.linksToNothing
    let note = links.isEmpty ? "" : "note: \(PrintableText.line(links.description))\n"
    return "\(path): anonymous copy made, \(Quantity.text(outcome.objects, "object"))\n" + LostDigitsText.text(rounded)
      + note
  }
}

/// The result of an extraction, in words.
public enum ExtractionText {
  /// The number of requested objects, the number of objects per entity, and the omitted links.
  public static func text(_ outcome: StoreExtraction.Outcome, of entity: String, at path: String) -> String {
    let total = outcome.objects.values.reduce(0, +)
    let lines = outcome.objects.sorted { $0.key < $1.key }.map { "  \($0.key): \(Quantity.grouped(Int64($0.value)))\n" }
    let notes = [
      LinksToNothingText.text(outcome.linksToNothing.count, such: outcome.linksToNothing.first),
      RowsOfNoEntityText.text(outcome.rowsOfNoEntity),
    ]
    return "\(path): \(Quantity.text(total, "object")), \(outcome.requested) of \(entity) requested\n" + lines.joined()
      + notes.compactMap { $0 }.map { "note: \($0)\n" }.joined()
  }
}

/// A link that is omitted because it points to an object that does not exist.
struct LeftOutLink: Encodable, Sendable {
  private let entity: String
  private let key: Int64
  private let property: String

  init(_ link: LinkToNothing) { (entity, key, property) = (link.object.entity, link.object.key, link.relationship) }
}

/// The links that are omitted because they point to objects that do not exist, in words.
public enum LinksToNothingText {
  /// The omitted links as a sentence, without a full stop.
  ///
  /// - Returns: the sentence; nil if there are none.
  public static func text(_ count: Int, such example: LinkToNothing?) -> String? {
    guard count > 0, let example else { return nil }
    let link = PrintableText.line("\(example.object): \(example.relationship)")
    return count == 1
      ? "1 link to an object that does not exist is left out: \(link)"
      : "\(Quantity.text(count, "link")) to objects that do not exist are left out, such as \(link)"
  }
}

/// The rows that are omitted because their entity number is of no entity of their table, in words.
enum RowsOfNoEntityText {
  /// The omitted rows as a sentence, without a full stop.
  ///
  /// - Returns: the sentence; nil if there are none.
  static func text(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let counted = count == 1 ? "1 row is" : "\(Quantity.text(count, "row")) are"
    return
      "\(counted) left out, because the entity number belongs to no entity of the table; modelctl verify has the keys"
  }
}

/// The decimal numbers that lost digits, in words.
public enum LostDigitsText {
  /// A note with their number; empty if there are none.
  public static func text(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let counted = count == 1 ? "1 decimal number has" : "\(count) decimal numbers have"
    return "note: \(counted) more digits than an SQLite store keeps\n"
  }
}

/// The sentence about a new store that cannot contain the model of its source store.
public enum MissingModelText {
  /// Returns the sentence; empty for an SQLite store, for a model in a bundle, and if the source contains no model.
  ///
  /// - Parameters:
  ///   - source: the model of the source store.
  ///   - bundle: the path of the bundle with this model; empty if there is none.
  ///   - kind: the type of the new store; nil for SQLite.
  public static func text(_ source: ModelFile, in bundle: String = "", kind: (any StoreKind)?) -> String {
    guard kind != nil, bundle.isEmpty, source.cachedContent != nil else { return "" }
    let command = "modelctl export \(ShellWord(path: source.path).text) --output NAME.xcdatamodeld"
    return "The new store contains no model; make a bundle of the source's model: \(command)\n"
  }
}

/// The store types that were not tested with Core Data, in words.
public enum UnprovedKindText {
  /// The store types for which it is not verified that Core Data opens stores written by modelctl.
  private static let kinds = [XMLStoreKind().name: "XML", BinaryStoreKind().name: "binary"]

  /// Whether it is verified that Core Data opens stores of a type written by modelctl.
  ///
  /// - Parameter kind: the store type; nil for SQLite.
  /// - Returns: false if it is not verified.
  public static func isProved(_ kind: (any StoreKind)?) -> Bool { kind.map { kinds[$0.name] == nil } ?? true }

  /// The note that a store type is not verified, as a sentence without a full stop.
  ///
  /// - Parameter kind: the store type; nil for SQLite.
  /// - Returns: the sentence; nil if the type is verified.
  public static func text(of kind: (any StoreKind)?) -> String? {
    guard let kind, let name = kinds[kind.name] else { return nil }
    return "it is not verified that Core Data opens \(name) stores written by modelctl"
  }
}
