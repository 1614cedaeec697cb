import CFaultInjection
import Foundation
import GRDB
import PersistentStores

/// A digest of a store of any size, small enough to compare.
struct StoreFingerprint: Equatable {
  private let schema: [String]
  private let metadata: StoreMetadata
  /// A digest of the rows of every table.
  private let tables: [String: Int64]

  /// Opens a copy of a store as any program does: a journal is rolled back, a log read.
  ///
  /// - Parameters:
  ///   - path: the store, which stays as it is.
  ///   - folder: where the copy is made and removed.
  /// - Throws: when the copy is damaged, or no store.
  init(copying path: String, into folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = "\(folder)/copy.sqlite"
    for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let queue = try DatabaseQueue(path: copy)
    (schema, tables) = try queue.writeWithoutTransaction { database in
      let sound = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
      guard sound == ["ok"] else { throw Damaged(findings: sound) }
      let schema = try String.fetchAll(
        database, sql: "SELECT type || ' ' || name || ': ' || IFNULL(sql, '') FROM sqlite_master ORDER BY 1")
      var tables: [String: Int64] = [:]
      for table in try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'Z_METADATA'")
      {
        let quoted = "\"\(table.replacing("\"", with: "\"\""))\""
        tables[table] = modelctl_row_digest(database.sqliteConnection, "SELECT * FROM \(quoted)")
      }
      return (schema, tables)
    }
    try queue.close()
    let reader = try StoreReader(path: copy)
    defer { reader.close() }
    metadata = try reader.metadata()
  }

  struct Damaged: Error {
    let findings: [String]
  }
}
