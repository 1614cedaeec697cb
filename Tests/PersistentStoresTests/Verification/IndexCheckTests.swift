import Foundation
import GRDB
import PersistentStores
import TestSupport
import Testing

/// Tables of any kind that SQLite allows, whose indexes are checked.
@Suite("Entries of indexes") struct IndexCheckTests {
  @Test("Sound indexes of every kind are sound, and each with other entries is found", arguments: Form.allCases)
  func forms(_ form: Form) throws {
    let folder = try TemporaryFolder()
    let sound = folder.path("sound.sqlite")
    try form.make(sound)
    #expect(try stale(sound).isEmpty)
    for index in try IndexFault.indexes(of: sound) {
      for fault in IndexFault.allCases {
        let wrong = folder.path("wrong.sqlite")
        try? FileManager.default.removeItem(atPath: wrong)
        try FileManager.default.copyItem(atPath: sound, toPath: wrong)
        guard try fault.put(into: index, of: wrong) else { continue }
        #expect(try stale(wrong).contains(index), "\(fault)")
        let queue = try DatabaseQueue(path: wrong)
        try queue.write { database in
          // The indexes that were found are made anew, and nothing is found then.
          try IndexCheck.rebuild(try IndexCheck.stale(in: database), in: database, path: wrong)
          #expect(try IndexCheck.stale(in: database).isEmpty)
          #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
        }
        try queue.close()
      }
    }
  }

  @Test("Each of several partial indexes with many wrong rows is found")
  func fullReport() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try Form.partial.make(path)
    let indexes = try IndexFault.indexes(of: path)
    #expect(indexes.count == 2)
    for index in indexes { #expect(try IndexFault.emptied.put(into: index, of: path)) }
    #expect(try stale(path) == indexes)
  }

  @Test("An integer next to a real number with the same double value is in order")
  func greatNumbers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, value);
          INSERT INTO t VALUES (9, 9007199254740992.0), (1, 9007199254740993), (2, 9223372036854775807),
            (3, 9223372036854775807.0), (4, -9223372036854775808), (5, -9.3e18), (6, 1e300), (7, -0.0), (8, 0);
          CREATE INDEX i ON t (value);
          """)
    }
    try queue.close()
    #expect(try stale(path).isEmpty)
  }

  @Test("An index whose collation only the app has stops nothing")
  func foreignCollation() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      database.add(collation: DatabaseCollation("ofTheApp") { $0.compare($1) })
      try database.execute(
        sql: """
          CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, value VARCHAR);
          INSERT INTO t VALUES (1, 'a'), (2, 'b');
          CREATE INDEX foreign_index ON t (value COLLATE ofTheApp);
          CREATE INDEX own ON t (value);
          """)
    }
    try queue.close()
    #expect(try stale(path).isEmpty)
  }

  private func stale(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try IndexCheck.stale(in: $0).map(\.name).sorted() }
  }

  /// A kind of table or index.
  enum Form: String, CaseIterable {
    /// Texts that are not UTF-8, bytes, missing values, and numbers that change.
    case values
    /// Real numbers in a column of integers, and integers in a column of real numbers.
    case numbers
    case unique
    case descending
    case expression
    case partial
    case collation
    case utf16
    case withoutRowID
    /// A column that hides the number of the row.
    case rowIDColumn
    case virtual

    func make(_ path: String) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { database in
        if self == .utf16 { try database.execute(sql: "PRAGMA encoding = 'UTF-16le'") }
        try database.execute(sql: statements)
        let counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
        switch self {
        case .virtual, .values: break
        default: try database.execute(sql: "INSERT INTO t SELECT \(values) FROM (\(counting) SELECT i FROM n)")
        }
      }
      try queue.close()
    }

    private var values: String {
      switch self {
      case .numbers: "i, i + 0.5, i * 1.0, i * 1e17, -i"
      case .unique, .withoutRowID: "i, 'text ' || i, i % 7"
      case .rowIDColumn: "i, 1000 - i, 'text ' || i"
      default: "i, 'text ' || (i * 7919 % 1000), i % 7"
      }
    }

    private var statements: String {
      switch self {
      case .values:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, value);
        INSERT INTO t VALUES (1, CAST(x'61ff00' AS TEXT)), (2, CAST(x'61ff' AS TEXT)), (3, x'61ff'), (4, NULL), (5, NULL),
          (6, 9e999), (7, -9e999), (8, 9e999 - 9e999), (9, ''), (10, x''), (11, zeroblob(5000)), (12, 'a' || char(0) || 'b'),
          (13, 'ü'), (14, 'Ü'), (15, 1), (16, 1.0), (17, '1');
        CREATE INDEX i ON t (value);
        """
      case .numbers:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c FLOAT, d DECIMAL);
        CREATE INDEX ia ON t (a); CREATE INDEX ib ON t (b, a); CREATE INDEX ic ON t (c); CREATE INDEX id ON t (d, c);
        """
      case .unique:
        "CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER, UNIQUE (a, b)); CREATE UNIQUE INDEX i ON t (a)"
      case .descending:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER);
        CREATE INDEX i ON t (a DESC); CREATE INDEX j ON t (b DESC, a)
        """
      case .expression:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER);
        CREATE INDEX i ON t (length(a)); CREATE INDEX j ON t (a)
        """
      case .partial:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER);
        CREATE INDEX i ON t (a) WHERE b > 0; CREATE INDEX j ON t (b) WHERE a IS NOT NULL
        """
      case .collation:
        "CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER); CREATE INDEX i ON t (a COLLATE NOCASE)"
      case .utf16:
        "CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a VARCHAR, b INTEGER); CREATE INDEX i ON t (a); CREATE INDEX j ON t (b)"
      case .withoutRowID:
        "CREATE TABLE t (k INTEGER, a VARCHAR, b INTEGER, PRIMARY KEY (k, b)) WITHOUT ROWID; CREATE TABLE u (x); CREATE INDEX i ON u (x)"
      case .rowIDColumn: "CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, rowid INTEGER, a VARCHAR); CREATE INDEX i ON t (a)"
      case .virtual:
        """
        CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a FLOAT, b FLOAT); INSERT INTO t VALUES (1, 2, 3), (2, 3, 4);
        CREATE INDEX i ON t (a); CREATE VIRTUAL TABLE r USING rtree (id, x0, x1); INSERT INTO r VALUES (1, 2, 3);
        """
      }
    }
  }
}
