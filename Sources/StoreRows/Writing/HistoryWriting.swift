import Foundation
import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

/// Writes persistent history as Core Data does, if the store has its tables: a transaction, and a row for each object.
///
/// The order of rows, the numbers and the bits of changes are those of stores that Core Data wrote.
struct HistoryWriting {
  private enum Number {
    static let change = 16001
    static let transaction = 16002
    static let text = 16003
    /// The names of the number rows.
    static let names = [change: "CHANGE", transaction: "TRANSACTION", text: "TRANSACTIONSTRING"]
  }

  private let reading: RecordReading
  private let tombstones: Set<String>
  /// False for a store of an older framework, which has the texts in the transaction's row.
  private let hasTexts: Bool

  /// - Returns: nil for a store without history.
  init?(_ reading: RecordReading) throws {
    guard try reading.hasHistory() else { return nil }
    let database = reading.database
    self.reading = reading
    hasTexts = try database.tableExists("ATRANSACTIONSTRING")
    let names = try database.columns(in: "ACHANGE").map(\.name)
    tombstones = Set(names.filter { $0.hasPrefix("ZTOMBSTONE") })
  }

  func write(_ writes: RecordWrites, author: RecordWriting.Author) throws {
    guard !writes.insertions.isEmpty || !writes.updates.isEmpty || !writes.deletions.isEmpty else { return }
    let database = reading.database
    let transaction = try nextKey(of: Number.transaction, "ATRANSACTION")
    // Every save of an app has a bundle identifier; a program without one is known by its name.
    let texts = [
      ("AUTHOR", author.name), ("CONTEXTNAME", author.context), ("PROCESSID", author.process),
      ("BUNDLEID", author.process),
    ]
    let names = texts.map { "Z\($0.0)\(hasTexts ? "TS" : "")" }.joined(separator: ", ")
    let values = try texts.map { $0.1 }.map { text in
      hasTexts ? try text.map(key(of:))?.databaseValue : text?.databaseValue
    }
    try database.execute(
      sql: "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(names)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      arguments: [transaction, Number.transaction, reading.now] + StatementArguments(values))
    try keep(transaction, as: Number.transaction)
    var last = try lastKey(of: Number.change, "ACHANGE")
    func change(_ id: RecordID, _ kind: Int, _ columns: [String] = [], _ values: [SQLValue] = []) throws {
      last = try key(after: last, of: Number.change)
      let names = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"] + columns
      let entity = reading.store.number(of: id.entity).map(SQLValue.number) ?? .null
      let own: [SQLValue] = [
        .integer(last), .number(Number.change), .number(kind), entity, .integer(id.key), .integer(transaction),
      ]
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      let statement = try database.cachedStatement(
        sql: "INSERT INTO ACHANGE (\(names.joined(separator: ", "))) VALUES (\(marks))")
      try statement.run(own + values)
    }
    for row in writes.insertions { try change(row.id, 0) }
    var bitmaps = HistoryBitmaps(reading.store.hierarchy)
    for row in writes.updates {
      let bytes = bitmaps.bitmap(of: row.id.entity).bytes(of: row.changed, incoming: row.incoming)
      try change(row.id, 1, ["ZCOLUMNS"], [.blob(Array(bytes))])
    }
    for record in writes.deletions {
      let kept = kept(of: record)
      try change(record.id, 2, kept.map(\.0), kept.map(\.1))
    }
    try keep(last, as: Number.change)
  }

  /// The values that a deletion leaves behind, as their columns had them; binary data in files is not among them.
  private func kept(of record: ObjectRecord) -> [(String, SQLValue)] {
    let names = reading.store.hierarchy.attributesKeptAfterDeletion(of: record.id.entity)
    return names.enumerated().compactMap { position, attribute in
      let column = "ZTOMBSTONE\(position)"
      guard tombstones.contains(column), !attribute.allowsExternalBinaryDataStorage else { return nil }
      return (column, RecordEncoding.stored(record.values[attribute.name] ?? .null, isMarked: false))
    }
  }

  // MARK: Keys and texts

  private func nextKey(of number: Int, _ table: String) throws -> Int64 {
    try key(after: lastKey(of: number, table), of: number)
  }

  private func key(after last: Int64, of number: Int) throws(RecordWritingError) -> Int64 {
    let (key, overflows) = last.addingReportingOverflow(1)
    guard !overflows else { throw .noKeys(entity: Number.names[number] ?? "\(number)") }
    return key
  }

  private func lastKey(of number: Int, _ table: String) throws -> Int64 {
    let database = reading.database
    let counted = try Int64.fetchOne(
      database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", arguments: [number])
    let greatest = try Int64.fetchOne(database, sql: "SELECT MAX(Z_PK) FROM \(table)")
    return max(0, counted ?? 0, greatest ?? 0)
  }

  /// Records a number; Core Data creates the rows of the numbers with the first save.
  private func keep(_ key: Int64, as number: Int) throws {
    let database = reading.database
    try database.execute(
      sql: "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
      arguments: [number, Number.names[number]])
    try database.execute(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX < ?", arguments: [key, number, key])
  }

  private func key(of text: String) throws -> Int64 {
    let database = reading.database
    let known = try Int64.fetchOne(
      database, sql: "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", arguments: [text])
    if let known { return known }
    let key = try nextKey(of: Number.text, "ATRANSACTIONSTRING")
    try database.execute(
      sql: "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)", arguments: [key, Number.text, text])
    try keep(key, as: Number.text)
    return key
  }
}
