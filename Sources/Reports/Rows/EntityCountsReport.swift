import Foundation
import ModelDescription

/// The entities of a store, with the number of objects of each.
public struct EntityCountsReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let entities: [Entity]

  private struct Entity: Encodable {
    let name: String
    let count: Int
  }

  private enum CodingKeys: CodingKey {
    case version, entities
  }

  /// Creates a report of entities in their order.
  public init(_ counts: [(entity: String, count: Int)]) {
    entities = counts.map { Entity(name: $0.entity, count: $0.count) }
  }

  /// One line per entity, and the number of entities.
  public var text: String {
    let rows = entities.map { entity in
      [
        RecordTable.Cell(text: PrintableText.cell(entity.name)),
        RecordTable.Cell(text: Quantity.grouped(Int64(entity.count)), isNumber: true),
      ]
    }
    let total = Quantity.text(entities.count, "entity", "entities") + "\n"
    guard !rows.isEmpty else { return total }
    return RecordTable(columns: Self.columns, rows: rows).text(width: TextWidth.current, last: total)
  }

  private static let columns = ["entity", "objects"]

  /// One JSON document per entity, each on a single line.
  public func lines() throws -> String { try entities.map { try JSONText.line($0) }.joined() }

  /// A heading and one line per entity, as in RFC 4180.
  public var csv: String { CommaSeparatedText.lines([Self.columns] + entities.map { [$0.name, "\($0.count)"] }) }
}
