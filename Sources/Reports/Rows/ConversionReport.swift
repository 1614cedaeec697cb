public import AtomicStores
import PersistentStores
public import StoreContents
public import StoreRows

/// What a conversion wrote, for people and programs.
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
  private let leftOut: String?

  private enum CodingKeys: CodingKey {
    case version, source, destination, kind, modelVersion, objects, isProved, rounded, linksToNothing
  }

  /// Takes what was converted.
  ///
  /// - Parameters:
  ///   - isProved: false where nobody has seen Core Data open such a store of this program yet.
  ///   - rounded: how many numbers the new store keeps with fewer digits.
  ///   - linksToNothing: the links that it lacks, as they lead to objects which are not there.
  public init(
    from source: String, to destination: String, kind: String, version: String?, objects: Int, isProved: Bool,
    rounded: Int, linksToNothing: [LinkToNothing]
  ) {
    self.rounded = rounded
    self.linksToNothing = linksToNothing.map { LeftOutLink($0) }
    leftOut = LinksToNothingText.text(linksToNothing.count, such: linksToNothing.first)
    (self.source, self.destination, self.kind) = (source, destination, kind)
    (modelVersion, self.objects, self.isProved) = (version, objects, isProved)
  }

  /// What was made.
  public var text: String {
    let kindName = kind == "sqlite" ? "SQLite" : kind == "binary" ? "binary" : kind.uppercased()
    let made = modelVersion.map { " with version \(PrintableText.line($0))" } ?? ""
    let count = objects == 1 ? "1 object" : "\(objects) objects"
    var text = "\(PrintableText.line(destination)): \(kindName) store made\(made), \(count)\n"
    text += LostDigitsText.text(rounded)
    if let leftOut { text += "note: \(leftOut)\n" }
    return text
  }
}

/// What an anonymous copy has, in words.
public enum AnonymousCopyText {
  /// How many rows it has, which links it lacks, and how many decimal numbers that stayed lost digits.
  public static func text(_ outcome: Anonymization.Outcome, rounded: Int, at path: String) -> String {
    let links = outcome.linksToNothing
    let note = links.isEmpty ? "" : "note: \(PrintableText.line(links.description))\n"
    return "\(path): anonymous copy made, \(Quantity.text(outcome.rows, "row"))\n" + LostDigitsText.text(rounded) + note
  }
}

/// What was taken out of a store, in words.
public enum ExtractionText {
  /// How many objects were asked for, how many of each entity the new store has, and which links it lacks.
  public static func text(_ outcome: StoreExtraction.Outcome, of entity: String, at path: String) -> String {
    let total = outcome.objects.values.reduce(0, +)
    let lines = outcome.objects.sorted { $0.key < $1.key }.map { "  \($0.key): \(Quantity.grouped(Int64($0.value)))\n" }
    let note = LinksToNothingText.text(outcome.linksToNothing.count, such: outcome.linksToNothing.first)
    return "\(path): \(Quantity.text(total, "object")), \(outcome.requested) of \(entity) requested\n" + lines.joined()
      + (note.map { "note: \($0)\n" } ?? "")
  }
}

/// A link that is left out, as it leads to an object which is not there, for programs.
struct LeftOutLink: Encodable, Sendable {
  private let entity: String
  private let key: Int64
  private let property: String

  init(_ link: LinkToNothing) { (entity, key, property) = (link.object.entity, link.object.key, link.relationship) }
}

/// Links that are left out, as they lead to objects which are not there, in words.
public enum LinksToNothingText {
  /// Says so in one sentence without its full stop.
  ///
  /// - Returns: the sentence; nil where there are none.
  public static func text(_ count: Int, such example: LinkToNothing?) -> String? {
    guard count > 0, let example else { return nil }
    let link = PrintableText.line("\(example.object): \(example.relationship)")
    return count == 1
      ? "1 link to an object that does not exist is left out: \(link)"
      : "\(Quantity.text(count, "link")) to objects that do not exist are left out, such as \(link)"
  }
}

/// The decimal numbers that lost digits, in words.
public enum LostDigitsText {
  /// A note with the number of them; nothing where there are none.
  public static func text(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let counted = count == 1 ? "1 decimal number has" : "\(count) decimal numbers have"
    return "note: \(counted) more digits than an SQLite store keeps\n"
  }
}

/// What only a Mac can prove of stores of some kinds, in words.
public enum UnprovedKindText {
  /// The kinds of which nobody has seen Core Data open a store that this program wrote, as people call them.
  private static let kinds = [XMLStoreKind().name: "XML", BinaryStoreKind().name: "binary"]

  /// Says whether there is nothing to prove of stores of a kind.
  ///
  /// - Parameter kind: the kind; nil for SQLite.
  /// - Returns: false for a kind of which nobody has seen Core Data open a store that this program wrote.
  public static func isProved(_ kind: (any StoreKind)?) -> Bool { kind.map { kinds[$0.name] == nil } ?? true }

  /// Says so of stores of a kind, in one sentence without its full stop.
  ///
  /// - Parameter kind: the kind; nil for SQLite.
  /// - Returns: the sentence; nil where there is nothing to prove.
  public static func text(of kind: (any StoreKind)?) -> String? {
    guard let kind, let name = kinds[kind.name] else { return nil }
    return "it is not verified that Core Data opens \(name) stores written by modelctl"
  }
}
