import GRDB

/// The schema, the entity numbers and the row counts of a store file.
public struct StoreSnapshot: Hashable, Sendable {
  /// A column as the file declares it.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The declared type, upper-cased.
    public var type: String

    /// Creates a column.
    public init(name: String, type: String) { (self.name, self.type) = (name, type) }
  }

  /// A table as the file declares it.
  public struct Table: Hashable, Sendable {
    /// The table's name as written.
    public var name: String
    /// Its columns in order.
    public var columns: [Column]
    /// The number of its rows.
    public var rowCount: Int
    /// The `CREATE` statement.
    public var sql: String
    /// The highest `Z_PK` in use, nil without rows or without that column.
    public var highestPrimaryKey: Int64?

    /// Creates a table.
    public init(name: String, columns: [Column], rowCount: Int, sql: String, highestPrimaryKey: Int64? = nil) {
      (self.name, self.columns, self.rowCount) = (name, columns, rowCount)
      (self.sql, self.highestPrimaryKey) = (sql, highestPrimaryKey)
    }
  }

  /// An index as the file declares it, including the indexes of inline constraints.
  public struct Index: Hashable, Sendable {
    /// The index's name.
    public var name: String
    /// Its table.
    public var table: String
    /// The indexed columns; an expression is an empty name.
    public var columns: [String]
    /// The positions of the columns in descending order.
    public var descending: Set<Int>
    /// True if a column is not compared byte by byte, which never happens in Core Data's indexes.
    public var hasOwnCollation: Bool
    /// True for a unique index.
    public var isUnique: Bool
    /// True if it belongs to a constraint in `CREATE TABLE` and cannot be dropped.
    public var isInline: Bool
    /// The `CREATE INDEX` statement; nil for an inline index.
    public var sql: String?

    /// Creates an index.
    public init(
      name: String, table: String, columns: [String], descending: Set<Int> = [], hasOwnCollation: Bool = false,
      isUnique: Bool, isInline: Bool, sql: String?
    ) {
      (self.name, self.table, self.columns, self.descending) = (name, table, columns, descending)
      (self.hasOwnCollation, self.isUnique, self.isInline, self.sql) = (hasOwnCollation, isUnique, isInline, sql)
    }
  }

  /// A view, which can only come from the app.
  public struct View: Hashable, Sendable {
    /// The view's name.
    public var name: String
    /// The `CREATE VIEW` statement.
    public var sql: String
    /// The error of SQLite if the view cannot be read; nil if it can.
    ///
    /// Functions that only the app has do not count as errors.
    public var error: String?

    /// Creates a view.
    public init(name: String, sql: String, error: String? = nil) {
      (self.name, self.sql, self.error) = (name, sql, error)
    }
  }

  /// A row of `Z_PRIMARYKEY`.
  public struct EntityRow: Hashable, Sendable {
    /// `Z_ENT`.
    public var number: Int
    /// `Z_NAME`.
    public var name: String
    /// `Z_SUPER`.
    public var superentityNumber: Int
    /// `Z_MAX`, the highest used `Z_PK`; only that of a root entity counts.
    public var maximumPrimaryKey: Int64

    /// Creates a row.
    public init(number: Int, name: String, superentityNumber: Int, maximumPrimaryKey: Int64) {
      (self.number, self.name) = (number, name)
      (self.superentityNumber, self.maximumPrimaryKey) = (superentityNumber, maximumPrimaryKey)
    }
  }

  /// Ordinary tables by name, in the file's order.
  public var tables: [Table]
  /// The indexes in the file's order.
  public var indexes: [Index]
  /// The triggers in the file's order.
  public var triggers: [SQLTrigger]
  /// The views in the file's order.
  public var views: [View] = []
  /// The names of virtual tables; their shadow tables are not in ``tables``.
  public var virtualTables: [String]
  /// `Z_PRIMARYKEY` in the order of numbers, persistent history's rows included.
  public var entityRows: [EntityRow]
  /// The number of rows by table name and `Z_ENT`.
  public var rowCounts: [String: [Int: Int]]
  /// The size of the file's content in bytes.
  public var byteCount: Int64
  /// True for a copy of the schema, which contains no rows and not their highest keys.
  package var isOfSchemaOnly = false

  /// Creates a snapshot.
  public init(
    tables: [Table], indexes: [Index], triggers: [SQLTrigger], virtualTables: [String], entityRows: [EntityRow],
    rowCounts: [String: [Int: Int]], byteCount: Int64
  ) {
    (self.tables, self.indexes, self.triggers, self.virtualTables) = (tables, indexes, triggers, virtualTables)
    (self.entityRows, self.rowCounts, self.byteCount) = (entityRows, rowCounts, byteCount)
  }

  /// Reads the indexes of schema objects, in the order of the file.
  static func indexes(_ schema: [SchemaObject], in database: Database) throws -> [Index] {
    let lists = try database.makeStatement(sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" <> 0")
    var unique: Set<String> = []
    for table in Set(schema.filter { $0.type == "table" }.map(\.name)) {
      unique.formUnion(try Row.fetchAll(lists, arguments: [table]).compactMap { $0.text(0) })
    }
    let terms = try database.makeStatement(
      sql: """
        SELECT name, "desc" <> 0, upper(coll) <> 'BINARY' FROM pragma_index_xinfo(?) WHERE key <> 0 ORDER BY seqno
        """)
    return try schema.filter { $0.type == "index" }.map { object in
      let columns = try Row.fetchAll(terms, arguments: [object.name])
      return Index(
        name: object.name, table: object.table, columns: columns.map { $0.text(0) ?? "" },
        descending: Set(columns.indices.filter { columns[$0].integer(1) == 1 }),
        hasOwnCollation: columns.contains { $0.integer(2) == 1 }, isUnique: unique.contains(object.name),
        isInline: object.sql == nil, sql: object.sql)
    }
  }
}

extension StoreSnapshot {
  /// True if CloudKit mirrors the store.
  public var isMirrored: Bool { tables.contains(where: \.isOfCloudKit) }
}

extension StoreSnapshot.Table {
  /// True for the tables of CloudKit mirroring.
  public var isOfCloudKit: Bool { name.uppercased().hasPrefix("ANSCK") }

  /// True for the tables that every store has in addition to those of its model.
  public var isSystem: Bool { SystemTable(rawValue: name.uppercased()) != nil }

  /// True for the tables of persistent history and CloudKit mirroring, which Core Data manages.
  public var isService: Bool {
    ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name.uppercased()) || isOfCloudKit
  }
}

extension StoreSnapshot.EntityRow {
  /// True for the rows of persistent history and CloudKit mirroring, whose numbers begin at 16001.
  public var isService: Bool { number > 16_000 }
}

extension SQLColumn.DeclaredType {
  /// The type as SQLite reports it for a column, without the constraint.
  public var valueType: String { self == .integerPrimaryKey ? SQLColumn.DeclaredType.integer.rawValue : rawValue }
}

/// The tables that every store has in addition to those of its model.
public enum SystemTable: String, Hashable, Sendable, CaseIterable {
  case primaryKey = "Z_PRIMARYKEY"
  case metadata = "Z_METADATA"
  case modelCache = "Z_MODELCACHE"

  /// The `CREATE TABLE` statement, with Core Data's own spacing.
  public var createStatement: String {
    switch self {
    case .primaryKey:
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    case .metadata: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    case .modelCache: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
    }
  }
}
