import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import VersionHashing

/// A store of the corpus with the schema it holds and the version hashes it records.
struct LayoutCorpusStore {
  let name: String
  let snapshot: StoreSnapshot
  let hashes: VersionHashes
  let frameworkVersion: Int64
  /// The model the store carries itself, when it has one that can be decoded.
  let cachedModel: EntityHierarchy?

  /// Stores of the corpus, read from a copy: a sample, or every one.
  static let chosen = Result { try CorpusSample.of(Corpus.sqliteStores, atMost: 30).map { try LayoutCorpusStore($0) } }

  private init(_ file: URL) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try FileManager.default.copyItem(atPath: file.path, toPath: path)
    if FileManager.default.fileExists(atPath: file.path + "-wal") {
      try FileManager.default.copyItem(atPath: file.path + "-wal", toPath: path + "-wal")
    }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    name = file.lastPathComponent
    (snapshot, hashes, frameworkVersion, cachedModel) = try queue.read { database in
      let bytes = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA") ?? Data()
      let metadata = try StoreMetadata(uuid: "", propertyList: bytes, path: path)
      let snapshot = try StoreSnapshot(reading: database, counting: false)
      var cached: EntityHierarchy?
      if try database.tableExists("Z_MODELCACHE"),
        let content = try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")
      {
        cached = try EntityHierarchy(ModelCache.decode(content))
      }
      return (snapshot, metadata.versionHashes, metadata.frameworkVersion ?? 0, cached)
    }
  }

  /// True for a store that no migration has touched: Core Data then made `Z_PRIMARYKEY` before `Z_METADATA`.
  var isFresh: Bool {
    let names = snapshot.tables.map(\.name)
    guard let primaryKey = names.firstIndex(of: "Z_PRIMARYKEY"), let metadata = names.firstIndex(of: "Z_METADATA")
    else { return false }
    return primaryKey < metadata
  }

  /// The models of the corpus by their version hashes: several, when they differ in what enters no hash.
  static func models(in folders: [String] = ["models-by-hash", "models"]) -> [VersionHashes: [EntityHierarchy]] {
    let files = folders.flatMap { folder in
      Corpus.files(in: folder) {
        ["contents", "elements"].contains(($0 as NSString).pathExtension) || $0 == "contents"
      }
    }
    var models: [VersionHashes: [EntityHierarchy]] = [:]
    for file in files {
      let read = file.pathExtension == "elements" ? ElementsReader.read(fileAt:) : ContentsReader.read(fileAt:)
      guard let model = try? read(file.path).model, let hierarchy = try? EntityHierarchy(model),
        let hashes = try? VersionHashes(of: hierarchy)
      else { continue }
      if models[hashes, default: []].contains(where: { $0.model == model }) { continue }
      models[hashes, default: []].append(hierarchy)
    }
    return models
  }
}
