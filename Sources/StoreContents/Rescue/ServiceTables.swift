import Foundation
import GRDB
import PersistentStores

/// The tables of persistent history and of CloudKit mirroring, which no model has, copied as they are.
struct ServiceTables {
  private let snapshot: StoreSnapshot
  private let statements: [String]

  /// - Parameter statements: those of the store's indexes.
  init(_ snapshot: StoreSnapshot, statements: [String]) {
    self.snapshot = snapshot
    self.statements = statements
  }

  /// The tables that can be copied.
  var tables: [StoreSnapshot.Table] { snapshot.tables.filter { $0.isService && !$0.columns.isEmpty } }

  /// Copies the tables with their rows, their indexes and their rows of `Z_PRIMARYKEY`.
  func copy(from source: Database, to destination: Database) throws {
    for table in tables {
      let key = table.columns.contains { $0.name.uppercased() == "Z_PK" } ? "Z_PK" : nil
      let columns = table.columns.map { column in
        let name = SQLIdentifier(column.name).quoted
        guard column.name.uppercased() != key else { return "\(name) INTEGER PRIMARY KEY" }
        let isType = column.type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "(),".contains($0)) }
        return isType ? "\(name) \(column.type)" : name
      }
      let names = table.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
      let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
      let name = SQLIdentifier(table.name).quoted
      try destination.execute(sql: "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
      let insertion = try destination.makeStatement(sql: "INSERT OR IGNORE INTO \(name) (\(names)) VALUES (\(marks))")
      let rows = try Row.fetchCursor(source, sql: "SELECT \(names) FROM \(name) NOT INDEXED")
      while let row = try rows.next() {
        try insertion.execute(arguments: StatementArguments(row.databaseValues))
      }
    }
    let names = Set(tables.map { $0.name.uppercased() })
    for sql in statements {
      let words = sql.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map { $0.uppercased() }
      guard let on = words.firstIndex(of: "ON"), on + 1 < words.count, names.contains(words[on + 1]) else { continue }
      // An index that rows or columns forbid is made by Core Data again.
      try? destination.makeStatement(sql: sql).execute()
    }
    for entity in snapshot.entityRows where entity.isService {
      try destination.execute(
        sql: "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        arguments: [entity.number, entity.name, entity.superentityNumber, entity.maximumPrimaryKey])
    }
  }
}
