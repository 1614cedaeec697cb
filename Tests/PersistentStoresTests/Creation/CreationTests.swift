import Foundation
import GRDB
import ModelDescription
import PersistentStores
import TestSupport
import Testing
import VersionHashing

/// New stores, empty and filled.
@Suite struct CreationTests {
  private let folder: TemporaryFolder
  private let uuid: UUID

  init() throws {
    folder = try TemporaryFolder()
    uuid = try #require(UUID(uuidString: "6F1C1A86-9A3C-4B8B-8E0B-0D5C4B3A2F10"))
  }

  private func creator() throws -> StoreCreator { try StoreCreator(of: EntityHierarchy(CreationModel.model)) }

  private func integer(_ sql: String, in path: String) throws -> Int? {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) }
  }

  private func texts(_ sql: String, in path: String) throws -> [String] {
    try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: sql) }
  }

  /// Every row of every table, as text.
  private func dump(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { database in
      try StoreSnapshot(reading: database, counting: false).tables.flatMap { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \(SQLIdentifier(table.name)) ORDER BY rowid")
          .map { "\(table.name) \($0)" }
      }
    }
  }

  @Test(
    "Two tables of one name are refused before anything is made",
    arguments: [
      (["Foo", "FOO"], "Foo needs the table ZFOO, but FOO already uses it; rename one of them"),
      (
        ["_PrimaryKey"],
        "_PrimaryKey needs the table Z_PRIMARYKEY, but Core Data already uses it; rename one of them"
      ),
    ])
  func tableNames(_ entities: [String], _ words: String) throws {
    let model = ManagedObjectModel(entities: entities.map { EntityDescription(name: $0) })
    let creator = try StoreCreator(of: EntityHierarchy(model))
    let error = #expect(throws: StoreCreationError.self) { try creator.create(at: folder.path("a.sqlite")) }
    #expect(error?.description == words)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func anEmptyStoreIsWhatCoreDataMakes() throws {
    let path = folder.path("Shop.sqlite")
    let creator = try creator()
    try creator.create(at: path, uuid: uuid)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Shop.sqlite"])
    let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(100)
    #expect(header[18] == 2 && header[19] == 2)
    #expect(try integer("PRAGMA page_size", in: path) == 4096)
    #expect(try integer("PRAGMA auto_vacuum", in: path) == 2)
    #expect(try texts("PRAGMA journal_mode", in: path) == ["wal"])
    #expect(try texts("PRAGMA integrity_check", in: path) == ["ok"])
    let snapshot = try DatabaseQueue(path: path).read { try StoreSnapshot(reading: $0, counting: true) }
    #expect(creator.layout.differences(from: snapshot) == [])
    #expect(snapshot.tables.map(\.name).suffix(3) == ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    #expect(snapshot.tables.map(\.rowCount).reduce(0, +) == 8 + 1)
    #expect(
      snapshot.entityRows.map { "\($0.number) \($0.name) \($0.superentityNumber) \($0.maximumPrimaryKey)" } == [
        "1 Card 0 0", "2 Line 0 0", "3 Note 0 0", "4 Order 0 0", "5 Person 0 0", "6 Customer 5 0", "7 Employee 5 0",
        "8 Tag 0 0",
      ])
    #expect(
      try texts("SELECT Z_VERSION || ' ' || Z_UUID FROM Z_METADATA", in: path) == [
        "1 6F1C1A86-9A3C-4B8B-8E0B-0D5C4B3A2F10"
      ])
  }

  @Test func theMetadataIsThatOfTheModel() throws {
    let path = folder.path("Shop.sqlite")
    try creator().create(at: path, uuid: uuid)
    let plist = try DatabaseQueue(path: path).read { try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA") }
    let metadata = try StoreMetadata(uuid: uuid.uuidString, propertyList: try #require(plist), path: path)
    let hashes = try VersionHashes(of: CreationModel.model)
    #expect(metadata.versionHashes == hashes)
    #expect(metadata.digest == hashes.digest)
    #expect(metadata.checksum == hashes.checksum)
    #expect(metadata.identifiers == [""])
    #expect(metadata.frameworkVersion == 1344)
  }

  @Test(arguments: [1, 2, 3, 10, 250])
  func rowsObeyTheModel(rows: Int) throws {
    let path = folder.path("Shop.sqlite")
    let creator = try creator()
    try creator.create(at: path, uuid: uuid, filling: SyntheticRows(seed: 7, rowsPerEntity: rows))
    let check = SyntheticStoreCheck(
      hierarchy: try EntityHierarchy(CreationModel.model), layout: creator.layout, rowsPerEntity: rows)
    #expect(try DatabaseQueue(path: path).read { try check.problems(in: $0) } == [])
    #expect(
      try integer(
        """
        SELECT COUNT(*) FROM ZORDER AS o WHERE ZLINECOUNT <> (SELECT COUNT(*) FROM ZLINE WHERE ZORDER = o.Z_PK) \
        OR ZBUYEREMAIL IS NOT (SELECT ZEMAIL FROM ZPERSON WHERE Z_PK = o.ZBUYER)
        """, in: path) == 0)
    #expect(try integer("SELECT COUNT(*) FROM Z_RT_Order_byPlace", in: path) == rows)
    #expect(
      try integer(
        """
        SELECT COUNT(*) FROM ZPERSON WHERE Z_ENT = 6 AND (LENGTH(ZCODE) NOT BETWEEN 4 AND 6 \
        OR ZLEVEL NOT BETWEEN 1 AND 5)
        """, in: path) == 0)
    #expect(try integer("SELECT COUNT(*) FROM ZORDER WHERE ZTOTAL NOT BETWEEN 0.5 AND 9", in: path) == 0)
  }

  @Test(arguments: [0, 1, 40])
  func theVerifierFindsNothing(rows: Int) throws {
    let path = folder.path("Shop.sqlite")
    try creator().create(at: path, uuid: uuid, filling: SyntheticRows(seed: 3, rowsPerEntity: rows))
    let verifier = StoreVerifier(hierarchy: try EntityHierarchy(CreationModel.model))
    let problems = try DatabaseQueue(path: path).read { database in
      try verifier.problems(in: database, path: path, externalDataFolder: ExternalData.folder(ofStore: path))
    }
    #expect(problems.map(\.description).filter { !$0.contains("of its join table is a guess") } == [])
  }

  @Test func largeValuesLieBesideTheStore() throws {
    let path = folder.path("Shop.sqlite")
    try creator().create(at: path, uuid: uuid, filling: SyntheticRows(seed: 7, rowsPerEntity: 20))
    let data = folder.url.appendingPathComponent(".Shop_SUPPORT/_EXTERNAL_DATA")
    let files = try FileManager.default.contentsOfDirectory(atPath: data.path)
    let queue = try DatabaseQueue(path: path)
    let values = try queue.read { try Data.fetchAll($0, sql: "SELECT ZSCAN FROM ZORDER WHERE ZSCAN IS NOT NULL") }
    let references = values.filter { $0.first == 0x02 }
    #expect(references.allSatisfy { $0.count == 38 && $0.last == 0x00 })
    #expect(
      Set(references.map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }) == Set(files))
    #expect(files.count == 4)
    #expect(values.filter { $0.first == 0x01 }.count == values.count - 4)
  }

  @Test func theSameSeedGivesTheSameRows() throws {
    let paths = [folder.path("a.sqlite"), folder.path("b.sqlite"), folder.path("c.sqlite")]
    for (path, seed) in zip(paths, [1, 1, 2] as [UInt64]) {
      try creator().create(at: path, uuid: uuid, filling: SyntheticRows(seed: seed, rowsPerEntity: 30))
    }
    let dumps = try paths.map { try dump($0) }
    #expect(dumps[0] == dumps[1])
    #expect(dumps[0] != dumps[2])
  }

  @Test(arguments: ["Shop.sqlite", "Shop.sqlite-wal", "Shop.sqlite-journal", ".Shop_SUPPORT"])
  func nothingIsOverwritten(name: String) throws {
    try Data("mine".utf8).write(to: folder.url.appendingPathComponent(name))
    #expect(throws: StoreCreationError.exists(path: folder.path(name))) {
      try creator().create(at: folder.path("Shop.sqlite"), uuid: uuid)
    }
    #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == Data("mine".utf8))
  }

  @Test func anInterruptedStoreLeavesNothing() throws {
    let path = folder.path("Shop.sqlite")
    #expect(throws: StoreCreationError.interrupted(path: path)) {
      try creator().create(
        at: path, uuid: uuid, filling: SyntheticRows(seed: 1, rowsPerEntity: 1000), interruption: { true })
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func moreRowsThanValuesAreRefused() throws {
    let flag = EntityDescription(
      name: "Flag", attributes: [AttributeDescription(name: "isOn", type: .boolean)],
      uniquenessConstraints: [["isOn"]])
    let creator = try StoreCreator(of: EntityHierarchy(ManagedObjectModel(entities: [flag])))
    #expect(throws: StoreCreationError.tooFewValues(entity: "Flag", constraint: ["isOn"], values: 2, rows: 3)) {
      try creator.create(
        at: folder.path("f.sqlite"), uuid: uuid, filling: SyntheticRows(seed: 1, rowsPerEntity: 3))
    }
    #expect(throws: StoreCreationError.folder(path: "/nowhere/f.sqlite")) {
      try creator.create(at: "/nowhere/f.sqlite", uuid: uuid)
    }
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func everyModelOfTheCorpusCanBeFilled() throws {
    var count = 0
    let models = LayoutCorpusStore.models(in: ["models-by-hash"]).sorted { $0.key.digest < $1.key.digest }
    let chosen = CorpusSample.of(models.compactMap(\.value.first), atMost: 10)
    for hierarchy in chosen {
      let path = folder.path("\(count).sqlite")
      let creator = try StoreCreator(of: hierarchy)
      try creator.create(at: path, uuid: uuid, filling: SyntheticRows(seed: UInt64(count), rowsPerEntity: 12))
      let check = SyntheticStoreCheck(hierarchy: hierarchy, layout: creator.layout, rowsPerEntity: 12)
      let verifier = StoreVerifier(hierarchy: hierarchy)
      let problems = try DatabaseQueue(path: path).read { database in
        try check.problems(in: database)
          + verifier.problems(
            in: database, path: path, externalDataFolder: ExternalData.folder(ofStore: path), checkingIntegrity: false
          ).map(\.description)
      }
      #expect(
        problems.filter { !$0.contains("of its join table is a guess") } == [],
        "\(hierarchy.model.entities.map(\.name).prefix(5))")
      count += 1
    }
    print("filled stores of \(CorpusSample.scope(count, of: models.count)) models")
    #expect(count > CorpusSample.least(100, sampled: 8))
  }
}
