import Foundation
import MappingModels
import ModelDescription
public import StoreContents
import StoreRows

/// The differences between the objects of two stores.
public struct DataDifferenceReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The first store.
  public let from: Store
  /// The second store.
  public let to: Store
  let changes: [ObjectChange]

  /// A store that was compared.
  public struct Store: Encodable, Hashable, Sendable {
    /// Its path, as it was given.
    public let path: String
    /// Its UUID.
    public let uuid: String

    /// Names a store.
    public init(path: String, uuid: String) { (self.path, self.uuid) = (path, uuid) }
  }

  private enum CodingKeys: CodingKey {
    case version, from, to, added, removed, changed
  }

  /// Creates a report of a difference.
  public init(_ difference: DataDifference, from: Store, to: Store) {
    (self.from, self.to, changes) = (from, to, difference.changes)
  }

  /// Encodes added and removed objects with their values, and changed objects with both values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    func objects(_ records: [ObjectRecord], _ store: Store) -> [RecordObject] {
      records.map {
        RecordObject(record: $0, graph: RecordGraph(objects: []), inclusion: InclusionTree(), store: store.uuid)
      }
    }
    let added = changes.compactMap { if case .added(let record) = $0 { record } else { nil } }
    let removed = changes.compactMap { if case .removed(let record) = $0 { record } else { nil } }
    try container.encode(objects(added, to), forKey: .added)
    try container.encode(objects(removed, from), forKey: .removed)
    let changed = changes.compactMap { change in
      if case .changed(let id, let other, let properties) = change {
        ChangedObject(id: id, other: other, properties: properties, from: from.uuid, to: to.uuid)
      } else {
        nil
      }
    }
    try container.encode(changed, forKey: .changed)
  }

  /// Whether both stores have the same objects.
  public var isEmpty: Bool { changes.isEmpty }

  /// The numbers of added, removed and changed objects, in a single line.
  var summary: String {
    var (added, removed, changed) = (0, 0, 0)
    for change in changes {
      switch change {
      case .added: added += 1
      case .removed: removed += 1
      case .changed: changed += 1
      }
    }
    guard !changes.isEmpty else { return "the same objects" }
    return "\(Quantity.text(added, "object")) added, \(removed) removed, \(changed) changed"
  }

  /// A heading, then one paragraph per object: its change, and one line per property.
  public var text: String {
    let paragraphs = changes.map { change in
      ["", PrintableText.line(change.name), "  \(change.verb)"]
        + change.facts.map { "    \(PrintableText.line($0))" }
    }
    return (["from \(from.path) to \(to.path): \(summary)"] + paragraphs.joined()).map { "\($0)\n" }.joined()
  }

  /// The report as an HTML page, with a single table per entity.
  public var html: String {
    Page(
      title: "from \(from.path) to \(to.path)", summary: [summary],
      content: "<div id=\"text\" tabindex=\"-1\">\n\(blocks.map(\.markup).joined(separator: "\n"))\n</div>"
    ).text
  }

  /// The same as Markdown.
  public var markdown: String {
    let lead = ["# \(MarkdownText.escaped("from \(from.path) to \(to.path)"))", MarkdownText.escaped(summary)]
    return (lead + blocks.map(\.markdown)).joined(separator: "\n\n") + "\n"
  }

  private var blocks: [ReportBlock] {
    let entities = Dictionary(grouping: changes, by: \.id.entity).sorted { $0.key < $1.key }
    return entities.flatMap { entity, changes -> [ReportBlock] in
      let rows = changes.flatMap { change in
        change.values.map { [change.keys, change.verb] + $0.map(PrintableText.line) }
      }
      return [
        .heading(entity, level: 2),
        .table(
          ReportTable(
            caption: "Objects of \(entity) that differ",
            columns: ["Key", "Change", "Property", "Before", "After"], rows: rows)),
      ]
    }
  }
}

/// An object that both stores have, in its JSON form.
private struct ChangedObject: Encodable {
  let id: RecordID
  let other: RecordID
  let properties: [PropertyChange]
  let from: String
  let to: String

  private enum CodingKeys: CodingKey {
    case entity, key, newKey, properties
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.entity, forKey: .entity)
    try container.encode(id.key, forKey: .key)
    try container.encode(other.key, forKey: .newKey)
    try container.encode(properties.map { ChangedProperty(change: $0, from: from, to: to) }, forKey: .properties)
  }
}

/// A property that differs, in its JSON form.
private struct ChangedProperty: Encodable {
  let change: PropertyChange
  let from: String
  let to: String

  private enum CodingKeys: CodingKey {
    case name, before, after, added, removed, isReordered
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(change.property, forKey: .name)
    func element(_ value: RecordValue, _ store: String) -> RecordElement {
      RecordElement(value: value, graph: RecordGraph(objects: []), inclusion: InclusionTree(), store: store)
    }
    switch change.content {
    case .value(let before, let after):
      try container.encode(element(before, from), forKey: .before)
      try container.encode(element(after, to), forKey: .after)
    case .list(let added, let removed, let isReordered):
      try container.encode(element(.objects(added), to), forKey: .added)
      try container.encode(element(.objects(removed), from), forKey: .removed)
      try container.encode(isReordered, forKey: .isReordered)
    }
  }
}

extension ObjectChange {
  fileprivate var name: String { "\(id.entity) \(keys)" }

  /// The key; both keys if they differ.
  fileprivate var keys: String {
    if case .changed(let id, let other, _) = self, id.key != other.key { return "\(id.key), now \(other.key)" }
    return "\(id.key)"
  }

  fileprivate var verb: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    }
  }

  /// One line per property; for added and removed objects, only properties with a value.
  fileprivate var facts: [String] {
    switch self {
    case .added(let record), .removed(let record): record.shownFacts
    case .changed(_, _, let properties): properties.map { "\($0.property): \($0.content.words)" }
    }
  }

  /// One row per property: its name, the value before and the value after; a single row without a property for an empty
  /// object.
  fileprivate var values: [[String]] {
    let rows: [[String]] =
      switch self {
      case .added(let record): record.shownValues.map { [$0.name, "", $0.text] }
      case .removed(let record): record.shownValues.map { [$0.name, $0.text, ""] }
      case .changed(_, _, let properties):
        properties.map { [$0.property, $0.content.sides.before, $0.content.sides.after] }
      }
    return rows.isEmpty ? [["", "", ""]] : rows
  }
}

extension PropertyChange.Content {
  /// The two values; for a list, the removed and the added objects.
  fileprivate var sides: (before: String, after: String) {
    switch self {
    case .value(let before, let after): return (before.shown, after.shown)
    case .list(let added, let removed, let isReordered):
      func text(_ ids: [RecordID]) -> String { ids.map(\.description).joined(separator: ", ") }
      let order = isReordered ? ["in a different order"] : []
      return (text(removed), ([text(added)].filter { !$0.isEmpty } + order).joined(separator: "; "))
    }
  }

  /// The two values, or the removed and the added objects.
  var words: String {
    switch self {
    case .value(let before, let after): return "\(before.shown)\(TextWidth.isSpoken ? " to " : " → ")\(after.shown)"
    case .list(let added, let removed, let isReordered):
      let parts = [("added ", added), ("removed ", removed)].filter { !$0.1.isEmpty }.map { verb, ids in
        verb + ids.map(\.description).joined(separator: ", ")
      }
      return (parts + (isReordered ? ["in a different order"] : [])).joined(separator: "; ")
    }
  }
}
