import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("Updates and deletions in persistent history, after a migration")
struct HistoryStepsTests {
  /// A store of which every property of every object has changed once, each in a save of its own.
  private struct Changed {
    let store: VersionedStore
    private let changes: [(entity: String, bit: HistoryBitmap.Bit)]

    init(_ old: [EntityDescription], _ new: [EntityDescription], _ statements: String = "") throws {
      store = try VersionedStore(old, new)
      try store.execute(
        """
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
        """)
      try store.execute(statements)
      let hierarchy = store.versions[0].hierarchy
      let numbers = SQLStoreLayout(of: hierarchy).entityNumbers
      var changes: [(String, HistoryBitmap.Bit)] = []
      for entity in numbers {
        let bitmap = HistoryBitmap(of: entity.name, in: hierarchy)
        for bit in bitmap.bits {
          let bytes =
            switch bit {
            case .property(let name): bitmap.bytes(of: [name])
            case .incoming(let address): bitmap.bytes(of: [], incoming: [address])
            }
          changes.append((entity.name, bit))
          let hex = bytes.map { String(format: "%02x", $0) }.joined()
          try store.execute(
            "INSERT INTO ACHANGE VALUES (\(changes.count), 16001, 1, 1, \(entity.number), 1, 1, x'\(hex)')")
        }
      }
      self.changes = changes
    }

    /// The property names of an entity's updates after the migration, by their old names.
    func names(of entity: String, as destination: String? = nil, in after: VersionedStore) throws -> [String: String] {
      let bitmap = HistoryBitmap(of: destination ?? entity, in: after.versions[1].hierarchy)
      let rows = try after.rows("SELECT Z_PK, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
      var names: [String: String] = [:]
      for row in rows {
        let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let change = changes[try #require(Int(parts[0])) - 1]
        guard change.entity == entity else { continue }
        let digits = Array(parts[1])
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        names[Self.text(change.bit)] = bitmap.changes(in: Data(bytes)).map(Self.text).joined(separator: " ")
      }
      return names
    }

    private static func text(_ bit: HistoryBitmap.Bit) -> String {
      switch bit {
      case .property(let name): name
      case .incoming(let address): "->\(address)"
      }
    }
  }

  @Test("A list without inverse that moves to a superentity is still the hidden inverse of its objects")
  func pulledUp() throws {
    let list = RelationshipDescription.toMany("items", "Item", inverse: nil)
    let changed = try Changed(
      [.entity("Base"), .entity("Owner", under: "Base", [], [list]), .entity("Item", [.optional("name")])],
      [
        .entity("Base", abstract: true, [], [list]), .entity("Owner", under: "Base"),
        .entity("Item", [.optional("abc"), .optional("name")]),
      ])
    for after in try changed.store.migrated(allowing: ["Base"]) {
      #expect(try changed.names(of: "Item", in: after) == ["name": "name", "->Owner.items": "->Base.items"])
      #expect(try changed.names(of: "Owner", in: after) == ["items": "items"])
    }
  }

  @Test("A list that gets an inverse, and one that loses it, is named at its other end", arguments: [false, true])
  func inverse(isGained: Bool) throws {
    func entities(_ hasInverse: Bool) -> [EntityDescription] {
      let owner = RelationshipDescription.toOne("owner", "Owner", inverse: "items")
      return [
        .entity("Item", [.optional("name")], hasInverse ? [owner] : []),
        .entity("Owner", [], [.toMany("items", "Item", inverse: hasInverse ? "owner" : nil)]),
      ]
    }
    let changed = try Changed(entities(!isGained), entities(isGained))
    let (hidden, named) = ("->Owner.items", "owner")
    for after in try changed.store.migrated() {
      #expect(
        try changed.names(of: "Item", in: after)
          == ["name": "name", isGained ? hidden : named: isGained ? named : hidden])
    }
  }

  @Test("A relationship with links from its inverse has its new name")
  func linksOfInverse() throws {
    let changed = try Changed(
      [
        .entity("Item", [.optional("name")], [.toOne("owner", "Owner", inverse: "items")]),
        .entity("Owner", [], [.toMany("items", "Item", inverse: "owner")]),
      ],
      [
        .entity("Item", [.optional("name")], [.toOne("holder", "Owner", inverse: "items")]),
        .entity("Owner", [], [.toMany("items", "Item", inverse: "holder")]),
      ])
    for after in try changed.store.migrated() {
      #expect(try changed.names(of: "Item", in: after) == ["name": "name", "owner": "holder"])
    }
  }

  @Test("A derived attribute that is computed again has its name as before")
  func derived() throws {
    func item(_ name: String, was identifier: String? = nil) -> EntityDescription {
      .entity(
        "Item",
        [.optional("abc"), .optional(name, was: identifier), .derived("lower", .string, "lowercase:(\(name))")])
    }
    let changed = try Changed([.entity("Gone"), item("name")], [item("title", was: "name")])
    for after in try changed.store.migrated() {
      #expect(try changed.names(of: "Item", in: after) == ["abc": "abc", "name": "title", "lower": "lower"])
    }
  }

  @Test("Along a mapping model, objects of an abstract entity's list, and an entity of another name")
  func mapped() throws {
    func entities(_ item: String, _ attributes: [AttributeDescription]) -> [EntityDescription] {
      [
        .entity("Base", abstract: true, [], [RelationshipDescription.toMany("items", item, inverse: nil)]),
        .entity("Owner", under: "Base"), .entity(item, attributes),
      ]
    }
    let changed = try Changed(
      entities("Item", [.optional("a"), .optional("b")]), entities("Thing", [.optional("total"), .optional("z")]))
    let mapping = MappingModel(
      entityMappings: [
        .map("Owner", "Owner", [:], ["items": .made(along: "items", of: .source("items"))]),
        .map("Item", "Thing", ["total": .source("b")]),
      ])
    let after = try changed.store.mapped(by: mapping)
    #expect(
      try changed.names(of: "Item", as: "Thing", in: after) == ["a": "", "b": "total", "->Base.items": "->Base.items"])
  }

  @Test("History is not a row of an object: it does not block, and the store is changed in place")
  func schemaOnly() throws {
    let base = EntityDescription.entity("Base")
    let changed = try Changed(
      [base, .entity("A", under: "Base", [.optional("name")])],
      [base, .entity("A", under: "Base", [.optional("abc"), .optional("name")])],
      "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 77, 1)")
    try changed.store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
      INSERT INTO ACHANGE SELECT i, 16001, 1, 1, (SELECT ZENTITY FROM ACHANGE WHERE Z_PK = 1), 1, 1, x'80' FROM n
      """)
    let outcome = try changed.store.migrator().migrate()
    #expect(outcome.result == .migrated && outcome.strategy == .inPlace)
    #expect(try changed.store.rows("SELECT hex(ZCOLUMNS), COUNT(*) FROM ACHANGE GROUP BY 1") == ["40|12000"])
  }

  // MARK: What deletions left

  private static func kept(_ name: String, _ type: AttributeType = .string, external: Bool = false)
    -> AttributeDescription
  {
    var attribute = AttributeDescription.optional(name, type)
    attribute.preservesValueInHistoryOnDeletion = true
    attribute.allowsExternalBinaryDataStorage = external
    return attribute
  }

  /// A store of one entity with a deletion that left values.
  private func deleted(
    _ old: [AttributeDescription], _ new: [AttributeDescription], columns: [String], values: String
  ) throws -> VersionedStore {
    let store = try VersionedStore([.entity("Item", old)], [.entity("Item", new)])
    let declared = columns.map { ", \($0) BLOB" }.joined()
    try store.execute(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(declared));
      INSERT INTO ACHANGE VALUES (1, 16001, 1, 2, 1, 1, 1, NULL\(values));
      """)
    return store
  }

  @Test("A store without columns for values migrates: there are none to move")
  func noColumns() throws {
    let none = try deleted([Self.kept("name")], [.optional("name")], columns: [], values: "")
    for after in try none.migrated() {
      #expect(try after.rows("SELECT * FROM ACHANGE") == ["1|16001|1|2|1|1|1|-"])
    }
    let some = try deleted([Self.kept("name")], [Self.kept("name")] + [.optional("z")], columns: [], values: "")
    for after in try some.migrated() {
      #expect(try after.rows("SELECT * FROM ACHANGE") == ["1|16001|1|2|1|1|1|-|-"])
    }
  }

  @Test("Columns in lower case are those columns, and a table of another shape is left alone")
  func otherShapes() throws {
    let old = [Self.kept("name")]
    let new = [Self.kept("abc"), Self.kept("name")]
    let store = try deleted(old, new, columns: ["ztombstone0"], values: ", 'a'")
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE") == ["-|a"])
    }
    let other = try VersionedStore([.entity("Item", old)], [.entity("Item", new)])
    try other.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB)")
    try other.execute("INSERT INTO ACHANGE VALUES (1, x'80', 'a')")
    for after in try other.migrated() { #expect(try after.rows("SELECT * FROM ACHANGE") == ["1|x80|a"]) }
  }

  @Test("Along a mapping model a copied value is kept, and a computed one is not")
  func mappedValues() throws {
    let store = try deleted(
      [Self.kept("count", .integer16), Self.kept("price", .double), Self.kept("size", .integer16)],
      [Self.kept("cost", .double), Self.kept("length", .integer32), Self.kept("number", .integer16)],
      columns: ["ZTOMBSTONE0", "ZTOMBSTONE1", "ZTOMBSTONE2"], values: ", 3, 7.5, 4")
    let mapping = MappingModel(
      entityMappings: [
        .map(
          "Item", "Item",
          [
            "cost": .function("multiply:by:", [.source("price"), .number(100)]), "length": .source("size"),
            "number": .source("count"),
          ])
      ])
    let after = try store.mapped(by: mapping)
    #expect(try after.rows("SELECT ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2 FROM ACHANGE") == ["-|4|3"])
  }

  @Test("Binary data that may be in a file now is not kept, since its form would be another")
  func externalStorage() throws {
    let store = try deleted(
      [Self.kept("data", .binary)], [Self.kept("data", .binary, external: true)], columns: ["ZTOMBSTONE0"],
      values: ", x'0102'")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZTOMBSTONE0 FROM ACHANGE") == ["-"]) }
  }
}
