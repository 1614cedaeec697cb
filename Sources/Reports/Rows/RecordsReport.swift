import Foundation
public import StoreRows

/// Objects of a store, for people and programs.
public struct RecordsReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The entity that was asked for.
  public let entity: String
  /// How many objects there are, those beyond a limit too.
  public let count: Int
  private let objects: [RecordObject]
  private let columns: [String]

  private enum CodingKeys: CodingKey {
    case version, entity, count, objects
  }

  /// Takes what was found.
  ///
  /// - Parameters:
  ///   - graph: the objects, with those that were included.
  ///   - inclusion: what was included.
  ///   - entity: the entity that was asked for.
  ///   - columns: the properties in the order in which they are shown; nil for their names' order.
  ///   - count: how many objects there are, those beyond a limit too.
  ///   - store: the store's UUID.
  public init(
    _ graph: RecordGraph, including inclusion: InclusionTree, of entity: String, columns: [String]?, count: Int,
    store: String
  ) {
    (self.entity, self.count) = (entity, count)
    objects = graph.objects.map { RecordObject(record: $0, graph: graph, inclusion: inclusion, store: store) }
    let names = Set(graph.objects.flatMap(\.values.keys)).sorted()
    self.columns = columns.map { chosen in chosen + names.filter { !chosen.contains($0) } } ?? names
  }

  /// A line an object, and how many there are.
  public var text: String {
    let hasSubentities = objects.contains { $0.record.id.entity != entity }
    let rows = objects.map { object in
      let id = object.record.id
      return [RecordTable.Cell(text: hasSubentities ? "\(id)" : "\(id.key)", isNumber: !hasSubentities)]
        + columns.map { name in
          let value = object.record[name] ?? .null
          return RecordTable.Cell(text: PrintableText.cell(value.text ?? "nil"), isNumber: value.isNumber)
        }
    }
    let shown = objects.count == count ? "" : "\(objects.count) of "
    let total = "\(shown)\(count) \(count == 1 ? "object" : "objects") of \(entity)\n"
    guard !rows.isEmpty else { return total }
    return RecordTable(columns: ["key"] + columns, rows: rows).text(width: TextWidth.current) + total
  }

  /// A line an object, each a JSON document.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public func lines() throws -> String { try objects.map { try JSONText.line($0) }.joined() }

  /// A heading and a line an object, in the form of RFC 4180; no value is an empty cell.
  public var csv: String {
    let rows = objects.map { object in
      [object.record.id.entity, "\(object.record.id.key)"] + columns.map { object.record[$0]?.text ?? "" }
    }
    return CommaSeparatedText.lines([["entity", "key"] + columns] + rows)
  }
}
