public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
public import ModelFiles
public import PersistentStores

/// Makes a new store from all readable data of a store that does not open.
///
/// The store is only read. Data that SQLite cannot read is read page by page.
///
/// ```swift
/// let workspace = try Workspace(at: "Models").load()
/// let rescue = try workspace.rescue(of: "store.sqlite")
/// let outcome = try rescue.run(to: "store.rescued.sqlite")
/// print(outcome.causes, outcome.entities, outcome.findings)
/// ```
public struct StoreRescue: Sendable {
  /// Migrates the new store from the version it was read with, and returns the resulting version.
  package typealias Migration = @Sendable (_ store: String, _ version: LoadedVersion) throws -> MigratedRescue

  /// The store's path.
  public let path: String
  /// The versions that the store may be of.
  public let versions: [LoadedVersion]
  /// Whether the app opens the store with the union of the versions' bundles.
  public var mergesBundles = false
  /// The version to read a store with if its metadata does not name one; nil for the version that fits its tables best.
  public var assumed: LoadedVersion?
  /// The kinds that the store may be of.
  public var kinds = StoreKinds.builtIn
  /// The known names of join tables of entities with themselves.
  public var references: [JoinNameReference] = []
  /// The number of seconds to wait for another process.
  public var busyTimeout = StoreWriter.defaultBusyTimeout
  /// Whether to do everything without keeping the new store.
  public var isRehearsal = false
  package var migration: Migration?
  /// Returns the known names of join tables of a version, in place of ``references``.
  package var namesOfJoins: (@Sendable (LoadedVersion) throws -> [JoinNameReference])?

  /// Creates a rescue of a store, with the versions that it may be of.
  public init(of path: String, versions: [LoadedVersion]) { (self.path, self.versions) = (path, versions) }

  func references(for version: LoadedVersion) throws -> [JoinNameReference] {
    try namesOfJoins?(version) ?? references
  }

  /// Makes the new store.
  ///
  /// - Parameters:
  ///   - output: the path of the new store; it must not exist.
  ///   - isInterrupted: called often; true cancels the rescue.
  /// - Returns: the reasons why the store does not open, and the kept, repaired and lost objects.
  /// - Throws: `StoreError` for a file that is not a store or is in use, ``RescueError``, `StoreCreationError`; no new
  ///   store is left.
  public func run(to output: String, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws -> RescueOutcome
  {
    if let kind = StoreKinds.kind(ofFile: path, among: kinds) {
      return try DocumentRescue(self, kind, isInterrupted: isInterrupted).run(to: output)
    }
    if !isRehearsal { try StagedStore.checkAbsence(of: output) }
    let folder = isRehearsal ? try TemporaryStoreFolder() : nil
    defer { withExtendedLifetime(folder) {} }
    let place = folder?.path(of: URL(fileURLWithPath: output).lastPathComponent) ?? output
    do {
      return try SQLiteRescue(self, isInterrupted: isInterrupted).run(to: place)
    } catch let error as StoreError where error.mayBeDamage && error.path == path {
      // What SQLite finds wrong only when it gets there is read page by page.
      return try SQLiteRescue(self, isInterrupted: isInterrupted, readsPages: true).run(to: place)
    }
  }
}

/// The version that a new store has after its migration.
package struct MigratedRescue {
  /// The version that it has.
  package let version: LoadedVersion
  /// The reason why it does not have the destination version.
  package let refusal: String?

  package init(version: LoadedVersion, refusal: String?) { (self.version, self.refusal) = (version, refusal) }
}

/// The reason why nothing can be rescued.
public enum RescueError: AdvisedError, Hashable {
  /// No version is known that the store could be read with.
  case noVersion(path: String)
  /// The store does not have a table of any known version.
  case foreign(path: String, tables: [String])
  /// No object of the store can be read.
  ///
  /// - Parameter cause: the reason why the store does not open.
  case nothing(path: String, cause: String)

  /// The store.
  public var place: String? {
    switch self {
    case .noVersion(let path), .foreign(let path, _), .nothing(let path, _): path
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .noVersion: "the store does not contain a model, and no version is known that it could be read with"
    case .foreign(_, let tables):
      "this is the database of another program: it does not have a table of any known version, "
        + (tables.isEmpty ? "and no other tables" : "only \(tables.prefix(5).joined(separator: ", "))")
    case .nothing(_, let cause): "\(cause), and no object of it can be read"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .noVersion: "name its bundle: \(option: "--model", "PATH")"
    case .foreign: "name the bundle of its app: \(option: "--model", "PATH")"
    case .nothing:
      "look for a backup, copy the files beside the store along, and name its version: \(option: "--version", "NAME")"
    }
  }
}

/// Chooses the version by which a store is read.
struct RescueVersion {
  let version: LoadedVersion
  /// The version by the store's hashes; nil for a store without hashes.
  let identification: StoreIdentification?

  init(_ rescue: StoreRescue, _ source: RescueSource) throws {
    if let metadata = source.metadata {
      let found = StoreIdentification(
        of: metadata, cachedModel: source.cached, among: rescue.versions, mergesBundles: rescue.mergesBundles,
        columns: { source.columns })
      identification = found
      if let version = found.storedVersion {
        self.version = version
        return
      }
      if found.matchedBy == .cachedModel, let model = found.model {
        version = try Self.own(model, found.cachedContent, of: rescue)
        return
      }
      if let nearest = found.nearest {
        version = nearest.configuration.flatMap { nearest.version.restricted(toConfiguration: $0) } ?? nearest.version
        return
      }
    } else {
      identification = nil
    }
    if case .model(let model, let content) = source.cached, let own = try? Self.own(model, content, of: rescue) {
      version = rescue.versions.compactMap { $0.restricted(to: own.versionHashes) }.first ?? own
      return
    }
    // Without tables every version fits as well.
    if let assumed = rescue.assumed, source.snapshot.tables.allSatisfy(\.isSystem) {
      version = assumed
      return
    }
    guard let version = Self.fitting(rescue.versions, source.snapshot) ?? rescue.assumed else {
      throw RescueError.noVersion(path: rescue.path)
    }
    self.version = version
  }

  private static func own(_ model: ManagedObjectModel, _ content: Data?, of rescue: StoreRescue) throws -> LoadedVersion
  {
    try LoadedVersion(
      bundle: "", name: "the model in the store", isCurrent: false,
      file: ModelFile(ofStore: rescue.path, model, content: content))
  }

  /// The version whose tables are most like the store's; of several, the current version, then the last.
  private static func fitting(_ versions: [LoadedVersion], _ snapshot: StoreSnapshot) -> LoadedVersion? {
    let names = Set(snapshot.entityRows.filter { !$0.isService }.map(\.name))
    func distance(_ version: LoadedVersion) -> Int {
      let bound = BoundLayout(of: version.hierarchy, to: snapshot)
      let differences = (bound.deviations + bound.layout.differences(from: snapshot)).count { difference in
        switch difference {
        case .missingTable, .missingColumn, .extraTable, .extraColumn, .columnType, .missingIndex: true
        default: false
        }
      }
      let known = Set(version.hierarchy.model.entities.map(\.name))
      return differences + (names.isEmpty ? 0 : names.symmetricDifference(known).count)
    }
    var best: (version: LoadedVersion, distance: Int)?
    for version in versions {
      let found = distance(version)
      if found < best?.distance ?? .max || found == best?.distance && !(best?.version.isCurrent ?? false) {
        best = (version, found)
      }
    }
    return best?.version
  }
}
