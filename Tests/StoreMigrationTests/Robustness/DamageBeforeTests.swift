import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// Stores with one kind of damage each, migrated through every sort of step: half of them in a sample.
@Suite("Earlier errors of a store do not stop its migration") struct DamageBeforeTests {
  /// A way through the versions of ``models``.
  enum Way: Int, CaseIterable {
    /// Columns are added, and most tables stay.
    case inferred = 1
    /// An entity gets a parent, so that its rows are copied into another table.
    case moved = 2
    /// A mapping model makes every object.
    case mapped = 3
    /// All of them, one after the other.
    case all = 4

    /// True where objects are made by a mapping model, which Core Data validates.
    var hasMapping: Bool { self == .mapped || self == .all }
  }

  /// The result of a kind of damage.
  private enum Fate {
    /// It leaves, and a note says so.
    case mended
    /// The result has no more of it than the store.
    case carried
    /// The migration writes it from the model, so that it is gone.
    case rewritten
    /// It is refused, and nothing changes.
    case refused
  }

  @Test("Each kind of error that a verification knows, in place and by clone", arguments: StoreFinding.Kind.allCases)
  func kinds(_ kind: StoreFinding.Kind) throws {
    guard let (statements, fate) = damage(kind), let position = StoreFinding.Kind.allCases.firstIndex(of: kind) else {
      return
    }
    let damaged = try Self.store()
    for statement in statements { try damaged.run(statement) }
    let found = try damaged.counts(at: 0)
    #expect(found[kind] ?? 0 > 0, "\(found)")
    for way in Way.allCases where Thoroughness.isFull || (way.rawValue + position).isMultiple(of: 2) {
      for strategy in MigrationStrategy.allCases
      where Thoroughness.isFull || (way.rawValue / 2 + (strategy == .clone ? 1 : 0)).isMultiple(of: 2) {
        let store = try damaged.copy()
        store.mappings = Self.mappings(of: store, for: way)
        try migrate(store, way, strategy, kind, fate(way), found)
      }
    }
  }

  private func migrate(
    _ store: VersionedStore, _ way: Way, _ strategy: MigrationStrategy, _ kind: StoreFinding.Kind, _ fate: Fate,
    _ found: [StoreFinding.Kind: Int]
  ) throws {
    let before = try store.files()
    let migrator = store.migrator(to: way.rawValue, MigrationOptions(strategy: strategy))
    do {
      let planned = kind == .danglingReference ? try migrator.plan().prepared.notes : nil
      let outcome = try migrator.migrate()
      #expect(fate != .refused, "\(way) \(strategy)")
      let after = try store.counts(at: way.rawValue)
      let isNoted = outcome.notes.contains { if case .linksToNothing = $0 { true } else { false } }
      #expect(isNoted == (kind == .danglingReference), "\(way) \(strategy) \(outcome.notes)")
      if let planned { #expect(outcome.notes == planned, "\(way) \(strategy)") }
      switch fate {
      case .mended, .rewritten: #expect(after[kind] == nil, "\(way) \(strategy) \(after)")
      case .carried, .refused: #expect(after[kind] ?? 0 <= found[kind] ?? 0, "\(way) \(strategy) \(after)")
      }
      for (other, count) in after where other != kind {
        // What a mandatory dangling link leaves behind.
        let isLeft = kind == .danglingReference && [.missingValue, .linkCount].contains(other)
        #expect(count <= found[other] ?? 0 || isLeft, "\(way) \(strategy) \(other) \(count)")
      }
    } catch let error where fate == .refused {
      #expect(try store.files() == before, "\(way) \(strategy) \(error)")
    } catch {
      Issue.record("\(kind) \(way) \(strategy): \(error)")
    }
  }

  @Test("A dangling link of a mandatory relationship leaves the object without one, as Core Data's own does")
  func mandatory() throws {
    let store = try VersionedStore(
      [.entity("A", [], [.toOne("b", "B", inverse: nil, optional: false)]), .entity("B")],
      [.entity("A", [.optional("n")], [.toOne("b", "B", inverse: nil, optional: false)]), .entity("B")],
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 7), (2, 1, 1, 1)",
      "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)")
    let outcome = try store.migrator(keepsBackup: nil).migrate()
    #expect(try store.rows("SELECT Z_PK, ZB FROM ZA") == ["1|-", "2|1"])
    #expect(
      outcome.notes.map(\.description) == ["1 link points to an object that does not exist and is left out: A.b"])
    // What is left out of a store in place is in its backup.
    #expect(outcome.backup != nil)
  }

  /// SQL that damages a store, with its fate; nil for what no store can have that is migrated.
  private func damage(_ kind: StoreFinding.Kind) -> (sql: [String], fate: (Way) -> Fate)? {
    switch kind {
    case .damage, .versionHashes: nil
    case .staleIndex: (["stale index"], { _ in .mended })
    case .schema: (["DROP INDEX ZORDER_ZBUYER_INDEX"], { _ in .rewritten })
    case .digest: (["wrong digest"], { _ in .rewritten })
    case .cachedModel: (["INSERT INTO Z_MODELCACHE VALUES (x'01')"], { _ in .rewritten })
    case .primaryKeyMaximum: (["UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Order'"], { _ in .rewritten })
    case .unknownEntity: (["UPDATE ZPARTY SET Z_ENT = 99 WHERE Z_PK = 2"], { $0 == .inferred ? .carried : .refused })
    case .abstractEntity:
      (
        ["UPDATE ZPARTY SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Party') WHERE Z_PK = 2"],
        { _ in .carried }
      )
    case .danglingReference:
      (
        [
          "UPDATE ZORDER SET ZKEEPER = 4712 WHERE Z_PK < 3",
          "UPDATE ZBILL SET ZORDER = 4713 WHERE Z_PK = 2", "UPDATE {join} SET {first} = 4714 WHERE {first} = 1",
        ], { _ in .mended }
      )
    case .wrongDestination:
      (
        [
          """
          UPDATE ZORDER SET ZKEEPER = (SELECT MIN(Z_PK) FROM ZPARTY WHERE Z_ENT = \
          (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Man')) WHERE Z_PK = 1
          """
        ], { _ in .carried }
      )
    case .wrongDestinationNumber: (["UPDATE ZORDER SET {buyer's entity} = 99 WHERE Z_PK = 1"], { _ in .carried })
    case .oneSided: (["UPDATE ZBILL SET ZORDER = NULL"], { _ in .carried })
    case .missingValue: (["UPDATE ZORDER SET ZPLACE = NULL WHERE Z_PK = 1"], { $0.hasMapping ? .refused : .carried })
    case .linkCount: (["UPDATE ZORDER SET ZBUYER = NULL"], { $0.hasMapping ? .refused : .carried })
    case .limit: (["UPDATE ZORDER SET ZSTARS = 77 WHERE Z_PK = 1"], { _ in .carried })
    case .storageClass: (["UPDATE ZORDER SET ZSTARS = 'many' WHERE Z_PK = 1"], { _ in .carried })
    case .duplicate: (["DROP INDEX Z_Order_UNIQUE_number", "UPDATE ZORDER SET ZNUMBER = 5"], { _ in .refused })
    case .missingFile: (["missing file"], { _ in .carried })
    case .sharedFile: (["shared file"], { _ in .carried })
    case .historyEntity: (["history"], { _ in .carried })
    }
  }

  private static func models() -> [ManagedObjectModel] {
    func model(_ position: Int) -> ManagedObjectModel {
      var stars = AttributeDescription.optional("stars", .integer16)
      stars.validation.maximum = .integer(10)
      var orders = RelationshipDescription.toMany("orders", "Order", inverse: "buyer")
      orders.minCount = 1
      orders.isOptional = false
      var data = AttributeDescription.optional("data", .binary)
      data.allowsExternalBinaryDataStorage = true
      let added = (1...4).filter { $0 <= position }.map { AttributeDescription.optional("added\($0)") }
      let paper = position < 2 ? [] : [EntityDescription.entity("Paper", abstract: true, [.optional("note")])]
      return ManagedObjectModel(
        entities: [
          .entity("Bill", under: paper.first?.name, [data], [.toOne("order", "Order", inverse: "bill")]),
          .entity("Firm", under: "Party", [.optional("rank", .integer32)]),
          .entity("Man", under: "Party", [.optional("age", .integer32)]),
          .entity(
            "Order", [.required("number", .integer32), .required("place"), stars] + added,
            [
              .toOne("buyer", "Party", inverse: "orders"), .toOne("keeper", "Firm", inverse: nil),
              .toOne("bill", "Bill", inverse: "order"), .toMany("tags", "Tag", inverse: "orders"),
            ], unique: [["number"]]),
          .entity("Party", abstract: true, [.optional("name")], [orders]),
          .entity("Tag", [.optional("name")], [.toMany("orders", "Order", inverse: "tags")]),
        ] + paper)
    }
    return (0...4).map(model)
  }

  private static func store() throws -> VersionedStore { try VersionedStore(models(), rows: 4) }

  private static func mappings(of store: VersionedStore, for way: Way) -> [KnownMapping] {
    let versions = store.versions
    func copy(_ entity: String) -> EntityMapping {
      let hierarchy = versions[2].hierarchy
      let attributes = hierarchy.allAttributes(of: entity).keys.sorted()
      let relationships = hierarchy.allRelationships(of: entity).keys.sorted()
      return .map(
        entity, entity, Dictionary(uniqueKeysWithValues: attributes.map { ($0, .source($0)) }),
        Dictionary(uniqueKeysWithValues: relationships.map { ($0, .made(along: $0, of: .source($0))) }))
    }
    guard way.hasMapping else { return [] }
    return [
      KnownMapping(
        path: "v3-v4.xml", source: versions[2], destination: versions[3],
        model: MappingModel(entityMappings: ["Bill", "Firm", "Man", "Order", "Tag"].map(copy)))
    ]
  }
}

extension VersionedStore {
  /// Runs SQL, with names of the store in braces, or one of the changes that no SQL makes.
  fileprivate func run(_ statement: String) throws {
    switch statement {
    case "stale index": #expect(try IndexFault.emptied.put(into: "ZORDER_ZBUYER_INDEX", of: path))
    case "missing file", "shared file":
      let name = UUID().uuidString
      let value = "x'02\((Array(name.utf8) + [0]).map { String(format: "%02x", $0) }.joined())'"
      try execute("UPDATE ZBILL SET ZDATA = \(value) WHERE Z_PK < 3")
      guard statement == "shared file" else { return }
      let folder = ExternalData.folder(ofStore: path)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
    case "wrong digest":
      let writer = try StoreWriter(path: path)
      try writer.transaction { database in
        var entries = try StoreMetadata(reading: database, path: path).entries
        entries["NSStoreModelVersionHashesDigest"] = .string("wrong")
        try database.execute(
          sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [PropertyList.dictionary(entries).binary])
      }
      try writer.finish()
    case "history":
      try execute(
        """
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
        INSERT INTO ACHANGE VALUES (1, 16001, 1, 0, 77, 1, 1, NULL);
        """)
    default:
      var sql = statement
      if sql.contains("{") {
        let join = try rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
        let table = try #require(join.first)
        let columns = try rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
        let beside = try rows("SELECT name FROM pragma_table_info('ZORDER') WHERE name GLOB 'Z[0-9]*BUYER'")
        sql = sql.replacingOccurrences(of: "{join}", with: table)
          .replacingOccurrences(of: "{first}", with: try #require(columns.first))
          .replacingOccurrences(of: "{buyer's entity}", with: beside.first ?? "Z4_BUYER")
      }
      try execute(sql)
    }
  }

  /// How many rows each kind of finding counts.
  fileprivate func counts(at position: Int) throws -> [StoreFinding.Kind: Int] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let findings = try reader.verify(against: versions[position].hierarchy)
      .filter { !$0.description.contains("of its join table is a guess") }
    return Dictionary(findings.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
  }
}
