import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// Files of external data if a mapping model creates several values from one: each value has a file of its own.
struct FileOwnerTests {
  private static let name = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
  /// The value of a row that names the file.
  private static let reference = (Data([2]) + Data(name.utf8) + Data([0])).map { String(format: "%02x", $0) }.joined()
  private static let named = "x\(reference)"
  /// The value of a row with the bytes of the file.
  private static let inline = "x01070007"

  private static func picture(_ name: String) -> AttributeDescription {
    var attribute = AttributeDescription.optional(name, .binary)
    attribute.allowsExternalBinaryDataStorage = true
    return attribute
  }

  private static let before: [EntityDescription] = [.entity("A", [.optional("x", .integer32), picture("img")])]

  /// Two rows, of which the first has its value in the file.
  private static let rows =
    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZIMG) VALUES (1, 1, 1, 1, x'\(reference)'), (2, 1, 1, 2, x'0105')"

  private static let values: [String: ValueExpression] = ["x": .source("x"), "img": .source("img")]

  private func addFile(to store: VersionedStore) throws {
    let folder = store.directory.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7, 0, 7]).write(to: folder.appendingPathComponent(Self.name))
  }

  /// A store of the rows above, to be migrated to some entities.
  private func store(_ after: [EntityDescription]) throws -> VersionedStore {
    let store = try VersionedStore(Self.before, after, Self.rows)
    try addFile(to: store)
    return store
  }

  private static func entity(_ name: String) -> EntityDescription {
    .entity(name, [.optional("x", .integer32), picture("img")])
  }

  @Test("a split that needs consent is tried with the store's files, which are kept")
  func tried() throws {
    let store = try store([Self.entity("A"), Self.entity("Photo")])
    let picture: [String: ValueExpression] = ["img": .source("img")]
    store.mappings = [
      KnownMapping(
        path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
        model: MappingModel(entityMappings: [.map("A", "A", picture), .map("A", "Photo", picture)]))
    ]
    let files = try store.files()
    let blocked = try store.migrator(MigrationOptions()).plan().blocked
    #expect(blocked.losses.map { "\($0.loss.loss.element): \($0.count)" } == ["A.x: 2"])
    #expect(try store.files() == files)
    #expect(throws: MigrationBlocked.self) { try store.migrator(MigrationOptions()).migrate() }
    #expect(try store.files() == files)
  }

  @Test("a split leaves the file to the first object, in place and in a copy, also before another stage")
  func split() throws {
    let source = try VersionedStore([
      ManagedObjectModel(entities: Self.before),
      ManagedObjectModel(entities: [Self.entity("A"), Self.entity("Photo")]),
      ManagedObjectModel(entities: [
        Self.entity("A"), .entity("Photo", [.optional("x", .integer32), Self.picture("img"), .optional("note")]),
      ]),
    ])
    try source.execute(Self.rows)
    try source.settlePrimaryKeys()
    try addFile(to: source)
    let files = try source.files().filter { $0.key.contains("_SUPPORT") }
    for strategy in MigrationStrategy.allCases {
      for destination in [1, 2] {
        let store = try source.copy()
        store.mappings = [
          KnownMapping(
            path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
            model: MappingModel(entityMappings: [.map("A", "A", Self.values), .map("A", "Photo", Self.values)]))
        ]
        _ = try store.migrator(to: destination, MigrationOptions(strategy: strategy)).migrate()
        #expect(try store.rows("SELECT ZIMG FROM ZA ORDER BY Z_PK") == [Self.named, "x0105"])
        #expect(try store.rows("SELECT ZIMG FROM ZPHOTO ORDER BY Z_PK") == [Self.inline, "x0105"])
        #expect(try store.files().filter { $0.key.contains("_SUPPORT") } == files)
        #expect(try store.problems(at: destination) == [])
      }
    }
  }

  @Test("mappings that choose rows leave the file to the first that takes the row")
  func filters() throws {
    func trial(_ first: ValueExpression?, _ second: ValueExpression?) throws -> [String] {
      let store = try store([Self.entity("A"), Self.entity("Photo")])
      try store.execute("UPDATE ZA SET ZX = 1")
      let after = try store.mapped(
        by: MappingModel(entityMappings: [
          .map("A", "A", filter: first, Self.values), .map("A", "Photo", filter: second, Self.values),
        ]), MigrationOptions(allowedLosses: ["A"]))
      return try ["ZA", "ZPHOTO"].map { table in
        try after.rows("SELECT ZIMG FROM \(table) WHERE Z_PK = 1").first ?? "no row"
      }
    }
    let (all, none) = (ValueExpression.compare(.key("x"), .equal, .number(1)), ValueExpression.truth(false))
    #expect(try trial(all, none) == [Self.named, "no row"])
    #expect(try trial(none, all) == ["no row", Self.named])
    #expect(try trial(all, all) == [Self.named, Self.inline])
    #expect(try trial(all, nil) == [Self.inline, Self.named])
    #expect(try trial(nil, all) == [Self.named, Self.inline])
  }

  @Test("two mappings into one entity, and two attributes of one object")
  func others() throws {
    let twice = try store([Self.entity("A")]).mapped(
      by: MappingModel(entityMappings: [
        .map("A", "A", named: "first", Self.values), .map("A", "A", named: "second", Self.values),
      ]))
    #expect(try twice.rows("SELECT ZIMG FROM ZA ORDER BY Z_PK") == [Self.named, "x0105", Self.inline, "x0105"])
    let both = try store([.entity("A", [Self.picture("img"), Self.picture("small"), .optional("x", .integer32)])])
      .mapped(
        by: MappingModel(entityMappings: [
          .map("A", "A", ["x": .source("x"), "img": .source("img"), "small": .source("img")])
        ]))
    let row = try both.rows("SELECT ZIMG, ZSMALL FROM ZA WHERE Z_PK = 1")
    #expect(row == ["\(Self.named)|\(Self.inline)"] || row == ["\(Self.inline)|\(Self.named)"])
    #expect(try both.rows("SELECT ZIMG, ZSMALL FROM ZA WHERE Z_PK = 2") == ["x0105|x0105"])
  }

  @Test("a value that a TERNARY chooses leaves the file to one that has it on every row", arguments: [true, false])
  func chosen(isFirst: Bool) throws {
    let isOne = ValueExpression.compare(.source("x"), .equal, .number(1))
    let chosen: [String: ValueExpression] = [
      "x": .source("x"), "img": .conditional(isOne, then: .source("img"), else: .null),
    ]
    let mappings: [EntityMapping] = [.map("A", "Photo", chosen), .map("A", "A", Self.values)]
    let after = try store([Self.entity("A"), Self.entity("Photo")]).mapped(
      by: MappingModel(entityMappings: isFirst ? mappings : mappings.reversed()))
    #expect(try after.rows("SELECT ZIMG FROM ZA ORDER BY Z_PK") == [Self.named, "x0105"])
    #expect(try after.rows("SELECT ZIMG FROM ZPHOTO ORDER BY Z_PK") == [Self.inline, "-"])
  }

  @Test("objects that take the value of another get the bytes")
  func related() throws {
    let users = EntityDescription.entity(
      "User", [Self.picture("img")], [.toMany("items", "Item", inverse: "owner")])
    let owner = RelationshipDescription.toOne("owner", "User", inverse: "items")
    let store = try VersionedStore(
      [.entity("Item", [], [owner]), users], [.entity("Item", [Self.picture("img")], [owner]), users],
      "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZIMG) VALUES (1, 2, 1, x'\(Self.reference)')",
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZOWNER) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, NULL)")
    try addFile(to: store)
    let after = try store.mapped(
      by: MappingModel(entityMappings: [
        .map(
          "Item", "Item", ["img": .source("owner", "img")],
          ["owner": .made(by: "UserToUser", of: .source("owner"))]),
        .map("User", "User", ["img": .source("img")]),
      ]))
    #expect(try after.rows("SELECT ZIMG FROM ZITEM ORDER BY Z_PK") == [Self.inline, Self.inline, "-"])
    #expect(try after.rows("SELECT ZIMG FROM ZUSER") == [Self.named])
  }

  @Test("the only object at the other end of a one-to-one relationship keeps the file, where that leads back")
  func merged() throws {
    let store = try VersionedStore(
      [
        .entity("A", [], [.toOne("detail", "Detail", inverse: "whole")]),
        .entity("Detail", [Self.picture("img")], [.toOne("whole", "A", inverse: "detail")]),
      ],
      [.entity("A", [Self.picture("img")])],
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZDETAIL) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, NULL)",
      "INSERT INTO ZDETAIL (Z_PK, Z_ENT, Z_OPT, ZIMG, ZWHOLE) VALUES (1, 2, 1, x'\(Self.reference)', 1)")
    try addFile(to: store)
    let after = try store.mapped(
      by: MappingModel(entityMappings: [.map("A", "A", ["img": .source("detail", "img")])]),
      MigrationOptions(allowedLosses: ["Detail", "A.detail", "Detail.whole"]))
    #expect(try after.rows("SELECT ZIMG FROM ZA ORDER BY Z_PK") == [Self.named, Self.inline, "-"])
  }

  final class Twice: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      for _ in 0..<2 { try manager.createDefaultDestinationInstance(forSource: source, in: mapping) }
    }
  }

  @Test("a policy in code that makes two objects of one leaves the file to the first")
  func policy() throws {
    var policies = PolicyRegistry()
    policies.register("Twice") { Twice() }
    let after = try store([Self.entity("A")]).mapped(
      by: MappingModel(entityMappings: [.map("A", "A", Self.values, policy: "Photos.Twice")]), policies: policies)
    #expect(try after.rows("SELECT ZIMG FROM ZA WHERE ZX = 1 ORDER BY Z_PK") == [Self.named, Self.inline])
    #expect(try after.rows("SELECT ZIMG FROM ZA WHERE ZX = 2") == ["x0105", "x0105"])
  }

  @Test("a missing file stops a migration that has to read it and no other; the store is as it was")
  func missing() throws {
    let store = try VersionedStore(Self.before, [Self.entity("A"), Self.entity("Photo")], Self.rows)
    func migrate(_ entities: [EntityMapping], _ strategy: MigrationStrategy) throws {
      store.mappings = [
        KnownMapping(
          path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
          model: MappingModel(entityMappings: entities))
      ]
      _ = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    }
    let (same, more) = (EntityMapping.map("A", "A", Self.values), EntityMapping.map("A", "Photo", Self.values))
    let before = try store.files()
    for strategy in MigrationStrategy.allCases {
      let error = #expect(throws: (any Error).self) { try migrate([same, more], strategy) }
      let message = "\(try #require(error))"
      #expect(message.contains("A with Z_PK 1: $source.img: the external data file \(Self.name) is not in"))
      #expect(try store.files() == before)
    }
    try migrate([same], .clone)
    #expect(try store.rows("SELECT ZIMG FROM ZA ORDER BY Z_PK") == [Self.named, "x0105"])
  }
}
