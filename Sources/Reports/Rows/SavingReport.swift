import ModelDescription
public import ObjectStores
import StoreContents
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
    var properties: [String]?
    /// The values of a dry run before and after the save.
    var values: [Value]?

    private enum CodingKeys: CodingKey {
      case entity, key, uri, properties, values
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id.entity, forKey: .entity)
      try container.encode(id.key, forKey: .key)
      try container.encode(uri, forKey: .uri)
      try container.encodeIfPresent(properties, forKey: .properties)
      try container.encodeIfPresent(values, forKey: .values)
    }

    /// The properties with their values; to-many relationships have only their names.
    var words: String {
      let texts = Dictionary((values ?? []).map { ($0.name, $0.words) }) { first, _ in first }
      return (properties ?? []).map { name in PrintableText.line(texts[name].map { "\(name): \($0)" } ?? name) }
        .joined(separator: "; ")
    }
  }

  /// A property with its values before and after the save.
  private struct Value: Encodable {
    let name: String
    let before: RecordValue
    let after: RecordValue
    let store: String

    private enum CodingKeys: CodingKey {
      case name, before, after
    }

    func encode(to encoder: any Encoder) throws {
      func element(_ value: RecordValue) -> RecordElement {
        RecordElement(value: value, graph: RecordGraph(objects: []), inclusion: InclusionTree(), store: store)
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(element(before), forKey: .before)
      try container.encode(element(after), forKey: .after)
    }

    var words: String { PropertyChange.Content.value(before, to: after).words }
  }

  private enum CodingKeys: CodingKey {
    case version, isWritten, inserted, updated, deleted, rounded, linksToNothing
  }

  /// Creates a report of a save.
  public init(_ saving: Saving, isWritten: Bool, store: String) {
    self.isWritten = isWritten
    inserted = saving.writes.insertions.map { Change(id: $0.id, uri: $0.id.uri(inStore: store)) }
    updated = saving.writes.updates.map { row in
      let values = row.changed.sorted().compactMap { name in
        row.values[name].map { Value(name: name, before: row.before[name] ?? .null, after: $0, store: store) }
      }
      return Change(
        id: row.id, uri: row.id.uri(inStore: store), properties: row.changed.sorted(), values: isWritten ? nil : values)
    }
    rounded = saving.rounded.map {
      Rounded(
        entity: $0.object.entity, key: $0.object.key, property: $0.path.joined(separator: "."),
        number: "\($0.number)")
    }
    linksToNothing = saving.linksToNothing.map { LeftOutLink($0) }
    leftOut = LinksToNothingText.text(saving.linksToNothing.count, such: saving.linksToNothing.first)
    deleted = saving.writes.deletions.map { Change(id: $0.id, uri: $0.id.uri(inStore: store)) }
  }

  /// The maximum number of listed numbers.
  private static let listed = 10

  /// One line per object if the changes were not written, the counts, numbers that lost digits, and omitted links.
  public var text: String {
    var lines: [String] = []
    if !isWritten {
      lines += updated.map { "change \($0.id): \($0.words)" }
      lines += deleted.map { "delete \($0.id)" }
    }
    let counts = "\(Self.counted(updated.count)) changed, \(Self.counted(deleted.count)) deleted"
    lines.append(isWritten ? counts : "dry run, nothing was written; without --dry-run: \(counts)")
    let limit = TextWidth.listed(Self.listed)
    for number in rounded.prefix(limit) {
      let property = PrintableText.line("\(number.entity) \(number.key): \(number.property)")
      lines.append("note: \(property) keeps fewer digits than \(number.number)")
    }
    if rounded.count > limit { lines.append("note: and \(rounded.count - limit) more numbers") }
    if let leftOut { lines.append("note: \(leftOut)") }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func counted(_ count: Int) -> String { Quantity.text(count, "object") }
}
