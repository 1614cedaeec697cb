import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

@Suite("The files of external data of a backup")
struct BackupFilesTests {
  private static let kept = ".Store.sqlite.v1_SUPPORT/_EXTERNAL_DATA/"

  private static func store() throws -> VersionedStore {
    var picture = AttributeDescription.optional("picture", .binary)
    picture.allowsExternalBinaryDataStorage = true
    return try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Photo", [picture, .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [.entity("Photo", [picture, .optional("size", .double)])]),
      ], rows: 24)
  }

  private static func migrator(_ store: VersionedStore, _ strategy: MigrationStrategy, _ code: Int32) -> StoreMigrator {
    var request = store.migrator(MigrationOptions(strategy: strategy), keepsBackup: true).request
    request.files = LinklessFiles(code: code)
    return StoreMigrator(request)
  }

  /// Expects the store of before, of which SQLite's counter alone may have changed, and no other file.
  private static func check(_ store: VersionedStore, is before: [String: Data]) throws {
    let after = try store.files()
    #expect(after.filter { $0.key != "Store.sqlite" } == before.filter { $0.key != "Store.sqlite" })
    #expect(try store.problems(at: 0) == [])
  }

  @Test("They are copied where they can have no second name", arguments: MigrationStrategy.allCases)
  func copied(_ strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let before = try store.files()
    _ = try Self.migrator(store, strategy, EXDEV).migrate()
    let after = try store.files()
    let pictures = before.filter { $0.key.contains("_EXTERNAL_DATA/") }
    try #require(!pictures.isEmpty)
    for (name, content) in pictures {
      let place = Self.kept + URL(fileURLWithPath: name).lastPathComponent
      #expect(after[place] == content)
      let links = try FileManager.default.attributesOfItem(atPath: "\(store.directory.path)/\(place)")[.referenceCount]
      #expect((links as? NSNumber)?.intValue == 1)
    }
    #expect(after.count == before.count + pictures.count + 1)
  }

  @Test("If they cannot be kept, nothing is migrated, and no file is left", arguments: MigrationStrategy.allCases)
  func refused(_ strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let before = try store.files()
    #expect {
      try Self.migrator(store, strategy, EIO).migrate()
    } throws: { error in
      "\(error)".contains("the external data of the backup cannot be kept")
    }
    try Self.check(store, is: before)
    #expect(!FileManager.default.fileExists(atPath: store.directory.path + "/.Store.sqlite.v1_SUPPORT"))
  }

  @Test("A file of the same name with other content is left alone, and nothing is migrated")
  func foreign() throws {
    let store = try Self.store()
    let picture = try #require(try store.files().keys.first { $0.contains("_EXTERNAL_DATA/") })
    let place = store.directory.appendingPathComponent(Self.kept + URL(fileURLWithPath: picture).lastPathComponent)
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: place)
    let before = try store.files()
    #expect(throws: MigrationError.self) { try Self.migrator(store, .clone, EXDEV).migrate() }
    try Self.check(store, is: before)
  }

  /// True from the moment on at which the copy of a backup has got its name.
  private final class Publication: @unchecked Sendable {
    private let folder: String
    private let lock = NSLock()
    private var isSeen = false

    init(in folder: String) { self.folder = folder }

    var isDone: Bool {
      lock.withLock {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let isThere = names.contains { $0.hasPrefix(".Store.sqlite.modelctl-") }
        isSeen = isSeen || isThere
        return isSeen && !isThere
      }
    }
  }

  @Test("A repair that is stopped takes away the backup that it made, and none that was there before")
  func repair() throws {
    // So many rows that the verification in the transaction asks whether to stop.
    let model = ManagedObjectModel(entities: [.entity("Photo", [.optional("size", .integer32)])])
    let store = try VersionedStore([model], rows: 20_000)
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    let before = try store.files()
    let wrong = [StoreFinding(.primaryKeyMaximum, sentence: "wrong")]
    let repair = StoreRepair(of: store.path, model: store.versions[0].hierarchy)
    func stop() {
      let publication = Publication(in: store.directory.path)
      #expect(throws: StoreError.interrupted(path: store.path)) { try repair.run(wrong) { publication.isDone } }
    }
    stop()
    #expect(Set(try store.files().keys) == Set(before.keys))
    let backup = try #require(try repair.run(wrong).backup)
    #expect(FileManager.default.fileExists(atPath: backup))
    // The store is as it was, and its backup is taken again.
    try FileManager.default.removeItem(atPath: store.path)
    try FileManager.default.copyItem(atPath: backup, toPath: store.path)
    let kept = try store.files()
    stop()
    #expect(Set(try store.files().keys) == Set(kept.keys))
    let name = URL(fileURLWithPath: backup).lastPathComponent
    #expect(try store.files()[name] == kept[name])
  }

  @Test("A name of another form than Core Data's may be anybody's who is there")
  func otherNames() throws {
    let store = try Self.store()
    #expect(ExternalFileOwners(ofStore: store.path).namedByNeighbours(["a name"]) == [])
    let copy = store.directory.appendingPathComponent("Store.db")
    try FileManager.default.copyItem(atPath: store.path, toPath: copy.path)
    let unknown = UUID().uuidString
    #expect(ExternalFileOwners(ofStore: store.path).namedByNeighbours(["a name", unknown]) == ["a name"])
  }
}

/// Answers that a file of external data can have no second name.
private struct LinklessFiles: FileOperations {
  let code: Int32
  private var files: SystemFiles { SystemFiles() }

  init(code: Int32) { self.code = code }

  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
    try files.create(path, like: model)
  }
  func createFolder(_ path: String, like model: String?) throws(FileError) {
    try files.createFolder(path, like: model)
  }
  func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
    try files.write(data, to: path, like: model)
  }
  func append(_ data: Data, to path: String) throws(FileError) { try files.append(data, to: path) }
  func link(_ path: String, to name: String) throws(FileError) {
    if name.contains("_EXTERNAL_DATA") { throw FileError(code: code) }
    try files.link(path, to: name)
  }
  func rename(_ path: String, to name: String) throws(FileError) { try files.rename(path, to: name) }
  func remove(_ path: String) throws(FileError) { try files.remove(path) }
  func synchronize(_ path: String) throws(FileError) { try files.synchronize(path) }
}
