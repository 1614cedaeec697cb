import Foundation
import ModelDescription
public import StoreRows

/// Groups of objects of a store, with their aggregates.
public struct RecordGroupsReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The entity of the objects.
  public let entity: String
  private let groups: [Group]
  private let keys: [String]
  private let values: [String]

  private enum CodingKeys: CodingKey {
    case version, entity, groups
  }

  private struct Group: Encodable {
    let keys: [String: RecordElement]
    let values: [String: RecordElement]
    /// All of them in the order of the columns.
    let cells: [RecordValue]

    private enum CodingKeys: CodingKey {
      case keys, values
    }
  }

  /// Creates a report of groups.
  public init(
    _ found: [RecordGroup], of entity: String, by keyPaths: [String], _ aggregates: [RecordAggregate], store: String
  ) {
    (self.entity, keys, values) = (entity, keyPaths, aggregates.map(\.text))
    func named(_ names: [String], _ values: [RecordValue]) -> [String: RecordElement] {
      let elements = values.map {
        RecordElement(value: $0, graph: RecordGraph(objects: []), inclusion: InclusionTree(), store: store)
      }
      return Dictionary(zip(names, elements)) { first, _ in first }
    }
    let values = values
    groups = found.map {
      Group(keys: named(keyPaths, $0.keys), values: named(values, $0.values), cells: $0.keys + $0.values)
    }
  }

  /// One line per group.
  public var text: String {
    let rows = groups.map { group in
      group.cells.map { RecordTable.Cell(text: PrintableText.cell($0.text ?? "nil"), isNumber: $0.isNumber) }
    }
    let total = "\(Quantity.text(groups.count, "group")) of \(entity)\n"
    guard !keys.isEmpty else { return RecordTable(columns: values, rows: rows).text(width: TextWidth.current) }
    return RecordTable(columns: keys + values, rows: rows).text(width: TextWidth.current, last: total)
  }

  /// One JSON document per group, each on a single line.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public func lines() throws -> String { try groups.map { try JSONText.line($0) }.joined() }

  /// A heading and one line per group, as in RFC 4180; missing values are empty cells.
  public var csv: String { CommaSeparatedText.lines([keys + values] + groups.map { $0.cells.map { $0.text ?? "" } }) }
}
