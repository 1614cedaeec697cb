public import AtomicStores
import Foundation
import MappingModels
import ModelChecks
public import ModelDescription
public import ModelFiles
public import ObjectStores
public import PersistentStores
import StoreMigration
import VersionHashing

/// The versions, bundles and mapping models of a ``Workspace``, read once for all stores.
///
/// ```swift
/// let workspace = try Workspace(at: "Models").load()
/// let outcome = try StoreMigrator(workspace.migration(of: "store.sqlite")).migrate()
/// print(outcome.from, "to", outcome.to)
/// ```
///
/// ## Topics
///
/// ### What was read
/// - ``versions``
/// - ``bundles``
/// - ``failures``
/// - ``workspace``
/// - ``kinds``
///
/// ### What a store is and needs
/// - ``identify(by:)``
/// - ``model(by:)``
/// - ``target(of:to:busyTimeout:)``
/// - ``migration(of:to:busyTimeout:)``
/// - ``mappings(for:)``
public struct LoadedWorkspace: Sendable {
  /// The usable versions, each bundle's oldest first.
  public let versions: [LoadedVersion]
  /// The bundles, with their versions in order.
  public let bundles: [ModelBundle]
  /// The versions that cannot be used.
  public let failures: [VersionError]
  /// The workspace that was loaded.
  public let workspace: Workspace
  /// The store types other than SQLite; an app can add its own.
  public var kinds = StoreKinds.builtIn
  let unionTargets = OncePerKey<[String], Result<MigrationTarget, any Error>>()
  let mappings = OncePerKey<[String], Result<Mappings, any Error>>()
  let pathFinder = OncePerKey<PathsKey, Result<MigrationPathFinder, any Error>>()
  /// The folder that was searched for bundles.
  let place: String

  /// Whether the app opens its stores with the union of all bundles.
  public var mergesBundles: Bool { workspace.mergesBundles }

  fileprivate init(
    _ workspace: Workspace, _ bundles: [ModelBundle], _ versions: [LoadedVersion], _ failures: [VersionError],
    place: String
  ) {
    (self.workspace, self.bundles, self.versions) = (workspace, bundles, versions)
    (self.failures, self.place) = (failures, place)
  }

  /// Identifies the version that wrote a store.
  ///
  /// - Returns: the version; a merged version if the store is of several bundles.
  public func identify(by reader: StoreReader) throws(StoreError) -> StoreIdentification {
    try reader.identify(among: versions, mergesBundles: mergesBundles)
  }

  /// Identifies the version that wrote a store of any type; only the metadata is read of stores other than SQLite.
  ///
  /// - Parameters:
  ///   - busyTimeout: the seconds to wait for another process.
  ///   - interruption: called often; true cancels the reading.
  /// - Returns: the version, a merged version if the store is of several bundles, the store's metadata, and whether it
  ///   is not an SQLite store.
  package func identify(
    _ store: String, busyTimeout: Double = StoreWriter.defaultBusyTimeout, interruption: (@Sendable () -> Bool)? = nil
  ) throws -> (identification: StoreIdentification, metadata: StoreMetadata, isReadWhole: Bool) {
    if let metadata = try StoreMirror.metadata(of: store, kinds: kinds), version(of: metadata) != nil {
      return (identification(of: metadata), metadata, true)
    }
    let reader = try reader(of: store, busyTimeout: busyTimeout, interruption: interruption)
    defer { reader.close() }
    let metadata = try reader.metadata()
    let isKnown = versions.contains { $0.versionHashes == metadata.versionHashes }
    return (try isKnown ? identification(of: metadata) : identify(by: reader), metadata, reader.isTemporary)
  }

  private func identification(of metadata: StoreMetadata) -> StoreIdentification {
    StoreIdentification(of: metadata, cachedModel: .absent, among: versions, mergesBundles: mergesBundles)
  }

  /// Finds the model that a store's objects are read by.
  ///
  /// - Returns: the model, of a version or the store's own, and the identification.
  /// - Throws: ``WorkspaceError/noModelInStore(path:)``, `StoreError`.
  public func model(
    by reader: StoreReader
  ) throws -> (model: ManagedObjectModel, identification: StoreIdentification) {
    let identification = try identify(by: reader)
    guard let model = identification.model else { throw WorkspaceError.noModelInStore(path: reader.path) }
    return (model, identification)
  }

  /// The version to read the objects of a store with; the model in the store if no version of the workspace wrote it.
  package func versionToCopy(by reader: StoreReader) throws -> LoadedVersion {
    let (model, identification) = try model(by: reader)
    return try LoadedVersion(
      bundle: identification.version?.bundle ?? "", name: identification.version?.name ?? "the same model",
      isCurrent: true, file: ModelFile(ofStore: reader.path, model, content: identification.cachedContent))
  }

  /// Opens a store of any type for reading; a store other than SQLite is read through a temporary SQLite copy.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - busyTimeout: the seconds to wait for another process.
  ///   - readsObjects: false if the metadata and the tables are enough; the tables of a temporary copy are then empty.
  ///   - interruption: called often; true cancels the reading.
  /// - Throws: `StoreError`, `StoreDocumentError`.
  public func reader(
    of store: String, busyTimeout: Double = StoreWriter.defaultBusyTimeout, readsObjects: Bool = true,
    interruption: (@Sendable () -> Bool)? = nil
  ) throws -> StoreReader {
    let mirror = try StoreMirror.of(
      store, kinds: kinds, readsObjects: readsObjects, identify: version(of:),
      waiting: .init(busyTimeout: busyTimeout, interruption: interruption))
    guard let mirror else { return try StoreReader(path: store, busyTimeout: busyTimeout, interruption: interruption) }
    return try mirror.reader(busyTimeout: busyTimeout, interruption: interruption)
  }

  /// Makes the temporary SQLite copy of a store of a different type.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - waiting: the waiting for other processes, and its end.
  /// - Returns: the copy; nil for an SQLite store.
  /// - Throws: `StoreError`, `StoreDocumentError`.
  public func mirror(of store: String, waiting: StoreMirror.Waiting = .init()) throws -> StoreMirror? {
    try StoreMirror.of(store, kinds: kinds, identify: version(of:), waiting: waiting)
  }

  /// The version named by a store's metadata, with the entities of its configuration; nil if it is not in the
  /// workspace.
  func version(of metadata: StoreMetadata) -> LoadedVersion? {
    versions.first { $0.versionHashes == metadata.versionHashes }
      ?? identification(of: metadata).storedVersion
  }

  /// Finds the bundle of a store and its destination.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - name: the destination; nil for the bundle's current version.
  ///   - busyTimeout: the seconds to wait for another process.
  /// - Throws: ``WorkspaceError`` if the bundle or the version is not clear, and `StoreError`.
  public func target(
    of store: String, to name: String? = nil, busyTimeout: Double = StoreWriter.defaultBusyTimeout
  ) throws -> MigrationTarget {
    let found = try identify(store, busyTimeout: busyTimeout)
    var target = try target(of: store, by: found.identification, to: name)
    target.isReadWhole = found.isReadWhole
    return target
  }

  /// Finds the bundle and the version to reach of a store that was identified.
  package func target(
    of store: String, by identification: StoreIdentification, to name: String? = nil
  ) throws -> MigrationTarget {
    if let destination = try name.flatMap(version(ofStoreAt:)) {
      var target = MigrationTarget(versions: [destination], destination: destination)
      target.source = identification
      return target
    }
    guard !versions.isEmpty else {
      if let failure = failures.first { throw WorkspaceError.brokenVersion(failure) }
      throw try workspace.models.noBundle(under: place)
    }
    if var union = try unionTarget(of: identification, to: name, store) {
      union.source = identification
      return union
    }
    let (bundleName, name) = qualified(name)
    let bundle = bundleName ?? identification.version?.bundle ?? identification.nearestBundle
    // An only bundle that shares no entity with the store is that of another app.
    guard let bundle else { throw WorkspaceError.otherApp(store: store) }
    var target = try target(in: bundle, to: name, store)
    target.source = identification
    if let version = identification.version, version.bundle != bundle,
      !target.versions.contains(where: { $0.versionHashes == version.versionHashes })
    {
      throw WorkspaceError.otherBundle(
        store: store, version: version.name, bundle: version.bundle,
        destination: "\(target.destination.bundleName)@\(target.destination.name)")
    }
    guard bundleName == nil else { return target }
    for other in otherBundles(of: identification) {
      let rival = try? self.target(in: other, to: name, store).destination
      if let rival, rival.versionHashes != target.destination.versionHashes {
        throw WorkspaceError.severalBundlesFit(store: store, candidates: [bundle, other])
      }
    }
    return target
  }

  /// The version of a store that contains its model.
  ///
  /// - Returns: nil if the argument is not the path of a store.
  /// - Throws: ``WorkspaceError/noDestination(path:candidates:)`` for a path at which there is no file.
  func version(ofStoreAt argument: String) throws -> LoadedVersion? {
    guard FileManager.default.fileExists(atPath: argument) else {
      guard namesMissingFile(argument) else { return nil }
      let folder = BundlePath.parent(argument)
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let near = NearNames.close(to: BundlePath.lastComponent(argument), among: files.sorted())
      throw WorkspaceError.noDestination(
        path: argument, candidates: near.map { argument.contains("/") ? BundlePath.joined(folder, $0) : $0 })
    }
    guard BundlePath.looksLikePath(argument) || SwiftDataSources.isFile(argument), !Workspace.isPlainFolder(argument)
    else { return nil }
    let (name, file) = try workspace.model(argument)
    return file.isOfStore ? try LoadedVersion(bundle: "", name: name, isCurrent: true, file: file) : nil
  }

  /// Whether a name that no version has is a path, by a slash or the extension of a file.
  private func namesMissingFile(_ argument: String) -> Bool {
    guard !argument.contains("@"), !versions.contains(where: { $0.name == argument }),
      !bundles.contains(where: { $0.name == argument })
    else { return false }
    let fileExtension = BundlePath.pathExtension(argument)
    return BundlePath.looksLikePath(argument) || fileExtension.count > 1 && fileExtension.allSatisfy(\.isLetter)
  }

  func target(in bundle: String, to name: String?, _ store: String) throws -> MigrationTarget {
    let candidates = versions.filter { $0.bundle == bundle }
    let destination = try name.map { try version($0, in: bundle, candidates) } ?? current(of: bundle, candidates, store)
    return MigrationTarget(versions: candidates, destination: destination)
  }

  /// Splits `Bundle@version` if a bundle has that name; a bundle's name alone means its current version.
  func qualified(_ name: String?) -> (bundle: String?, version: String?) {
    if let name {
      let named = bundles.filter { $0.name == name }
      let editable = named.filter(\.form.isEditable)
      if let bundle = (editable.isEmpty ? named : editable).first, max(editable.count, 1) == 1 {
        WorkspaceNotice.bundleName(
          name,
          among: bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle.name, name: $0.name) } },
          current: try? bundle.currentVersion().name
        ).map(workspace.report)
        return (bundle.path, nil)
      }
    }
    guard let name, let bundle = Self.bundle(qualifying: name, bundles) else { return (nil, name) }
    return (bundle.path, String(name.dropFirst(bundle.name.count + 1)))
  }

  /// The bundle named before the sign in `Bundle@version`.
  package static func bundle(qualifying name: String, _ bundles: [ModelBundle]) -> ModelBundle? {
    let lowercased = name.lowercased()
    return bundles.first { name.hasPrefix("\($0.name)@") }
      ?? bundles.first { lowercased.hasPrefix("\($0.name.lowercased())@") }
  }

  private func version(_ name: String, in bundle: String, _ candidates: [LoadedVersion]) throws -> LoadedVersion {
    if let broken = failures.first(where: { $0.bundle == bundle && $0.version == name }) {
      throw WorkspaceError.brokenVersion(broken)
    }
    if let position = VersionLookup.position(of: name, in: candidates.map(\.name), report: workspace.report) {
      return candidates[position]
    }
    if let error = configurationError(of: name, in: bundle) { throw error }
    let near = NearNames.candidates(for: name, among: candidates.map(\.name))
    throw WorkspaceError.unknownVersion(name: name, bundle: bundle, candidates: near)
  }

  func current(of bundle: String, _ candidates: [LoadedVersion], _ store: String) throws -> LoadedVersion {
    if let current = candidates.first(where: \.isCurrent) { return current }
    guard let found = bundles.first(where: { $0.path == bundle }) else {
      throw WorkspaceError.noVersionToReach(store: store)
    }
    let current = try found.currentVersion()
    if let broken = failures.first(where: { $0.bundle == bundle && $0.version == current.name }) {
      throw WorkspaceError.brokenVersion(broken)
    }
    throw configurationError(of: current.name, in: bundle) ?? WorkspaceError.noVersionToReach(store: store)
  }
}

extension Workspace {
  /// Reads the versions of the bundles, ordered by lock files, by git if a project is given, and by their names.
  ///
  /// - Returns: the usable versions; other versions are reported to ``report``.
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if no version of a named bundle can be used, or if no version
  ///   has the configuration.
  public func load() throws -> LoadedWorkspace {
    let stored = try versionOfStore()
    let bundles = VersionEvidence.ordered(try stored == nil ? bundles() : [], asksGit: !models.isOfNamed) {
      report(.unknownOrder($0))
    }
    let place =
      paths.isEmpty ? try models.search().project.path : paths.joined(separator: LoadedVersion.separator)
    let (known, failures) = stored.map { ([$0], []) } ?? LoadedVersion.load(from: bundles)
    let name = configuration
    let versions = name.map { LoadedWorkspace.restricted(known, toConfiguration: $0) } ?? known
    if let name, versions.isEmpty, !known.isEmpty {
      throw WorkspaceError.unknownConfiguration(
        name, model: Set(known.map(\.bundle)).sorted().joined(separator: ", "),
        configurations: Set(known.flatMap(\.hierarchy.model.configurations).map(\.name)).sorted())
    }
    if !paths.isEmpty, versions.isEmpty, let failure = failures.first { throw WorkspaceError.brokenVersion(failure) }
    if mergesBundles,
      let missing = bundles.first(where: { bundle in !known.contains { $0.bundle == bundle.path } }),
      let failure = failures.first(where: { $0.bundle == missing.path })
    {
      throw WorkspaceError.brokenVersion(failure)
    }
    for failure in failures { report(.versionLeftOut(failure)) }
    return LoadedWorkspace(self, bundles, versions, failures, place: place)
  }
}
