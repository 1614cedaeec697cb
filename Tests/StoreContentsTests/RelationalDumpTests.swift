import AtomicStores
import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("The objects of a store as a relational database", .serialized)
struct RelationalDumpTests {
  private func script(_ path: String, _ model: EntityHierarchy, _ dialect: SQLDialect, to place: String) throws {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    try StoreDump(as: .sql(dialect)).write(reader, of: model, to: place)
  }

  // MARK: Comparing

  /// A column whose values are compared, and the property that it is.
  private struct Column {
    let name: String
    let property: [String]
  }

  /// The columns of a table of which no two properties want one name.
  private func columns(of root: String, in model: EntityHierarchy) -> [Column] {
    var wishes: [String: [Column]] = [:]
    for entity in model.family(of: root) {
      let inherited = model.superentity(of: entity.name).map { model.allAttributes(of: $0.name) } ?? [:]
      for attribute in entity.attributes where !attribute.isTransient && inherited[attribute.name] == nil {
        for leaf in attribute.leaves where leaf.attribute.type != .undefined {
          let name = leaf.path.joined(separator: "_")
          wishes[name.lowercased(), default: []].append(Column(name: name, property: leaf.path))
        }
      }
      let links = model.superentity(of: entity.name).map { model.allRelationships(of: $0.name) } ?? [:]
      for link in entity.relationships where !link.isToMany && !link.isTransient && links[link.name] == nil {
        let name = "\(link.name)_id"
        wishes[name.lowercased(), default: []].append(Column(name: name, property: [link.name]))
      }
    }
    let system = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
    return wishes.values.filter { $0.count == 1 && $0[0].name.utf8.count < 60 && !system.contains($0[0].name) }
      .flatMap { $0 }.sorted { $0.name < $1.name }
  }

  private func keyColumn(of root: String, in model: EntityHierarchy) -> String {
    let isTaken = model.family(of: root).contains { entity in
      entity.attributes.contains { $0.name.lowercased() == "id" && !$0.isTransient }
    }
    return isTaken ? "id_2" : "id"
  }

  /// Compares every object of a store with the row of its key.
  ///
  /// - Returns: how many values were compared.
  private func compare(
    _ path: String, _ version: LoadedVersion, _ what: String,
    rows: (String, [String]) throws -> [[String?]]
  ) throws -> Int {
    let model = version.hierarchy
    let document = try StoreDocument(storeAt: path, model: model)
    let keys = Set(document.objects.map(\.id))
    var compared = 0
    let objects = Dictionary(grouping: document.objects) { model.rootName(of: $0.id.entity) }
    for root in model.roots.map(\.name) {
      let columns = columns(of: root, in: model)
      let found = try rows(root, [keyColumn(of: root, in: model)] + columns.map(\.name))
      let held = Dictionary(uniqueKeysWithValues: (objects[root] ?? []).map { ($0.id.key, $0) })
      #expect(found.count == held.count, "\(what) \(root)")
      for row in found {
        let key = try #require(row[0].flatMap { Int64($0) })
        let object = try #require(held[key], "\(what) \(root) \(key)")
        for (column, text) in zip(columns, row.dropFirst()) {
          let value = column.property.reduce(RecordValue?.some(.composite(object.values))) { value, name in
            guard case .composite(let elements)? = value else { return nil }
            return elements[name]
          }
          var isDangling = false
          if case .object(let target)? = value { isDangling = !keys.contains(target) }
          #expect(
            isDangling ? text == nil : Self.isEqual(text, value),
            "\(what) \(object.id) \(column.name): \(text ?? "nil")")
          compared += 1
        }
      }
    }
    return compared
  }

  private static func isEqual(_ text: String?, _ value: RecordValue?) -> Bool {
    guard let value, value != .null else { return text == nil }
    guard let text else { return false }
    switch value {
    case .attribute(.integer(let number)): return Int64(text) == number
    case .attribute(.boolean(let flag)): return (text == "1" || text == "true") == flag && text.count < 6
    case .attribute(.double(let number)): return Double(text) == number
    case .attribute(.decimal(let number)): return number.isNaN ? text == "NaN" : Decimal(string: text) == number
    case .attribute(.string(let string)), .attribute(.uri(let string)): return text == string
    case .attribute(.uuid(let uuid)): return UUID(uuidString: text) == uuid
    case .attribute(.binary(let data)), .transformed(let data):
      return text.drop { $0 == "\\" || $0 == "x" } == data.map { String(format: "%02x", $0) }.joined()
    case .attribute(.date(let seconds)): return isEqual(text, seconds: seconds)
    case .object(let id): return Int64(text) == id.key
    default: return false
    }
  }

  private static func isEqual(_ text: String, seconds: Double) -> Bool {
    if let number = Double(text) { return number == seconds }
    if text.hasSuffix("infinity") { return seconds.isInfinite }
    let iso = text.hasSuffix("+00") ? "\(text.dropLast(3).replacing(" ", with: "T"))Z" : text
    guard let moment = ISO8601Date.secondsSinceReferenceDate(iso) else {
      // Years of five digits, and those before the first.
      return text.contains("BC") || text.prefix { $0 != "-" }.count > 4
    }
    return text.hasSuffix("Z") ? moment == seconds : abs(moment - seconds) <= max(1e-6, abs(seconds) * 1e-15)
  }

  // MARK: SQLite

  private func loadSQLite(_ path: String, _ version: LoadedVersion) throws -> Int {
    let folder = try TemporaryFolder()
    let place = folder.path("script.sql")
    try script(path, version.hierarchy, .sqlite, to: place)
    let queue = try DatabaseQueue(path: folder.path("plain.sqlite"))
    return try queue.inDatabase { database in
      try database.execute(sql: String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8))
      #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty, "\(path)")
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      #expect(try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") == true)
      return try compare(path, version, "SQLite") { table, columns in
        let names = columns.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
        return try Row.fetchAll(database, sql: "SELECT \(names) FROM \(SQLIdentifier(table))").map { row in
          row.databaseValues.map { value in
            switch value.storage {
            case .null: nil
            case .int64(let number): "\(number)"
            case .double(let number): "\(number)"
            case .string(let text): text
            case .blob(let data): data.map { String(format: "%02x", $0) }.joined()
            }
          }
        }
      }
    }
  }

  @Test("SQLite has every value of every type", arguments: 1...UInt64(CorpusSample.isWhole ? 6 : 2))
  func everyType(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let version = try DumpSamples.version()
    var document = try DumpSamples.document(seed: seed)
    // GRDB gives texts up to a NUL only.
    document = Self.withoutNUL(document)
    try document.makeStore(at: path, version: version)
    #expect(try loadSQLite(path, version) > 400)
  }

  private static func withoutNUL(_ document: StoreDocument) -> StoreDocument {
    func cleared(_ value: RecordValue) -> RecordValue {
      switch value {
      case .attribute(.string(let text)): .attribute(.string(text.replacing("\u{0}", with: "0")))
      case .composite(let elements): .composite(elements.mapValues(cleared))
      default: value
      }
    }
    var document = document
    for position in document.objects.indices {
      document.objects[position].values = document.objects[position].values.mapValues(cleared)
    }
    return document
  }

  @Test("SQLite takes every version of the sample models, with foreign keys on")
  func samples() throws {
    var values = 0
    let count = try DumpSamples.forEachSample(rows: 30) { values += try loadSQLite($0, $1) }
    print("SQLite: \(count) stores of sample models, \(values) values equal")
    #expect(count > CorpusSample.least(10, sampled: 4) && values > CorpusSample.least(1000, sampled: 500))
  }

  @Test("SQLite takes stores of apps, with foreign keys on", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    var values = 0
    let (_, scope) = try CorpusStores.forEach(atMost: 1) { path, version, _ in
      values += try loadSQLite(path, version)
    }
    print("SQLite: \(scope) stores of the corpus, \(values) values equal")
    #expect(values > 100)
  }

  // MARK: PostgreSQL

  private static let absence: Comment = "no PostgreSQL is installed: apt-get install postgresql"

  private func loadPostgres(_ path: String, _ version: LoadedVersion, _ server: PostgresServer) throws -> Int {
    let folder = try TemporaryFolder()
    let place = folder.path("script.sql")
    do {
      try script(path, version.hierarchy, .postgresql, to: place)
    } catch DumpError.nul {
      return 0
    }
    let problem = try server.load(place)
    #expect(problem == "", "\(path)")
    guard problem.isEmpty else { return 0 }
    return try compare(path, version, "PostgreSQL") { table, columns in
      let names = columns.map { "\(SQLIdentifier($0).quoted)::text" }.joined(separator: ", ")
      let text = try server.rows("SELECT \(names) FROM \(SQLIdentifier(table))")
      return CSVTable(text).rows.map { row in row.map { $0.text.isEmpty && !$0.isQuoted ? nil : $0.text } }
    }
  }

  /// How many foreign keys a model's links come to: one a to-one relationship, two a table of links.
  private func foreignKeys(of model: EntityHierarchy) -> Int {
    var count = 0
    for entity in model.model.entities {
      let inherited = model.superentity(of: entity.name).map { model.allRelationships(of: $0.name) } ?? [:]
      for link in entity.relationships where !link.isTransient && inherited[link.name] == nil {
        let others = link.destinationEntityName.map { model.allRelationships(of: $0) } ?? [:]
        let inverse = link.inverseName.flatMap { others[$0]?.property }
        switch inverse?.isToMany {
        case _ where !link.isToMany: count += 1
        case nil: count += 2
        // The two sides of a table of links count one each.
        case true?: count += inverse == link ? 2 : 1
        case false?: break
        }
      }
    }
    return count
  }

  private func expectForeignKeys(of model: EntityHierarchy, on server: PostgresServer, _ what: String) throws {
    let count = try server.rows("SELECT count(*) FROM pg_constraint WHERE contype = 'f'")
    #expect(count.trimmingCharacters(in: .newlines) == "\(foreignKeys(of: model))", "\(what)")
  }

  @Test("PostgreSQL takes all of them, too", .enabled(if: PostgresServer.programs != nil, absence))
  func postgres() throws {
    let server = try PostgresServer()
    let folder = try TemporaryFolder()
    let typed = try DumpSamples.version()
    var (values, stores) = (0, 0)
    for seed in 1...UInt64(CorpusSample.isWhole ? 4 : 2) {
      let path = folder.path("store\(seed).sqlite")
      try Self.withoutNUL(DumpSamples.document(seed: seed)).makeStore(at: path, version: typed)
      let count = try loadPostgres(path, typed, server)
      #expect(count > 400)
      (values, stores) = (values + count, stores + 1)
      try expectForeignKeys(of: typed.hierarchy, on: server, "seed \(seed)")
    }
    for statement in ["UPDATE \"Item\" SET owner_id = 999", "INSERT INTO \"Item_friends\" VALUES (999, 999)"] {
      #expect(try server.run(statement).contains("violates foreign key constraint"), "\(statement)")
    }
    stores += try DumpSamples.forEachSample(rows: 20) { path, version in
      values += try loadPostgres(path, version, server)
      try expectForeignKeys(of: version.hierarchy, on: server, version.name)
    }
    var scope = "no corpus"
    if Corpus.isPresent {
      let corpus = try CorpusStores.forEach(atMost: 1) { path, version, _ in
        values += try loadPostgres(path, version, server)
      }
      scope = corpus.scope
    }
    print("PostgreSQL: \(stores) stores of sample models, corpus: \(scope), \(values) values equal")
    #expect(values > CorpusSample.least(2000, sampled: 800))
  }

  // MARK: Schema

  @Test("The schema of a shop: keys, links, orders, delete rules and violations")
  func schema() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try ShopModel.make(path, customers: 3, orders: 4, tags: 2, seed: 4).close()
    let model = try EntityHierarchy(ShopModel.model)
    let place = folder.path("script.sql")
    try script(path, model, .sqlite, to: place)
    let text = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
    #expect(
      text.contains(
        """
        CREATE TABLE "Customer" (
          "id" INTEGER PRIMARY KEY,
          "entity" TEXT NOT NULL CHECK ("entity" IN ('Customer', 'Member')),
          "age" INTEGER,
          "email" TEXT,
          "photo" BLOB,
          "number" INTEGER
        );
        CREATE TABLE "Order" (
          "id" INTEGER PRIMARY KEY,
          "note" TEXT,
          "customer_id" INTEGER NOT NULL REFERENCES "Customer" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "customer_position" INTEGER,
          "former_id" INTEGER REFERENCES "Order" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "next_id" INTEGER REFERENCES "Order" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
        );
        """))
    #expect(
      text.contains("CREATE TABLE \"Order_tags\" (\n  \"Order_id\" INTEGER NOT NULL REFERENCES \"Order\" (\"id\")"))
    #expect(text.contains("  \"orders_position\" INTEGER NOT NULL,\n  PRIMARY KEY (\"Order_id\", \"tags_id\")\n"))
    #expect(text.contains("CREATE UNIQUE INDEX \"Customer_email_unique\" ON \"Customer\" (\"email\");"))
    #expect(text.contains("-- rows: Customer 3, Order 4, Tag 2\n"))
    try DatabaseQueue(path: path).inDatabase { database in
      try database.execute(sql: "UPDATE ZORDER SET ZCUSTOMER = 99 WHERE Z_PK = 1")
      try database.execute(sql: "DROP INDEX IF EXISTS Z_Customer_UNIQUE_email; UPDATE ZCUSTOMER SET ZEMAIL = 'same'")
    }
    let broken = folder.path("broken.sql")
    try script(path, model, .sqlite, to: broken)
    let other = try String(contentsOf: URL(fileURLWithPath: broken), encoding: .utf8)
    #expect(other.contains("-- customer_id is not declared NOT NULL: rows without a value: 1\n"))
    #expect(other.contains("-- email is not UNIQUE: rows have equal values\n"))
    _ = try loadSQLite(path, LoadedVersion(bundle: "", name: "", isCurrent: true, model: ShopModel.model))
  }

  @Test("Names that collide, that a database keeps for itself, or that are long, become others")
  func names() throws {
    let long = String(repeating: "é", count: 40)
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: ["xmin", "Note", "note_2", "id", long, "customer_id", "rowid"].map {
          AttributeDescription(name: $0, type: .string, isOptional: true)
        },
        relationships: [
          RelationshipDescription(name: "customer", destinationEntityName: "a", isOptional: true, maxCount: 1)
        ]),
      EntityDescription(
        name: "B", superentityName: "A",
        attributes: [AttributeDescription(name: "note", type: .integer16, isOptional: true)]),
      EntityDescription(
        name: "sqlite_master", attributes: [AttributeDescription(name: "a\"b", type: .string, isOptional: true)]),
      EntityDescription(name: "a_key", attributes: [AttributeDescription(name: "x", type: .string, isOptional: true)]),
      EntityDescription(name: "a", isAbstract: true),
    ])
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    var found: [String: String] = [:]
    let usable = ManagedObjectModel(entities: model.entities.filter { $0.name != "a" })
    var entities = usable.entities
    entities[0].relationships[0].destinationEntityName = "A"
    let hierarchy = try EntityHierarchy(ManagedObjectModel(entities: entities))
    try StoreCreator(of: hierarchy).create(at: path, filling: SyntheticRows(seed: 1, rowsPerEntity: 3))
    let server = try PostgresServer.programs.map { _ in try PostgresServer() }
    for dialect in SQLDialect.allCases {
      let place = folder.path("\(dialect).sql")
      try script(path, hierarchy, dialect, to: place)
      found[dialect.rawValue] = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
    }
    let sqlite = try #require(found["sqlite"])
    #expect(
      sqlite.contains("\"Note\" TEXT") && sqlite.contains("\"note_2\" TEXT") && sqlite.contains("\"note_3\" INTEGER"))
    #expect(sqlite.contains("\"id\" TEXT") && sqlite.contains("\"id_2\" INTEGER PRIMARY KEY"))
    #expect(sqlite.contains("\"customer_id\" TEXT") && sqlite.contains("\"customer_id_2\" INTEGER REFERENCES"))
    #expect(sqlite.contains("CREATE TABLE \"_sqlite_master\" (") && sqlite.contains("\"a\"\"b\" TEXT"))
    #expect(sqlite.contains("\"\(String(repeating: "é", count: 31))\" TEXT"))
    #expect(found["postgresql"]?.contains("\"xmin_2\" text") == true)
    try DatabaseQueue().inDatabase { try $0.execute(sql: sqlite) }
    if let server { #expect(try server.load(folder.path("postgresql.sql")) == "") }
  }

  @Test("PostgreSQL does not accept NUL, and this is reported before anything is written; SQLite accepts it")
  func nul() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let version = try DumpSamples.version()
    var document = Self.withoutNUL(try DumpSamples.document(seed: 2))
    let position = try #require(document.objects.firstIndex { $0.id.entity == "Item" })
    document.objects[position].values["text"] = .attribute(.string("a\u{0}b"))
    try document.makeStore(at: path, version: version)
    let place = folder.path("out.sql")
    let id = document.objects[position].id
    #expect(throws: DumpError.nul(object: "\(id)", property: "text")) {
      try script(path, version.hierarchy, .postgresql, to: place)
    }
    try script(path, version.hierarchy, .sqlite, to: place)
    let text = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
    #expect(text.contains("CAST(X'610062' AS TEXT)"))
    try DatabaseQueue().inDatabase { database in
      try database.execute(sql: text)
      let sql = "SELECT hex(text) FROM \"Item\" WHERE \"id_2\" = ?"
      #expect(try String.fetchOne(database, sql: sql, arguments: [id.key]) == "610062")
    }
  }
}
