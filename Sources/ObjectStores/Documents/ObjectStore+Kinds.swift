import AtomicStores
import Foundation
public import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import VersionHashing

extension ObjectStore {
  /// Creates a temporary store that is removed after its last use, for example for tests.
  ///
  /// It is an SQLite file in the folder for temporary files. The files of a killed process are removed by the next one.
  ///
  /// - Returns: the empty store.
  /// - Throws: `ModelStructureError`, `StoreCreationError`, `StoreError`.
  public static func inMemory(model: ManagedObjectModel) throws -> ObjectStore {
    let version = try LoadedVersion(bundle: "the model", name: "current", isCurrent: true, model: model)
    let folder = try TemporaryStoreFolder()
    let file = folder.path(of: "memory.sqlite")
    try StoreError.writingTemporaryStore(file) { try StoreCreator(of: version.hierarchy).create(at: file) }
    return try connect(
      "the store in memory", version.hierarchy, .created, OpeningOptions(), file: file, keeper: folder)
  }

  /// Opens or creates an atomic store; nil for an SQLite store.
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
        try AtomicFile(path: request.path, SystemFiles(), busyTimeout: options.busyTimeout).create(
          with: kind.checkedBytes(of: document, model: destination.hierarchy, path: request.path))
        isNew = true
      } catch StoreCreationError.exists {
        // Another process made it at the same moment.
      }
    }
    let versions = [request.destination] + request.versions
    let waiting = StoreMirror.Waiting(
      busyTimeout: options.busyTimeout, takesTurn: options.takesTurn, interruption: options.interruption)
    guard
      let mirror = try StoreMirror.of(request.path, kinds: options.kinds, versions: versions, waiting: waiting)
    else { return nil }
    var opening = StoreOpening.created
    if !isNew { opening = try migrated(mirror, request, options) }
    return try connect(
      request.path, request.destination.hierarchy, opening, options, file: mirror.store, mirror: mirror)
  }

  /// Migrates the SQLite copy of a file, and then the file; the old file is kept under another name.
  private static func migrated(
    _ mirror: StoreMirror, _ request: MigrationRequest, _ options: OpeningOptions
  ) throws -> StoreOpening {
    guard mirror.metadata.versionHashes != request.destination.versionHashes else { return .opened }
    if options.migration == .refuse { throw ObjectStoreError.otherVersion(mirror.path, mirror.version, request) }
    let outcome = try mirror.migrate(request, report: { options.progress?($0) })
    guard outcome.result == .migrated else { return .opened }
    return StoreOpening.migrated(from: outcome.from, to: outcome.to, backup: outcome.backup)
  }

  /// Opens a store with a known model on one connection, without creating or migrating it.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - options: the options for opening.
  /// - Throws: ``ObjectStoreError/older(path:version:wanted:)`` if the store now has another model, `StoreError`.
  package static func open(
    _ path: String, having model: ManagedObjectModel, options: OpeningOptions
  ) throws -> ObjectStore {
    let version = try LoadedVersion(bundle: "the model", name: "current", isCurrent: true, model: model)
    var options = options
    (options.createsMissing, options.migration) = (false, .refuse)
    let request = MigrationRequest(path: path, versions: [version], destination: version)
    return try openMirrored(request, options)
      ?? connect(path, version.hierarchy, .opened, options, having: request)
  }

  /// Migrates a store, or waits until another process has migrated it.
  ///
  /// It tries to open the store repeatedly, because the other process keeps it open afterwards.
  static func migrated(_ request: MigrationRequest, _ options: OpeningOptions) throws -> StoreOpening {
    var request = request
    request.busyTimeout = min(1, options.busyTimeout)
    var wait = BusyWait(path: request.path, seconds: options.busyTimeout, interruption: nil)
    return try wait.repeating { _ in
      let found = try versionHashes(of: request.path, options)
      guard found != request.destination.versionHashes else { return .opened }
      if options.migration == .refuse {
        let version = request.versions.first { $0.versionHashes == found }
        throw ObjectStoreError.otherVersion(request.path, version, request)
      }
      let outcome = try StoreMigrator(request).migrate(report: { options.progress?($0) })
      guard outcome.result == .migrated else { return .opened }
      return .migrated(from: outcome.from, to: outcome.to, backup: outcome.backup)
    }
  }

  private static func versionHashes(of path: String, _ options: OpeningOptions) throws -> VersionHashes {
    let reader = try StoreReader(path: path, busyTimeout: options.busyTimeout)
    defer { reader.close() }
    return try reader.metadata().versionHashes
  }
}
