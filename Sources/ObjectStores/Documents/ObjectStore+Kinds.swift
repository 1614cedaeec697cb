import AtomicStores
import Foundation
public import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension ObjectStore {
  /// Makes a store that is gone when nobody uses it any more, as tests want it.
  ///
  /// It is a SQLite file in the folder for temporary files; what a killed program leaves there, the next one removes.
  ///
  /// - Returns: the store, which has no objects.
  /// - Throws: `ModelStructureError`, `StoreCreationError`, `StoreError`.
  public static func inMemory(model: ManagedObjectModel) throws -> ObjectStore {
    let version = try LoadedVersion(bundle: "the model", name: "current", isCurrent: true, model: model)
    let folder = try TemporaryStoreFolder()
    let file = folder.path(of: "memory.sqlite")
    try StoreError.writingTemporaryStore(file) { try StoreCreator(of: version.hierarchy).create(at: file) }
    return try connect(
      "the store in memory", version.hierarchy, .created, OpeningOptions(), file: file, keeper: folder)
  }

  /// Opens a store of another kind than SQLite, which is there or is to be made; nil for a SQLite store.
  static func openMirrored(_ request: MigrationRequest, _ options: OpeningOptions) throws -> ObjectStore? {
    var isNew = false
    if let kind = options.kindOfMissing, !FileManager.default.fileExists(atPath: request.path) {
      guard options.createsMissing else { throw ObjectStoreError.missing(path: request.path) }
      let destination = request.destination
      let metadata = StoreMetadata(
        uuid: UUID().uuidString, versionHashes: destination.versionHashes,
        identifiers: destination.hierarchy.model.versionIdentifiers)
      let document = StoreDocument(metadata: metadata.ofSQLite.of(kind: kind.name), objects: [])
      do {
        try AtomicFile(path: request.path, SystemFiles()).create(
          with: kind.checkedBytes(of: document, model: destination.hierarchy, path: request.path))
        isNew = true
      } catch StoreCreationError.exists {
        // Another process made it at the same moment.
      }
    }
    let versions = [request.destination] + request.versions
    guard let mirror = try StoreMirror.of(request.path, kinds: options.kinds, versions: versions) else { return nil }
    var opening = StoreOpening.created
    if !isNew { opening = try migrated(mirror, request, options) }
    return try connect(
      request.path, request.destination.hierarchy, opening, options, file: mirror.store, mirror: mirror)
  }

  /// Migrates the SQLite store that stands for a file, then the file; the old file is kept under another name.
  private static func migrated(
    _ mirror: StoreMirror, _ request: MigrationRequest, _ options: OpeningOptions
  ) throws -> StoreOpening {
    guard mirror.metadata.versionHashes != request.destination.versionHashes else { return .opened }
    if options.migration == .refuse { throw ObjectStoreError.otherVersion(mirror.path, mirror.version, request) }
    let outcome = try mirror.migrate(request, report: { options.progress?($0) })
    guard outcome.result == .migrated else { return .opened }
    return StoreOpening.migrated(from: outcome.from, to: outcome.to, backup: outcome.backup)
  }
}
