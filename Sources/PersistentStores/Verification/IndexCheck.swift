import CSQLiteConnection
import Foundation
package import GRDB

/// Checks that the entries of indexes match the rows, which `PRAGMA quick_check` does not do.
///
/// A table is read once, and each of its indexes once. With three indexes this takes half the time of `PRAGMA
/// integrity_check`, which looks each row up in each index. SQLite checks indexes on expressions, partial indexes, and
/// indexes with other collations.
package enum IndexCheck {
  /// An index with missing, wrong or misordered entries.
  package struct StaleIndex: Hashable, Sendable {
    package let table: String
    package let name: String
  }

  /// Finds stale indexes.
  ///
  /// - Parameters:
  ///   - database: the connection; no other process may write.
  ///   - tables: the tables whose indexes are checked; nil for all.
  /// - Returns: the indexes, sorted by the names of their tables.
  package static func stale(in database: Database, tables: [String]? = nil) throws -> [StaleIndex] {
    // If statements are running, SQLite refuses to replace a function, and the existing function is kept.
    _ = modelctl_add_rows(database.sqliteConnection)
    let wanted = tables.map { Set($0.map { $0.uppercased() }) }
    let isUTF8 = try String.fetchOne(database, sql: "PRAGMA encoding") == "UTF-8"
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    return try names.filter { wanted?.contains($0.uppercased()) ?? true }
      .flatMap { try stale(of: $0, isUTF8: isUTF8, in: database) }
  }

  /// Refuses a store with stale indexes.
  ///
  /// - Parameter path: the store's path, for the error.
  /// - Throws: ``StoreError/staleIndexes(path:names:)``, `DatabaseError`.
  package static func prove(_ database: Database, path: String) throws {
    let found = try stale(in: database)
    guard found.isEmpty else { throw StoreError.staleIndexes(path: path, names: found.map(\.name)) }
  }

  /// Rebuilds indexes from the rows of their tables.
  ///
  /// - Throws: ``StoreError/staleIndexes(path:names:)`` if the rows break a unique index, `DatabaseError`.
  package static func rebuild(_ indexes: [StaleIndex], in database: Database, path: String) throws {
    for index in indexes {
      do {
        try database.execute(sql: "REINDEX main.\(SQLIdentifier(index.name))")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw StoreError.staleIndexes(path: path, names: [index.name])
      }
    }
  }

  private static func stale(of table: String, isUTF8: Bool, in database: Database) throws -> [StaleIndex] {
    let list = try Row.fetchAll(database, sql: "PRAGMA index_list(\(SQLIdentifier(table)))")
    var plain: [(name: String, entry: Entry)] = []
    var others: [String] = []
    for row in list {
      guard let name = row.text(1) else { continue }
      let isWhole = row.integer(4) == 0 && isUTF8
      if isWhole, let entry = try Entry(of: name, in: table, database) {
        plain.append((name, entry))
      } else {
        others.append(name)
      }
    }
    var found = try stale(plain, of: table, in: database)
    if !others.isEmpty { found += try damaged(others, of: table, in: database) }
    return found.sorted().map { StaleIndex(table: table, name: $0) }
  }

  private static func stale(
    _ indexes: [(name: String, entry: Entry)], of table: String, in database: Database
  ) throws -> [String] {
    guard !indexes.isEmpty else { return [] }
    var expected: [String] = []
    // A statement has a limited number of columns.
    for start in stride(from: 0, to: indexes.count, by: 100) {
      let part = indexes[start..<min(start + 100, indexes.count)]
      let sums = part.map { $0.entry.sum(isOrdered: false) }.joined(separator: ", ")
      let row = try Row.fetchOne(database, sql: "SELECT \(sums) FROM \(SQLIdentifier(table)) NOT INDEXED")
      expected += (0..<part.count).map { row?.text($0) ?? "" }
    }
    var found: [String] = []
    for (index, expected) in zip(indexes, expected) {
      let sql =
        "SELECT \(index.entry.sum(isOrdered: true)) FROM \(SQLIdentifier(table)) INDEXED BY \(SQLIdentifier(index.name))"
      if try Row.fetchOne(database, sql: sql)?.text(0) != expected { found.append(index.name) }
    }
    return found
  }

  /// The maximum number of lines that SQLite reports by default.
  private static let reportLimit = 100

  /// The indexes that SQLite's own check reports; each line ends with the name of an index.
  ///
  /// A full report may omit some indexes.
  ///
  /// An index whose function or collation only the app has cannot be checked, and no statement here can use it.
  private static func damaged(_ indexes: [String], of table: String, in database: Database) throws -> [String] {
    do {
      let report = try Row.fetchAll(database, sql: "PRAGMA integrity_check(\(SQLIdentifier(table)))").compactMap {
        $0.text(0)
      }
      guard report.count < reportLimit else { return indexes }
      return indexes.filter { name in report.contains { $0.hasSuffix(" index \(name)") } }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return []
    }
  }

  /// The entry of an index for a single row.
  private struct Entry {
    let columns: [String]
    let letters: String

    /// Nil for an index whose entries cannot all be read by a plain statement.
    init?(of index: String, in table: String, _ database: Database) throws {
      let rows = try Row.fetchAll(database, sql: "PRAGMA index_xinfo(\(SQLIdentifier(index)))")
      let rowNames = try Row.fetchAll(database, sql: "PRAGMA table_info(\(SQLIdentifier(table)))")
        .contains { $0.text(1)?.lowercased() == "rowid" }
      // A column of that name hides the number of the row.
      guard !rowNames else { return nil }
      var (columns, letters) = ([String](), "")
      for row in rows {
        guard let number = row.integer(1), row.text(4)?.uppercased() == "BINARY" else { return nil }
        if number == -1 {
          columns.append("rowid")
        } else if let name = row.text(2) {
          columns.append("\(SQLIdentifier(name))")
        } else {
          return nil
        }
        letters += row.integer(3) == 1 ? "d" : "a"
      }
      guard columns.last == "rowid", Set(columns).count == columns.count else { return nil }
      (self.columns, self.letters) = (columns, letters)
      let plan = try Row.fetchAll(
        database,
        sql:
          "EXPLAIN QUERY PLAN SELECT \(sum(isOrdered: true)) FROM \(SQLIdentifier(table)) INDEXED BY \(SQLIdentifier(index))"
      )
      guard plan.count == 1, plan[0].text(3)?.contains(" USING COVERING INDEX ") == true else { return nil }
    }

    func sum(isOrdered: Bool) -> String {
      "modelctl_rows('\(isOrdered ? letters : String(repeating: "-", count: letters.count))', "
        + columns.joined(separator: ", ") + ")"
    }
  }
}

/// Checks the indexes of a single store once, before the first query that could use an index.
package final class IndexProof: @unchecked Sendable {
  private let lock = NSLock()
  /// Used under the lock.
  private var isDone: Bool

  /// Creates the value before the check.
  ///
  /// - Parameter isNeeded: false for a store that modelctl has just created.
  package init(isNeeded: Bool = true) { isDone = !isNeeded }

  /// Proves the indexes on a connection to the store, unless that was done.
  ///
  /// - Throws: ``StoreError/staleIndexes(path:names:)``, `DatabaseError`.
  package func prove(_ database: Database, path: String) throws {
    try lock.withLock {
      guard !isDone else { return }
      try IndexCheck.prove(database, path: path)
      isDone = true
    }
  }
}
