public import GRDB

extension StoreSnapshot {
  /// Reads the schema, the entity numbers and the row counts of a store.
  ///
  /// - Parameter counting: true to count rows, which reads every table once; if false, all counts are 0.
  /// - Throws: `DatabaseError` if SQLite cannot read the file.
  public init(reading database: Database, counting: Bool) throws {
    try self.init(schemaOf: database)
    if counting { try count(in: database) { _ in .rowsByEntity } }
  }

  /// The count of a table.
  package enum Counting: Hashable, Sendable {
    case nothing
    /// The number of all its rows, which count as rows of a single entity number.
    case allRows(of: Int)
    case rowsByEntity
  }

  /// Reads a store and counts the rows of some tables; the counts of other tables are 0.
  package init(reading database: Database, counting: (String) -> Counting) throws {
    try self.init(schemaOf: database)
    try count(in: database, counting)
  }

  /// Counts the rows of some tables of a store that has not changed since it was read.
  ///
  /// - Parameter other: another connection that counts half of the rows in parallel.
  package mutating func count(
    in database: Database, beside other: DatabaseQueue? = nil, _ counting: (String) -> Counting
  ) throws {
    let kinds = tables.map { counting($0.name) }
    let counts = try Self.counts(
      tables.indices.map { (tables[$0].name, tables[$0].columns, kinds[$0]) }, in: database, beside: other)
    for position in tables.indices where kinds[position] != .nothing {
      tables[position].rowCount = counts[position].values.reduce(0, +)
      if Self.hasEntities(tables[position].name, tables[position].columns) {
        rowCounts[tables[position].name] = counts[position]
      }
    }
  }

  private init(schemaOf database: Database) throws {
    let schema = try SchemaObject.all(in: database)
    let virtualTables = schema.filter(\.isVirtualTable).map(\.name)
    let structure = try SchemaStructure.recent.value(for: schema) {
      try Self.structure(schema, virtualTables, in: database)
    }
    let tables = try zip(structure.tables, structure.columns).map { table, columns in
      Table(
        name: table.name, columns: columns, rowCount: 0, sql: table.sql ?? "",
        highestPrimaryKey: try Self.highestPrimaryKey(of: table.name, columns, in: database))
    }
    self.init(
      tables: tables, indexes: structure.indexes,
      triggers: schema.filter { $0.type == "trigger" }.map {
        SQLTrigger(name: $0.name, table: $0.table, sql: $0.sql ?? "")
      },
      virtualTables: virtualTables, entityRows: try Self.entityRows(tables: tables, in: database), rowCounts: [:],
      byteCount: try Self.byteCount(of: database))
    views = try schema.filter { $0.type == "view" }.map { view in
      View(name: view.name, sql: view.sql ?? "", error: try Self.error(ofView: view.name, in: database))
    }
  }

  /// Reads the structure of a schema from SQLite.
  private static func structure(
    _ schema: [SchemaObject], _ virtualTables: [String], in database: Database
  ) throws -> SchemaStructure {
    let shadows = Set(virtualTables.flatMap { name in shadowSuffixes.map { "\(name)_\($0)" } })
    let ordinary = schema.filter { $0.type == "table" && !$0.isVirtualTable && !shadows.contains($0.name) }
    let names = Set(ordinary.map(\.name))
    return SchemaStructure(
      tables: ordinary, columns: try columns(of: ordinary.map(\.name), in: database),
      indexes: try indexes(schema.filter { names.contains($0.table) }, in: database))
  }

  /// SQLite messages about functions that only the app's connection has; SQLite renames columns even if a view uses
  /// such a function.
  private static let faultsElsewhere = ["no such function", "no such collation sequence", "unsafe use of"]

  /// The error if a view cannot be read; nil if the store is not the cause.
  private static func error(ofView name: String, in database: Database) throws -> String? {
    do {
      _ = try database.makeStatement(sql: "SELECT * FROM \(SQLIdentifier(name)) LIMIT 0")
      return nil
    } catch let error as DatabaseError {
      let message = error.message ?? "no message"
      return faultsElsewhere.contains(where: message.hasPrefix) ? nil : message
    }
  }

  /// The suffixes of the shadow tables of R-tree and full-text tables.
  private static let shadowSuffixes = [
    "node", "parent", "rowid", "content", "segments", "segdir", "docsize", "stat", "data", "idx", "config",
  ]

  /// The maximum number of entity numbers that are distinguished per table; a model has at most some hundreds.
  private static let entityLimit = 100_000

  /// True for a table whose rows have entity numbers.
  private static func hasEntities(_ table: String, _ columns: [Column]) -> Bool {
    table != "Z_PRIMARYKEY" && columns.contains { $0.name.uppercased() == "Z_ENT" }
  }

  /// Counts rows by entity number; all rows of a table without entities, and rows without a number, count as 0.
  private static func counts(
    _ tables: [(name: String, columns: [Column], counting: Counting)], in database: Database,
    beside other: DatabaseQueue?
  ) throws -> [[Int: Int]] {
    let questions = tables.map { name, columns, counting in
      { @Sendable (database: Database) throws -> [Int: Int] in
        switch counting {
        case .nothing: [:]
        case .allRows(let number): [number: try rows(of: name, in: database)]
        case .rowsByEntity where hasEntities(name, columns): try rowsByEntity(of: name, in: database)
        case .rowsByEntity: [0: try rows(of: name, in: database)]
        }
      }
    }
    guard let other else { return try questions.map { try $0(database) } }
    return try PairedQueries.answers(to: questions, in: database, beside: other)
  }

  private static func columns(of tables: [String], in database: Database) throws -> [[Column]] {
    let statement = try database.makeStatement(sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid")
    return try tables.map { table in
      try Row.fetchAll(statement, arguments: [table])
        .map { Column(name: $0.text(0) ?? "", type: ($0.text(1) ?? "").uppercased()) }
    }
  }

  private static func highestPrimaryKey(
    of table: String, _ columns: [Column], in database: Database
  ) throws -> Int64? {
    guard hasEntities(table, columns), columns.first?.name == "Z_PK" else { return nil }
    return try Row.fetchOne(database, sql: "SELECT MAX(Z_PK) FROM \(SQLIdentifier(table))")?.integer(0)
  }

  private static func rows(of table: String, in database: Database) throws -> Int {
    let row = try Row.fetchOne(database, sql: "SELECT COUNT(*) FROM \(SQLIdentifier(table)) NOT INDEXED")
    return Int(row?.integer(0) ?? 0)
  }

  /// Counts the rows of a table by entity.
  ///
  /// Most tables contain one entity, so one scan without sorting is enough; all rows are counted without a scan.
  ///
  /// Rows with a missing or invalid number count as 0, which is not the number of an entity. No index is used, so that
  /// a stale index cannot change the counts.
  private static func rowsByEntity(of table: String, in database: Database) throws -> [Int: Int] {
    let name = SQLIdentifier(table)
    let total = try rows(of: table, in: database)
    guard total > 0 else { return [:] }
    if let number = try Row.fetchOne(database, sql: "SELECT Z_ENT FROM \(name) NOT INDEXED LIMIT 1")?.integer(0),
      number > 0
    {
      let alike = try Row.fetchOne(
        database, sql: "SELECT COUNT(*) FROM \(name) NOT INDEXED WHERE Z_ENT = ?", arguments: [number])
      if alike?.integer(0) == Int64(total) { return [Int(number): total] }
    }
    var counts: [Int: Int] = [:]
    let sql = "SELECT Z_ENT, COUNT(*) FROM \(name) NOT INDEXED GROUP BY Z_ENT LIMIT \(entityLimit)"
    for row in try Row.fetchAll(database, sql: sql) {
      counts[Int(row.integer(0) ?? 0), default: 0] += Int(row.integer(1) ?? 0)
    }
    return counts
  }

  private static func entityRows(tables: [Table], in database: Database) throws -> [EntityRow] {
    guard let table = tables.first(where: { $0.name == "Z_PRIMARYKEY" }),
      Set(table.columns.map(\.name)).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])
    else { return [] }
    let rows = try Row.fetchAll(
      database, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT LIMIT \(entityLimit)")
    return rows.map { row in
      EntityRow(
        number: Int(row.integer(0) ?? 0), name: row.text(1) ?? "", superentityNumber: Int(row.integer(2) ?? 0),
        maximumPrimaryKey: row.integer(3) ?? 0)
    }
  }

  private static func byteCount(of database: Database) throws -> Int64 {
    let pages = try Row.fetchOne(database, sql: "PRAGMA page_count")?.integer(0) ?? 0
    let size = try Row.fetchOne(database, sql: "PRAGMA page_size")?.integer(0) ?? 0
    return pages.multipliedReportingOverflow(by: size).partialValue
  }
}

/// The structure of a schema, cached by its text, so that SQLite reads the columns and indexes of equal schemas only
/// once.
struct SchemaStructure: Sendable {
  /// The structures that were read last.
  static let recent = RecentValues<[SchemaObject], SchemaStructure>(capacity: 32)

  let tables: [SchemaObject]
  let columns: [[StoreSnapshot.Column]]
  let indexes: [StoreSnapshot.Index]
}
