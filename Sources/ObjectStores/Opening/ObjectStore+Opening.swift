import Foundation
public import ModelDescription
import ModelFiles
import PersistentStores
public import StoreMigration

extension ObjectStore {
  /// Opens a store of a model that lacks an older versions.
  ///
  /// - Parameter options: the options for opening.
  public static func open(
    _ path: String, model: ManagedObjectModel, options: OpeningOptions = OpeningOptions()
  ) throws -> ObjectStore {
    let version = try LoadedVersion(bundle: "the model", name: "current", isCurrent: true, model: model)
    return try open(MigrationRequest(path: path, versions: [version], destination: version), options: options)
  }

  /// Opens a store with the model that it contains, which needs no migration.
  ///
  /// - Parameters:
  ///   - path: the store, which must exist.
  ///   - options: the options for opening.
  /// - Throws: ``ObjectStoreError/missing(path:)``, ``ObjectStoreError/noModel(path:)``, `StoreError`.
  public static func open(at path: String, options: OpeningOptions = OpeningOptions()) throws -> ObjectStore {
    guard FileManager.default.fileExists(atPath: path) else { throw ObjectStoreError.missing(path: path) }
    guard let model = try keptModel(path, options) else { throw ObjectStoreError.noModel(path: path) }
    return try connect(path, EntityHierarchy(model), .opened, options)
  }

  /// The model that a store contains; while it is read, a store with a leftover log is locked.
  private static func keptModel(_ path: String, _ options: OpeningOptions) throws -> ManagedObjectModel? {
    let reader = try StoreReader(path: path, busyTimeout: options.busyTimeout)
    defer { reader.close() }
    return try reader.identify(among: []).model
  }

  /// Opens a store: creates a missing store, opens a current one, migrates an older one.
  ///
  /// It never deletes a store.
  ///
  /// - Parameters:
  ///   - request: the store, its versions, the destination version, and the allowed losses of a migration.
  ///   - options: the options for opening.
  /// - Throws: ``ObjectStoreError``, `StoreError`, `StoreCreationError`, `MigrationBlocked`, and other errors of a
  ///   migration; the store is then unchanged.
  public static func open(_ request: MigrationRequest, options: OpeningOptions = OpeningOptions()) throws -> ObjectStore
  {
    var request = request
    request.busyTimeout = options.busyTimeout
    if case .to(let name, let losses) = options.migration {
      guard let version = request.versions.first(where: { $0.name == name }) else {
        throw ObjectStoreError.unknownVersion(name, known: request.versions.map(\.name))
      }
      request.destination = version
      request.options.allowedLosses.formUnion(losses)
    }
    if let store = try openMirrored(request, options) { return store }
    var opening = StoreOpening.opened
    if !FileManager.default.fileExists(atPath: request.path) {
      guard options.createsMissing else { throw ObjectStoreError.missing(path: request.path) }
      do {
        try StoreCreator(of: request.destination.hierarchy, references: request.references).create(at: request.path)
        opening = .created
      } catch StoreCreationError.exists {
        // Another process made it at the same moment.
      }
    }
    if opening == .opened { opening = try migrated(request, options) }
    return try connect(request.path, request.destination.hierarchy, opening, options)
  }
}
