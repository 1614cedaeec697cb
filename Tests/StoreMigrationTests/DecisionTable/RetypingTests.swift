import CSQLiteConnection
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("A column of numbers gets another declared type")
struct RetypingTests {
  private static func store(
    _ former: [AttributeDescription], _ latter: [AttributeDescription], _ statements: String...
  ) throws -> VersionedStore {
    let store = try VersionedStore([.entity("Order", former)], [.entity("Order", latter)])
    for statement in statements { try store.execute(statement) }
    try store.settlePrimaryKeys()
    return store
  }

  private static let values = """
    INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 0), (2, 1, 1, -7), (3, 1, 1, NULL), (4, 1, 1, 1099511627776)
    """

  @Test(
    "in the schema alone where its values are kept alike",
    arguments: [
      (AttributeType.integer64, AttributeType.double, ["real", "real", "null", "real"]),
      (.integer64, .float, ["real", "real", "null", "real"]),
      (.integer64, .decimal, ["integer", "integer", "null", "integer"]),
      (.integer64, .date, ["integer", "integer", "null", "integer"]),
      (.date, .double, ["real", "real", "null", "real"]), (.decimal, .double, ["real", "real", "null", "real"]),
    ])
  func schemaAlone(former: AttributeType, latter: AttributeType, types: [String]) throws {
    let store = try Self.store([.optional("size", former)], [.optional("size", latter)], Self.values)
    let cast = InferenceOptions(casts: ["Order.size"])
    let prepared = try store.migrator(to: 1, MigrationOptions(), cast).plan().prepared
    #expect(prepared.strategy == .inPlace)
    #expect(!prepared.touchesRows)
    for after in try store.migrated(allowing: [], MigrationOptions(), cast) {
      #expect(try after.rows("SELECT typeof(ZSIZE) FROM ZORDER ORDER BY Z_PK") == types)
      #expect(try after.rows("SELECT CAST(ZSIZE AS INTEGER) FROM ZORDER") == ["0", "-7", "-", "1099511627776"])
      #expect(try after.rows("PRAGMA integrity_check") == ["ok"])
      try after.execute("INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (5, 1, 1, 5)")
      #expect(try after.rows("SELECT typeof(ZSIZE) FROM ZORDER WHERE Z_PK = 5") == [types[0]])
    }
  }

  @Test("and the renaming step shows if the name is its own or a new name")
  func causes() throws {
    let store = try Self.store(
      [.optional("size", .integer32), .optional("price", .integer32)],
      [.optional("size", .double), .optional("cost", .double, was: "price")])
    let steps = try #require(try store.migrator(to: 1).plan().prepared.stages.first?.plan.steps)
    let named = steps.filter { step in
      ["ZSIZE", "ZCOST"].contains { step.statement.text.hasSuffix("TO \"\($0)\"") }
    }
    #expect(
      named.map(\.cause.description) == [
        "the column has its new type and gets its own name back", "the column's name follows the model",
      ])
  }

  @Test("with one pass over the rows where fractions may be cut off")
  func onePass() throws {
    let store = try Self.store(
      [.optional("size", .double), .optional("note")], [.optional("size", .integer32), .optional("note")],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 3.0), (2, 1, 1, NULL), (3, 1, 1, -7.5)")
    let cast = InferenceOptions(casts: ["Order.size"])
    #expect(try store.refusals(MigrationOptions(), cast) == ["Order.size 134110 1 [3] --allow-data-loss Order.size"])
    for after in try store.migrated(allowing: ["Order.size"], MigrationOptions(), cast) {
      #expect(try after.rows("SELECT typeof(ZSIZE), ZSIZE FROM ZORDER") == ["integer|3", "null|-", "integer|-7"])
    }
  }

  @Test("together with new names, which may be those of each other, and a default for empty values")
  func renamed() throws {
    let store = try Self.store(
      [.optional("size", .integer32), .optional("price", .integer32), .optional("count", .integer16)],
      [
        .optional("price", .double, was: "size"), .optional("size", .decimal, was: "price"),
        .required("count", .double, default: .double(1.5)),
      ],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZPRICE, ZCOUNT) VALUES (1, 1, 1, 3, 4, 5), (2, 1, 1, NULL, 6, NULL)"
    )
    for after in try store.migrated(allowing: [], MigrationOptions(), InferenceOptions(casts: ["Order.size"])) {
      #expect(try after.rows("SELECT ZPRICE, ZSIZE, ZCOUNT FROM ZORDER") == ["3.0|4|5.0", "-|6|1.5"])
      #expect(try after.rows("SELECT name FROM sqlite_master WHERE sql LIKE '%modelctl%'") == [])
    }
  }

  @Test(
    "by a copy if more than its name and type refers to it",
    arguments: [
      "CREATE INDEX bySize ON ZORDER (ZSIZE)", "CREATE INDEX positive ON ZORDER (Z_OPT) WHERE ZSIZE > 0",
      "CREATE INDEX byDouble ON ZORDER (ZSIZE * 2)", "CREATE VIEW sizes AS SELECT ZSIZE FROM ZORDER",
    ])
  func copied(dependant: String) throws {
    let store = try Self.store(
      [.optional("size", .integer32)], [.optional("size", .double)], Self.values, dependant)
    #expect(try store.migrator(to: 1).plan().prepared.touchesRows)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER WHERE ZSIZE > 0") == ["1099511627776.0"])
      #expect(try after.rows("PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test(
    "by a copy where its definition is not as Core Data writes it",
    arguments: [
      ("ZSIZE INTEGER", "ZSIZE INTEGER CHECK (ZSIZE <> 7)"), ("ZSIZE INTEGER", "ZSIZE  INTEGER"),
      ("ZSIZE INTEGER", "ZSIZE INTEGER DEFAULT 3"), ("ZSIZE INTEGER", "ZSIZE INT"),
      ("ZSIZE INTEGER", "[ZSIZE] INTEGER"), ("ZSIZE INTEGER", "ZSIZE INTEGER, CHECK (zsize <> 7)"),
    ])
  func oddDefinition(plain: String, odd: String) throws {
    let store = try Self.store([.optional("size", .integer32)], [.optional("size", .double)], Self.values)
    try store.rewriteSchema(plain, odd)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER") == ["0.0", "-7.0", "-", "1099511627776.0"])
    }
  }

  @Test("and a text among numbers is converted with consent alone")
  func misfits() throws {
    let store = try Self.store(
      [.optional("size", .integer32)], [.optional("size", .double)],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 3), (2, 1, 1, '3 apples')")
    for after in try store.migrated(allowing: ["Order.size"]) {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER") == ["3.0", "3.0"])
    }
    _ = try store.migrator(to: 1).migrate()
    #expect(try store.rows("SELECT ZSIZE FROM ZORDER") == ["3.0", "3 apples"])
  }

  @Test("and a program that has the store open reads the new schema")
  func openElsewhere() throws {
    let store = try Self.store([.optional("size", .integer32)], [.optional("size", .double)], Self.values)
    try store.execute("PRAGMA user_version = 1")
    let app = try DatabaseQueue(path: store.path)
    func type() throws -> String? {
      try app.writeWithoutTransaction {
        try String.fetchOne($0, sql: "SELECT typeof(ZSIZE) FROM ZORDER WHERE Z_PK = 1")
      }
    }
    try app.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    #expect(try type() == "integer")
    #expect(try store.migrator(to: 1).migrate().strategy == .inPlace)
    #expect(try type() == "real")
    try app.close()
  }
}

extension VersionedStore {
  /// Changes the text of the schema, as a program may have written it.
  fileprivate func rewriteSchema(_ former: String, _ latter: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      _ = modelctl_allow_schema_writing(database.sqliteConnection)
      try database.execute(sql: "PRAGMA writable_schema = ON")
      try database.execute(sql: "UPDATE sqlite_master SET sql = replace(sql, ?, ?)", arguments: [former, latter])
      try database.execute(sql: "PRAGMA writable_schema = RESET")
    }
    try queue.close()
    #expect(try rows("SELECT name FROM sqlite_master WHERE instr(sql, '\(latter)')") == ["ZORDER"])
  }
}
