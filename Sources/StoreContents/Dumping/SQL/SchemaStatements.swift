import ModelDescription
import PersistentStores

struct SchemaStatements {
  private let dialect: SQLDialect
  /// The tables of objects, by root entity.
  private let targets: [String: RelationalTable]

  init(dialect: SQLDialect, tables: [RelationalTable]) {
    self.dialect = dialect
    targets = Dictionary(tables.compactMap { table in table.root.map { ($0, table) } }) { first, _ in first }
  }

  /// `CREATE TABLE`, after comments with remarks on the rows.
  func creation(of table: RelationalTable) -> String {
    var parts = table.columns.map { "  \(definition(of: $0, in: table))" }
    if table.key.count > 1 || dialect == .postgresql {
      let constraint = dialect == .postgresql ? "CONSTRAINT \(SQLIdentifier(table.keyName)) " : ""
      parts.append("  \(constraint)PRIMARY KEY (\(Self.list(table.key)))")
    }
    let remarks = table.remarks.map { "-- \(Self.comment($0))\n" }.joined()
    return "\(remarks)CREATE TABLE \(SQLIdentifier(table.name)) (\n\(parts.joined(separator: ",\n"))\n);\n"
  }

  private func definition(of column: RelationalColumn, in table: RelationalTable) -> String {
    var text = "\(SQLIdentifier(column.name)) \(column.type)"
    if dialect == .sqlite, table.key == [column.name] { return "\(text) PRIMARY KEY" }
    if column.isMandatory { text += " NOT NULL" }
    if case .value(.boolean, _) = column.content, dialect == .sqlite {
      text += " CHECK (\(SQLIdentifier(column.name)) IN (0, 1))"
    }
    if let entities = table.entities, entities.column == column.name, !entities.names.isEmpty {
      text += " CHECK (\(SQLIdentifier(column.name)) IN (\(Self.texts(entities.names))))"
    }
    if dialect == .sqlite, let reference = reference(of: column) { text += " \(reference)" }
    return text
  }

  private func reference(of column: RelationalColumn) -> String? {
    guard let reference = column.reference, let target = targets[reference.root] else { return nil }
    return """
      REFERENCES \(SQLIdentifier(target.name)) (\(Self.list(target.key))) ON DELETE \(reference.deletion.rawValue) \
      DEFERRABLE INITIALLY DEFERRED
      """
  }

  /// Foreign keys that are added to existing tables: those of PostgreSQL, which needs all tables first.
  func foreignKeys(of table: RelationalTable) -> [String] {
    guard dialect == .postgresql else { return [] }
    return table.columns.compactMap { column in
      reference(of: column).map { reference in
        "ALTER TABLE \(SQLIdentifier(table.name)) ADD FOREIGN KEY (\(SQLIdentifier(column.name))) \(reference);\n"
      }
    }
  }

  /// `CREATE INDEX` for each index.
  func indexes(of table: RelationalTable) -> [String] {
    table.indexes.map { index in
      let columns = index.columns.map { "\(SQLIdentifier($0.name))\($0.isAscending ? "" : " DESC")" }
      let entities = table.entities.map { entities in
        index.entities.isEmpty ? "" : " WHERE \(SQLIdentifier(entities.column)) IN (\(Self.texts(index.entities)))"
      }
      return """
        CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier(index.name)) ON \(SQLIdentifier(table.name)) \
        (\(columns.joined(separator: ", ")))\(entities ?? "");

        """
    }
  }

  /// A text that does not end its comment.
  static func comment(_ text: String) -> String { String(text.map { $0.isNewline || $0 == "\u{0}" ? " " : $0 }) }

  private static func list(_ names: [String]) -> String {
    names.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
  }

  private static func texts(_ names: [String]) -> String {
    names.map { "'\($0.replacing("\u{0}", with: "_").replacing("'", with: "''"))'" }.joined(separator: ", ")
  }
}

/// The databases that statements of SQL are written for.
public enum SQLDialect: String, Hashable, Sendable, CaseIterable {
  /// SQLite.
  case sqlite
  /// PostgreSQL.
  case postgresql

  var keyType: String { self == .sqlite ? "INTEGER" : "bigint" }

  func type(of type: AttributeType) -> String {
    switch (self, type) {
    case (.sqlite, .integer16), (.sqlite, .integer32), (.sqlite, .integer64), (.sqlite, .boolean): "INTEGER"
    case (.sqlite, .double), (.sqlite, .float): "REAL"
    // Its affinity keeps texts and numbers as they are.
    case (.sqlite, .date): "TIMESTAMP"
    case (.sqlite, .binary), (.sqlite, .transformable): "BLOB"
    case (.sqlite, _): "TEXT"
    case (.postgresql, .integer16): "smallint"
    case (.postgresql, .integer32): "integer"
    case (.postgresql, .integer64): "bigint"
    case (.postgresql, .boolean): "boolean"
    // The store keeps numbers of the type Float as doubles, too.
    case (.postgresql, .double), (.postgresql, .float): Self.double
    case (.postgresql, .decimal): "numeric"
    case (.postgresql, .date): "timestamptz"
    case (.postgresql, .uuid): "uuid"
    case (.postgresql, .binary), (.postgresql, .transformable): "bytea"
    case (.postgresql, _): "text"
    }
  }

  /// PostgreSQL's type of doubles.
  static let double = "double precision"

  /// The narrowest integer type that is at least as wide as an attribute's and fits the numbers.
  func type(of type: AttributeType, from least: Int64, to greatest: Int64) -> String {
    guard self == .postgresql else { return self.type(of: type) }
    if type == .integer16, Int16(exactly: least) != nil, Int16(exactly: greatest) != nil { return "smallint" }
    if type != .integer64, Int32(exactly: least) != nil, Int32(exactly: greatest) != nil { return "integer" }
    return "bigint"
  }

  /// The moments that PostgreSQL's timestamptz has, in seconds since 2001.
  static let moments = -211_845_110_400.0..<9_223_339_708_800.0
  /// The maximum number of bytes of all texts in an entry of a PostgreSQL index.
  static let longestKey = 2000
}
