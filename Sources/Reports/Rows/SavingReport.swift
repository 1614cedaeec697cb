public import ObjectStores
import StoreRows

/// The changes of a save.
public struct SavingReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// Whether the changes were written.
  public let isWritten: Bool
  private let inserted: [Change]
  private let updated: [Change]
  private let deleted: [Change]
  private let rounded: [Rounded]
  private let linksToNothing: [LeftOutLink]
  private let leftOut: String?

  private struct Rounded: Encodable {
    let entity: String
    let key: Int64
    let property: String
    let number: String
  }

  private struct Change: Encodable {
    let id: RecordID
    let uri: String
    let properties: [String]?

    private enum CodingKeys: CodingKey {
      case entity, key, uri, properties
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id.entity, forKey: .entity)
      try container.encode(id.key, forKey: .key)
      try container.encode(uri, forKey: .uri)
      try container.encodeIfPresent(properties, forKey: .properties)
    }
  }

  private enum CodingKeys: CodingKey {
    case version, isWritten, inserted, updated, deleted, rounded, linksToNothing
  }

  /// Creates a report of a save.
  public init(_ saving: Saving, isWritten: Bool, store: String) {
    self.isWritten = isWritten
    inserted = saving.writes.insertions.map { Change(id: $0.id, uri: $0.id.uri(inStore: store), properties: nil) }
    updated = saving.writes.updates.map {
      Change(id: $0.id, uri: $0.id.uri(inStore: store), properties: $0.changed.sorted())
    }
    rounded = saving.rounded.map {
      Rounded(
        entity: $0.object.entity, key: $0.object.key, property: $0.path.joined(separator: "."),
        number: "\($0.number)")
    }
    linksToNothing = saving.linksToNothing.map { LeftOutLink($0) }
    leftOut = LinksToNothingText.text(saving.linksToNothing.count, such: saving.linksToNothing.first)
    deleted = saving.writes.deletions.map { Change(id: $0.id, uri: $0.id.uri(inStore: store), properties: nil) }
  }

  /// The maximum number of listed numbers.
  private static let listed = 10

  /// One line per object if the changes were not written, the counts, numbers that lost digits, and omitted links.
  public var text: String {
    var lines: [String] = []
    if !isWritten {
      lines += updated.map {
        "change \($0.id): \(($0.properties ?? []).map { PrintableText.line($0) }.joined(separator: ", "))"
      }
      lines += deleted.map { "delete \($0.id)" }
    }
    let counts = "\(Self.counted(updated.count)) changed, \(Self.counted(deleted.count)) deleted"
    lines.append(isWritten ? counts : "dry run, nothing was written; without --dry-run: \(counts)")
    for number in rounded.prefix(Self.listed) {
      let property = PrintableText.line("\(number.entity) \(number.key): \(number.property)")
      lines.append("note: \(property) keeps fewer digits than \(number.number)")
    }
    if rounded.count > Self.listed { lines.append("note: and \(rounded.count - Self.listed) more numbers") }
    if let leftOut { lines.append("note: \(leftOut)") }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }
}
