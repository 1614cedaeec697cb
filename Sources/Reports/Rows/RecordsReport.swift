import Foundation
import ModelDescription
public import StoreRows

/// Objects of a store.
public struct RecordsReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The requested entity.
  public let entity: String
  /// The number of objects, including objects beyond a limit.
  public let count: Int
  private let objects: [RecordObject]
  private let columns: [String]
  private let graph: RecordGraph

  private enum CodingKeys: CodingKey {
    case version, entity, count, objects
  }

  /// Creates a report of objects.
  ///
  /// - Parameter columns: the properties in the order of the columns; nil to sort them by name.
  public init(
    _ graph: RecordGraph, including inclusion: InclusionTree, of entity: String, columns: [String]?, count: Int,
    store: String
  ) {
    objects = graph.objects.map { RecordObject(record: $0, graph: graph, inclusion: inclusion, store: store) }
    let names = Set(graph.objects.flatMap(\.values.keys)).sorted()
    let all =
      columns.map { chosen in
        chosen + names.filter { name in !chosen.contains { $0 == name || $0.hasPrefix("\(name).") } }
      } ?? names
    self.columns = Self.expanded(all, of: graph.objects, graph, inclusion)
    (self.graph, self.entity, self.count) = (graph, entity, count)
  }

  /// Replaces the key of an included object by its columns.
  private static func expanded(
    _ names: [String], of records: [ObjectRecord], _ graph: RecordGraph, _ inclusion: InclusionTree
  ) -> [String] {
    names.flatMap { name -> [String] in
      guard let further = inclusion.branches[name] else { return [name] }
      let related = records.compactMap { record -> ObjectRecord? in
        if case .object(let id)? = record[name] { graph[id] } else { nil }
      }
      let columns = Set(related.flatMap(\.values.keys)).sorted()
      if columns.isEmpty { return [name] }
      return expanded(columns, of: related, graph, further).map { "\(name).\($0)" }
    }
  }

  private func value(_ path: String, of record: ObjectRecord) -> RecordValue {
    if let value = record[path] { return value }
    guard let dot = path.firstIndex(of: "."), case .object(let id)? = record[String(path[..<dot])],
      let related = graph[id]
    else { return .null }
    return value(String(path[path.index(after: dot)...]), of: related)
  }

  /// A line an object, and how many there are.
  public var text: String {
    let hasSubentities = objects.contains { $0.record.id.entity != entity }
    let rows = objects.map { object in
      let id = object.record.id
      return [RecordTable.Cell(text: hasSubentities ? "\(id)" : "\(id.key)", isNumber: !hasSubentities)]
        + columns.map { name in
          let value = self.value(name, of: object.record)
          return RecordTable.Cell(text: PrintableText.cell(value.text ?? "nil"), isNumber: value.isNumber)
        }
    }
    let shown = objects.count == count ? "" : "\(Quantity.grouped(Int64(objects.count))) of "
    let total = "\(shown)\(Quantity.text(count, "object")) of \(entity)\n"
    guard !rows.isEmpty else { return total }
    return RecordTable(columns: ["key"] + columns, rows: rows).text(width: TextWidth.current, last: total)
  }

  /// One JSON document per object, each on a single line.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public func lines() throws -> String { try objects.map { try JSONText.line($0) }.joined() }

  /// A heading and a line an object, in the form of RFC 4180; no value is an empty cell.
  public var csv: String {
    let rows = objects.map { object in
      [object.record.id.entity, "\(object.record.id.key)"] + columns.map { value($0, of: object.record).text ?? "" }
    }
    return CommaSeparatedText.lines([["entity", "key"] + columns] + rows)
  }
}

/// SQLite's query plan for a request.
public struct ExplanationReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let sql: String
  private let steps: [Step]

  private struct Step: Encodable {
    let number: Int
    let parent: Int?
    let detail: String
  }

  /// Creates a report of an explanation.
  public init(_ explanation: RequestExplanation) {
    sql = explanation.sql
    steps = explanation.steps.map { Step(number: $0.number, parent: $0.parent, detail: $0.detail) }
  }

  /// The statement, and one line per step, indented below its parent step.
  public var text: String {
    var depths: [Int: Int] = [:]
    let lines = steps.map { step in
      let depth = step.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[step.number] = depth
      return String(repeating: "  ", count: depth + 1) + step.detail + "\n"
    }
    return "\(PrintableText.line(sql));\n\nSQLite's plan:\n\(lines.joined())"
  }
}
