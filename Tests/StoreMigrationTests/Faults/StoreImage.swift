import Foundation
import GRDB

/// All that a store says: its schema and every value of every table, metadata included, in a form that does not depend
/// on where in the file they lie.
struct StoreImage: Equatable {
  /// The statement of every table, index, trigger and view.
  private let schema: [String]
  /// The rows of every table, each as its values with their types.
  private let tables: [String: [String]]

  /// Opens a copy of a store, as any program that knows nothing of migrations does: a journal is rolled back, a log read.
  ///
  /// - Parameters:
  ///   - path: the store; it stays as it is.
  ///   - folder: where the copy is made and removed.
  /// - Throws: when the copy is damaged, or no SQLite file.
  init(copying path: String, into folder: String) throws {
    let copy = "\(folder)/Image.sqlite"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let queue = try DatabaseQueue(path: copy)
    self = try queue.writeWithoutTransaction { try StoreImage(reading: $0) }
    try queue.close()
  }

  /// Reads what a connection sees.
  init(reading database: Database) throws {
    let sound = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
    guard sound == ["ok"] else { throw Damaged(findings: sound) }
    schema = try String.fetchAll(
      database, sql: "SELECT type || ' ' || name || ': ' || IFNULL(sql, '') FROM sqlite_master ORDER BY 1")
    var tables: [String: [String]] = [:]
    for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
      let quoted = "\"\(table.replacing("\"", with: "\"\""))\""
      tables[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(quoted)").map(Self.text).sorted()
    }
    self.tables = tables
  }

  struct Damaged: Error {
    let findings: [String]
  }

  /// The first differences from another image, each in one line.
  func differences(from other: StoreImage) -> [String] {
    var differences = schema.filter { !other.schema.contains($0) }.map { "has \($0)" }
    differences += other.schema.filter { !schema.contains($0) }.map { "lacks \($0)" }
    for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
      let others = other.tables[table] ?? []
      differences += rows.filter { !others.contains($0) }.map { "\(table) has \($0.prefix(200))" }
      differences += others.filter { !rows.contains($0) }.map { "\(table) lacks \($0.prefix(200))" }
    }
    return Array(differences.prefix(5))
  }

  private static func text(_ row: Row) -> String {
    zip(row.columnNames, row.databaseValues).map { column, value in
      switch value.storage {
      case .null: "-"
      case .int64(let number): "\(number)"
      case .double(let number): "\(number) (real)"
      case .string(let text): "'\(text)'"
      case .blob(let data): column == "Z_PLIST" ? metadata(data) : data.map { String(format: "%02x", $0) }.joined()
      }
    }.joined(separator: " | ")
  }

  /// The bytes of a property list depend on the order of a dictionary.
  private static func metadata(_ data: Data) -> String {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) else { return "unreadable" }
    return text(ofPropertyList: list)
  }

  private static func text(ofPropertyList value: Any) -> String {
    switch value {
    case let dictionary as [String: Any]:
      "{"
        + dictionary.sorted { $0.key < $1.key }.map { "\($0.key): \(text(ofPropertyList: $0.value))" }
        .joined(separator: ", ") + "}"
    case let list as [Any]: "[" + list.map(text(ofPropertyList:)).joined(separator: ", ") + "]"
    case let data as Data: data.base64EncodedString()
    default: "\(value)"
    }
  }
}
