import GRDB
import PersistentStores

/// A way in which the entries of an index can be others than those of the rows, with every page in order.
public enum IndexFault: CaseIterable, Sendable {
  /// The index has no entry.
  case emptied
  /// The key of the first row is there twice, the second time for a row that is not there.
  case duplicated
  /// Each row has the key of another.
  case shifted

  /// The names of the indexes of columns in a store, those of keys included.
  public static func indexes(of path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT i.name FROM sqlite_master AS i WHERE i.type = 'index' AND i.rootpage > 0 AND NOT EXISTS \
          (SELECT 1 FROM pragma_index_info(i.name) WHERE name IS NULL) ORDER BY i.name
          """)
    }
  }

  /// Gives an index other entries: those of a table that is made for it, whose index then changes places with it.
  ///
  /// - Parameters:
  ///   - index: the index's name.
  ///   - path: the store.
  /// - Returns: false where the entries are the same all the same, as of a table without rows.
  public func put(into index: String, of path: String) throws -> Bool {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      let table = try String.fetchOne(
        database, sql: "SELECT tbl_name FROM sqlite_master WHERE name = ?", arguments: [index])
      guard let table else { throw DatabaseError(message: "there is no index \(index)") }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT k.name, k.desc, t.type FROM pragma_index_xinfo(?) AS k JOIN pragma_table_info(?) AS t ON t.cid = k.cid \
          WHERE k.key = 1 ORDER BY k.seqno
          """, arguments: [index, table])
      let columns = rows.map { SQLIdentifier($0[0]).quoted }
      let declared = rows.map { "\(SQLIdentifier($0[0]).quoted) \($0[2] as String)" }.joined(separator: ", ")
      let ordered = rows.map { SQLIdentifier($0[0]).quoted + ($0[1] == 1 ? " DESC" : "") }.joined(separator: ", ")
      let list = columns.joined(separator: ", ")
      let source = SQLIdentifier(table).quoted
      try database.execute(
        sql: """
          CREATE TABLE modelctl_entries (modelctl_row INTEGER PRIMARY KEY, \(declared));
          CREATE INDEX modelctl_index ON modelctl_entries (\(ordered));
          """)
      switch self {
      case .emptied: break
      case .duplicated:
        try database.execute(
          sql: """
            INSERT INTO modelctl_entries SELECT _rowid_, \(list) FROM \(source) NOT INDEXED;
            INSERT INTO modelctl_entries SELECT (SELECT MAX(_rowid_) + 1 FROM \(source) NOT INDEXED), \(list) FROM \(source) NOT INDEXED \
            ORDER BY _rowid_ LIMIT 1;
            """)
      case .shifted:
        try database.execute(
          sql: """
            INSERT INTO modelctl_entries SELECT COALESCE(LEAD(_rowid_) OVER (ORDER BY _rowid_), \
            (SELECT MIN(_rowid_) FROM \(source) NOT INDEXED)), \(list) FROM \(source) NOT INDEXED
            """)
      }
      try exchange(index, "modelctl_index", in: database)
    }
    try queue.close()
    let again = try DatabaseQueue(path: path)
    defer { try? again.close() }
    return try again.writeWithoutTransaction { database in
      try database.execute(sql: "DROP TABLE modelctl_entries")
      _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") != "ok"
    }
  }

  private func exchange(_ first: String, _ second: String, in database: Database) throws {
    func page(_ name: String) throws -> Int? {
      try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
    }
    let pages = (try page(first), try page(second))
    let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
    try database.execute(sql: "PRAGMA writable_schema = ON")
    for (name, page) in [(first, pages.1), (second, pages.0)] {
      try database.execute(sql: "UPDATE sqlite_master SET rootpage = ? WHERE name = ?", arguments: [page, name])
    }
    try database.execute(sql: "PRAGMA schema_version = \(version + 1)")
  }
}
