import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import StoreRows
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

@Suite("Stores of every kind")
struct StoreKindsTests {
  private static let kinds = StoreKinds.builtIn.map(\.name)

  private func kind(_ name: String) throws -> any StoreKind {
    try #require(StoreKinds.builtIn.first { $0.name == name })
  }

  private static let notes = ManagedObjectModel {
    Entity("Note") {
      Attribute("text", .string)
      Relationship("tags", toMany: "Tag", inverse: "notes")
    }
    Entity("Tag") {
      Attribute("name", .string)
      Relationship("notes", toMany: "Note", inverse: "tags")
    }
  }

  @Test("It is created, written, and opened again with the written content", arguments: kinds)
  func lifetime(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    var options = OpeningOptions()
    options.kindOfMissing = try kind(name)
    let store = try ObjectStore.open(path, model: Self.notes, options: options)
    #expect(store.opening == .created)
    let id = try store.write { transaction in
      let tag = try transaction.insert("Tag", ["name": "home"])
      return try transaction.insert("Note", ["text": "Buy milk", "tags": .objects([tag])])
    }
    try store.close()
    #expect(StoreKinds.kind(ofFile: path)?.name == name)
    let again = try ObjectStore.open(path, model: Self.notes)
    #expect(again.opening == .opened)
    #expect(try again.read { try $0.object(id) }?["text"] == "Buy milk")
    #expect(try again.read { try $0.links(along: "notes", of: RecordID(entity: "Tag", key: 1)) } == [id])
    #expect(throws: SaveError.self) { try again.write { try $0.update(id, ["text": nil]) } }
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("notes"))
    try Data("another program's".utf8).write(to: folder.url.appendingPathComponent("notes"))
    #expect(throws: ObjectStoreError.replaced(path: path)) { try again.write { try $0.delete(id) } }
    try bytes.write(to: folder.url.appendingPathComponent("notes"))
    try again.write { try $0.delete(id) }
    try again.close()
    let last = try ObjectStore.open(path, model: Self.notes)
    #expect(try last.read { try $0.count(RecordRequest("Note")) } == 0)
    #expect(try last.write { try $0.insert("Note", ["text": "b"]) }.key > 0)
    try last.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["notes"])
  }

  @Test(
    "A link without an inverse is emptied in the file and in the open store when its object is deleted",
    arguments: kinds)
  func linksToNothing(_ name: String) throws {
    let model = ManagedObjectModel {
      Entity("Note") { Relationship("tag", toOne: "Tag").optional() }
      Entity("Tag") { Attribute("name", .string) }
    }
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    var options = OpeningOptions()
    options.kindOfMissing = try kind(name)
    let store = try ObjectStore.open(path, model: model, options: options)
    let tag = try store.write { try $0.insert("Tag", ["name": "home"]) }
    let note = try store.write { try $0.insert("Note", ["tag": .object(tag)]) }
    let link = LinkToNothing(object: note, relationship: "tag")
    let planned = try store.plan { try $0.delete(tag) }
    #expect(planned.linksToNothing == [link])
    #expect(try store.read { try $0.object(note) }?["tag"] == RecordValue.object(tag))
    let saved = try store.saving(isWritten: true) { try $0.delete(tag) }
    #expect(saved.linksToNothing == [link])
    #expect(try store.read { try $0.object(note) }?["tag"] == RecordValue.null)
    let next = try store.saving(isWritten: true) { _ = try $0.insert("Tag", ["name": "work"]) }
    #expect(next.linksToNothing == [])
    try store.close()
    let again = try ObjectStore.open(path, model: model)
    #expect(try again.read { try $0.object(note) }?["tag"] == RecordValue.null)
    try again.close()
  }

  @Test(
    "If several stores write together, one saves, and the others are refused because the file has changed",
    arguments: kinds)
  func race(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    var options = OpeningOptions()
    options.kindOfMissing = try kind(name)
    try ObjectStore.open(path, model: Self.notes, options: options).close()
    let stores = try (0..<6).map { _ in try ObjectStore.open(path, model: Self.notes) }
    let saved = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: stores.count) { position in
      if (try? stores[position].write { try $0.insert("Note", ["text": "a"]) }) != nil { saved.withLock { $0 += 1 } }
    }
    #expect(saved.withLock { $0 } == 1)
    for store in stores { try store.close() }
    let last = try ObjectStore.open(path, model: Self.notes)
    #expect(try last.read { try $0.count(RecordRequest("Note")) } == 1)
    try last.close()
  }

  @Test("An older one is migrated as a SQLite store is, and the old file is kept", arguments: kinds)
  func migration(_ name: String) throws {
    let versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path("Todo"))).versions
    let (first, last) = (try #require(versions.first), try #require(versions.last))
    let folder = try TemporaryFolder()
    let (sqlite, path) = (folder.path("todo.sqlite"), folder.path("todo"))
    try StoreCreator(of: first.hierarchy).create(at: sqlite, filling: SyntheticRows(seed: 5, rowsPerEntity: 9))
    try StoreConversion(first).convert(sqlite, to: path, kind: try kind(name))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    func request(_ path: String) -> MigrationRequest {
      MigrationRequest(path: path, versions: versions, destination: last)
    }
    var refusing = OpeningOptions()
    refusing.migration = .refuse
    #expect(throws: ObjectStoreError.older(path: path, version: first.name, wanted: last.name)) {
      try ObjectStore.open(request(path), options: refusing)
    }
    let store = try ObjectStore.open(request(path))
    let backup = "\(path).\(first.name).backup"
    #expect(store.opening == .migrated(from: first.name, to: last.name, backup: backup))
    try store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
    let other = try ObjectStore.open(request(sqlite))
    try other.close()
    let kind = try kind(name)
    let migrated = try kind.document(
      in: Data(contentsOf: URL(fileURLWithPath: path)), of: last.hierarchy, path: path)
    let expected = try StoreDocument(storeAt: sqlite, model: last.hierarchy)
    #expect(migrated.objects == expected.objects)
    #expect(migrated.metadata.versionHashes == last.versionHashes)
    #expect(migrated.metadata.uuid == expected.metadata.uuid)
    #expect(!expected.objects.isEmpty)
  }

  private static let place = Composite("Place") {
    Attribute("any", .undefined)
    Attribute("city", .string).optional()
  }

  private static let loose = ManagedObjectModel {
    place
    Entity("Note") {
      Attribute("text", .string).optional()
      Attribute("any", .undefined).optional()
      Attribute("must", .undefined)
      Attribute("place", .composite(place)).optional()
    }
  }

  /// Writes a store with two notes, whose attributes without a type have values.
  private func writeLoose(_ path: String, _ kind: any StoreKind, _ version: LoadedVersion) throws -> [RecordID] {
    let metadata = StoreMetadata(
      uuid: UUID().uuidString, versionHashes: version.versionHashes, identifiers: [],
      entries: ["NSStoreType": .string(kind.name)])
    let ids = [1, 2].map { RecordID(entity: "Note", key: $0) }
    let values: [String: RecordValue] = [
      "text": "a", "any": "x", "must": 3, "place": .composite(["any": 7, "city": "Bonn"]),
    ]
    let notes = ids.map { StoreDocument.Object(id: $0, values: values) }
    let bytes = try kind.bytes(of: StoreDocument(metadata: metadata, objects: notes), model: version.hierarchy)
    try bytes.write(to: URL(fileURLWithPath: path))
    return ids
  }

  private func values(
    _ id: RecordID, in path: String, _ kind: any StoreKind, _ version: LoadedVersion
  ) throws -> [String: RecordValue]? {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return try kind.document(in: bytes, of: version.hierarchy, path: path).objects.first { $0.id == id }?.values
  }

  @Test("A value without a type is kept by other saves, until you set it to nil", arguments: kinds)
  func untyped(_ name: String) throws {
    let kind = try kind(name)
    let version = try LoadedVersion(bundle: "b", name: "v", isCurrent: true, model: Self.loose)
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    let ids = try writeLoose(path, kind, version)
    let store = try ObjectStore.open(path, model: Self.loose)
    try store.write { try $0.update(ids[0], ["text": "b", "place": .composite(["city": "Ulm"])]) }
    var expected: [String: RecordValue] = [
      "text": "b", "any": "x", "must": 3, "place": .composite(["any": 7, "city": "Ulm"]),
    ]
    #expect(try values(ids[0], in: path, kind, version) == expected)
    try store.write { try $0.update(ids[0], ["place": nil, "any": "x"]) }
    expected["place"] = .composite(["any": 7])
    #expect(try values(ids[0], in: path, kind, version) == expected)
    expected["place"] = .composite(["any": 7, "city": "Ulm"])
    try store.write { try $0.update(ids[0], ["place": .composite(["any": 7, "city": "Ulm"])]) }
    #expect(try values(ids[0], in: path, kind, version) == expected)
    for wrong: RecordValue in ["y", 7] {
      #expect(throws: SaveError.self) { try store.write { try $0.update(ids[0], ["any": wrong]) } }
    }
    #expect(throws: SaveError.self) {
      try store.write { try $0.update(ids[0], ["place": .composite(["any": 8, "city": "Ulm"])]) }
    }
    #expect(throws: SaveError.self) { try store.write { try $0.update(ids[0], ["must": nil]) } }
    #expect(try values(ids[0], in: path, kind, version) == expected)
    try store.write { try $0.delete(ids[1]) }
    #expect(try values(ids[1], in: path, kind, version) == nil)
    try store.close()
    let again = try ObjectStore.open(path, model: Self.loose)
    try again.write { try $0.update(ids[0], ["any": nil]) }
    try again.close()
    expected["any"] = nil
    #expect(try values(ids[0], in: path, kind, version) == expected)
    let reader = try #require(try StoreMirror.of(path, versions: [version])).reader()
    defer { reader.close() }
    let copy = folder.path("copy")
    try StoreConversion(version).convert(reader, to: copy, kind: kind)
    #expect(try values(ids[0], in: copy, kind, version) == expected)
  }

  @Test("A migration keeps values without a type if their attribute is kept; if not, it is refused", arguments: kinds)
  func migratedUntyped(_ name: String) throws {
    let kind = try kind(name)
    let first = try LoadedVersion(bundle: "b", name: "v1", isCurrent: false, model: Self.loose)
    var model = Self.loose
    model.entities[0].attributes.append(AttributeDescription(name: "more", type: .string, isOptional: true))
    // An identifier of an entity that no version has is none: the name says which one it is.
    model.entities[0].renamingIdentifier = "Earlier"
    let second = try LoadedVersion(bundle: "b", name: "v2", isCurrent: false, model: model)
    model.entities[0].renamingIdentifier = nil
    model.entities[0].attributes.removeAll { $0.name == "any" }
    let third = try LoadedVersion(bundle: "b", name: "v3", isCurrent: true, model: model)
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    let ids = try writeLoose(path, kind, first)
    let before = try values(ids[0], in: path, kind, first)
    let versions = [first, second, third]
    try ObjectStore.open(MigrationRequest(path: path, versions: versions, destination: second)).close()
    #expect(try values(ids[0], in: path, kind, second) == before)
    var request = MigrationRequest(path: path, versions: versions, destination: third)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusal = ObjectStoreError.untyped(path: path, entity: "Note", attribute: ["any"])
    #expect(throws: refusal) { try ObjectStore.open(request) }
    #expect(refusal.advice?.text.hasSuffix("--allow-data-loss Note.any") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    request.options.allowedLosses = ["Note.any"]
    try ObjectStore.open(request).close()
    #expect(try values(ids[0], in: path, kind, third)?["must"] == 3)
  }

  @Test("Errors of an app's own about files are thrown as they are")
  func errorsOfTheApp() throws {
    let store = try ObjectStore.inMemory(model: Self.notes)
    for error in [CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC)] as [any Error] {
      let read = Result { try store.read { _ -> Void in throw error } }
      let write = Result { try store.write { _ -> Void in throw error } }
      for result in [read, write] {
        #expect(throws: CaughtError(error)) {
          do { try result.get() } catch { throw CaughtError(error) }
        }
      }
    }
  }

  @Test("A store in memory that is read elsewhere names the full folder of temporary files, too")
  func fullFolderElsewhere() async throws {
    let store = try ObjectStore.inMemory(model: Self.notes)
    let full = StoreError.temporaryFolderFull(path: FileManager.default.temporaryDirectory.path)
    await #expect(throws: full) {
      try await store.read { _ -> Void in throw DatabaseError(resultCode: .SQLITE_FULL) }
    }
  }

  @Test("A path that a link to the folder leads to is in the folder")
  func linkedFolder() throws {
    let folder = try TemporaryFolder()
    let (real, link) = (folder.path("real"), folder.path("link"))
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    #expect(StoreError.isPath("\(RealPath.of(real))/a/b", in: link))
    #expect(StoreError.isPath("\(link)/a", in: link))
    #expect(!StoreError.isPath("\(real)er/a", in: link))
  }

  @Test("Only an error of the temporary store is about a full folder of temporary files")
  func fullSource() throws {
    let version = try LoadedVersion(bundle: "b", name: "v", isCurrent: true, model: Self.loose)
    let folder = try TemporaryFolder()
    let source = StoreError.diskFull(path: folder.path("shop.sqlite"))
    func make(_ body: (String) throws -> Void) throws {
      try StoreConversion(version).make(at: folder.path("new.json"), kind: JSONStoreKind(), body)
    }
    #expect(throws: source) { try make { _ in throw source } }
    let full = StoreError.temporaryFolderFull(path: FileManager.default.temporaryDirectory.path)
    #expect(throws: full) { try make { throw StoreError.diskFull(path: $0) } }
    #expect(throws: full) {
      try make { throw StoreCreationError.failed(path: $0, error: .flush(code: ENOSPC)) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test("The content of a store of a sample model survives conversion to every type", arguments: kinds)
  func samples(_ name: String) throws {
    let kind = try kind(name)
    for model in ["Orders", "Todo", "Company", "Family", "Staff"] {
      let bundles = ModelBundle.discover(under: SampleModels.path(model))
      for version in CorpusSample.of(LoadedVersion.load(from: bundles).versions, atMost: 1) {
        let folder = try TemporaryFolder()
        let (sqlite, path) = (folder.path("a.sqlite"), folder.path("a"))
        try StoreCreator(of: version.hierarchy).create(at: sqlite, filling: SyntheticRows(seed: 3, rowsPerEntity: 12))
        let document = try StoreConversion(version).convert(sqlite, to: path, kind: kind).document
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let back = try kind.document(in: bytes, of: version.hierarchy, path: path)
        #expect(back.objects == document.objects, "\(model) \(version.name)")
        #expect(try kind.bytes(of: back, model: version.hierarchy) == bytes)
        let mirror = try #require(try StoreMirror.of(path, versions: [version]))
        #expect(throws: StoreCreationError.exists(path: path)) {
          try StoreConversion(version).convert(mirror.store, to: path, kind: kind)
        }
        let other = folder.path("b.sqlite")
        try StoreConversion(version).convert(mirror.store, to: other, kind: nil)
        #expect(try StoreDocument(storeAt: other, model: version.hierarchy).objects == document.objects)
        try compare(other, with: sqlite, version)
      }
    }
  }

  /// Compares what two stores hold by the tests' own reader.
  ///
  /// - Returns: how many objects and links were compared.
  @discardableResult
  private func compare(
    _ copy: String, with original: String, _ version: LoadedVersion
  ) throws -> (objects: Int, links: Int) {
    let before = try StoreContent(original, version.hierarchy)
    let after = try StoreContent(copy, version.hierarchy)
    #expect(after.differences(from: before).prefix(5) == [], "\(original)")
    let objects = before.graph.rows.values.reduce(0) { $0 + $1.count }
    return (objects, before.graph.links.values.reduce(0) { $0 + $1.count })
  }

  @Test(
    "The content of a store of the corpus survives conversion to every type, and the file is written again unchanged",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)), arguments: kinds)
  func corpus(_ name: String) throws {
    let kind = try kind(name)
    var (objects, links) = (0, 0)
    let (count, scope) = try CorpusStores.forEach(atMost: 4) { path, version, file in
      let folder = try TemporaryFolder()
      let (other, back) = (folder.path("other"), folder.path("back.sqlite"))
      try StoreConversion(version).convert(path, to: other, kind: kind)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
      let document = try kind.document(in: bytes, of: version.hierarchy, path: other)
      #expect(try kind.bytes(of: document, model: version.hierarchy) == bytes, "\(file.path)")
      let mirror = try #require(try StoreMirror.of(other, versions: [version]))
      let reader = try mirror.reader()
      defer { reader.close() }
      try StoreConversion(version).convert(reader, to: back, kind: nil)
      let compared = try compare(back, with: path, version)
      (objects, links) = (objects + compared.objects, links + compared.links)
    }
    print("SQLite, \(name), SQLite: \(objects) objects with \(links) links, \(scope) stores")
    #expect(count >= CorpusSample.least(44, sampled: 4))
  }

  @Test("A store in memory leaves nothing behind")
  func memory() throws {
    let folder = try used()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  /// Uses a store in memory.
  ///
  /// - Returns: the folder that its file was in.
  private func used() throws -> String {
    let store = try ObjectStore.inMemory(model: Self.notes)
    let id = try store.write { try $0.insert("Note", ["text": "a"]) }
    #expect(try store.read { try $0.object(id) }?["text"] == "a")
    let folder = URL(fileURLWithPath: store.file).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains("memory.sqlite"))
    try store.close()
    return folder
  }
}
