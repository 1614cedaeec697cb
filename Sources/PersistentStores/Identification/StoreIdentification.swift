package import Foundation
public import ModelDescription
public import ModelFiles
import VersionHashing

/// The model version that wrote a store, and the consequence for opening it.
///
/// The first match counts: a version in a bundle with the store's hashes, then the store's cached model if it has these
/// hashes. Without a match, the nearest version shows the differences.
public struct StoreIdentification: Sendable {
  /// The step that opening the store with the current model requires.
  public enum State: String, Hashable, Sendable, Encodable {
    case current
    case needsMigration = "needs-migration"
    case unknown
  }

  /// The source of the store's model.
  public enum Match: String, Hashable, Sendable {
    case bundle
    case cachedModel = "cached model"
  }

  /// The state of the store's cached model.
  public enum CacheState: Hashable, Sendable {
    case absent
    /// It has the store's hashes.
    case fresh
    /// The cached model has another version than the store's rows.
    case stale
    case unreadable(CachedModel.ReadingError)
  }

  /// The step that opening the store with the current model requires.
  public let state: State
  /// The source of the store's model; nil if it was not found.
  public let matchedBy: Match?
  /// The version that wrote the store; nil unless a bundle contains it.
  ///
  /// If the app merges the models of several bundles, this is the merged model. Its bundles and names are joined by ` +
  /// `.
  public let version: LoadedVersion?
  /// The configuration whose entities the store has; nil if it has all entities of the model.
  public let configuration: String?
  /// The version that wrote the store, restricted to the configuration's entities; nil unless a bundle contains it.
  public var storedVersion: LoadedVersion? {
    guard let configuration else { return version }
    return version?.restricted(toConfiguration: configuration)
  }
  /// The model that wrote the store, from a bundle or the cache, reduced to the configuration's entities.
  public let model: ManagedObjectModel?
  /// A configuration of the current version with the same entities as the older complete model of the store.
  ///
  /// Opened with it, the store needs no migration.
  public let currentConfiguration: String?
  /// The state of the store's cached model.
  public let cache: CacheState
  /// The bytes of the cached model; nil unless it has the store's hashes.
  package let cachedContent: Data?
  /// The current version of the store's bundle; for several bundles, the union of their current versions.
  public let target: LoadedVersion?
  /// Why the current versions of the store's bundles cannot be merged, nil unless that is so.
  public let unionError: UnionError?
  /// The version with the fewest differences from the store; nil if a bundle contains the store's version.
  ///
  /// The first call searches for the edits that explain each difference, which can take seconds.
  public var nearest: NearestVersion? { nearestSearch?.found }
  /// The bundle of the nearest version; nil if a bundle contains the store's version.
  package var nearestBundle: String? { nearestSearch?.bundle }
  private let nearestSearch: NearestVersion.Search?

  /// Identifies a store.
  ///
  /// - Parameters:
  ///   - cachedModel: the model in the store's `Z_MODELCACHE`.
  ///   - versions: the versions to choose from, in order of preference.
  ///   - mergesBundles: true if the app opens the store with the union of all their bundles.
  ///   - columns: returns the columns of the store's tables, if no version has its hashes.
  public init(
    of metadata: StoreMetadata, cachedModel: CachedModel, among versions: [LoadedVersion], mergesBundles: Bool = false,
    columns: () -> StoreColumns = { .none }
  ) {
    let hashes = metadata.versionHashes
    let (cache, cached) = Self.judge(cachedModel, hashes: hashes)
    self.cache = cache
    if case (.fresh, .model(_, let content)) = (cache, cachedModel) {
      cachedContent = content
    } else {
      cachedContent = nil
    }
    let match = Self.match(hashes, among: versions, mergesBundles: mergesBundles)
    let union = mergesBundles ? Self.current(of: Self.bundles(of: versions), among: versions) : (nil, nil)
    if let match {
      version = match.version
      configuration = match.configuration
      let model = match.version.hierarchy.model
      self.model = match.configuration.flatMap { model.restricted(toConfiguration: $0) } ?? model
      matchedBy = .bundle
      nearestSearch = nil
      let own = match.version.parts.isEmpty ? [match.version.bundle] : match.version.parts.map(\.bundle)
      let (target, error) = mergesBundles ? union : Self.current(of: own, among: versions)
      (self.target, unionError) = (target, error)
      let isCurrent =
        mergesBundles
        ? target?.versionHashes(ofConfiguration: match.configuration) == hashes : match.version.isCurrent
      state = isCurrent ? .current : target == nil ? .unknown : .needsMigration
      let isWhole = match.configuration == nil && !match.version.isCurrent
      currentConfiguration =
        isWhole
        ? target?.configurations.compactMap { $0 }.first { target?.versionHashes(ofConfiguration: $0) == hashes } : nil
      return
    }
    let nearest = NearestVersion.Search(
      for: hashes, among: versions + [union.0].compactMap { $0 }, columns: columns())
    let target =
      mergesBundles
      ? union.0
      : nearest.bundle.flatMap { bundle in versions.first { $0.bundle == bundle && $0.isCurrent } }
    version = nil
    configuration = nil
    currentConfiguration = nil
    model = cached
    matchedBy = cached == nil ? nil : .cachedModel
    (nearestSearch, self.target) = (nearest, target)
    unionError = union.1
    state = cached != nil && target != nil ? .needsMigration : .unknown
  }

  private static func judge(
    _ cachedModel: CachedModel, hashes: VersionHashes
  ) -> (state: CacheState, model: ManagedObjectModel?) {
    switch cachedModel {
    case .absent: return (.absent, nil)
    case .unreadable(let error): return (.unreadable(error), nil)
    case .model(let model, _):
      do throws(ModelStructureError) {
        let computed = try VersionHashes(of: model)
        if computed == hashes { return (.fresh, model) }
        return try Self.restrict(model, computed: computed, to: hashes).map { (.fresh, $0) } ?? (.stale, nil)
      } catch {
        return (.unreadable(.structure(error)), nil)
      }
    }
  }

  /// Restricts a cached model to the store's entities, because a store of a configuration caches the complete model.
  private static func restrict(
    _ model: ManagedObjectModel, computed: VersionHashes, to hashes: VersionHashes
  ) throws(ModelStructureError) -> ManagedObjectModel? {
    let isPart = hashes.entities.allSatisfy { computed.entities[$0.key] == $0.value }
    guard isPart, !hashes.entities.isEmpty else { return nil }
    var part = model
    part.entities = model.entities.filter { hashes.entities[$0.name] != nil }
    _ = try EntityHierarchy(part)
    return part
  }

  /// Finds the version: the current version first, because its stores need no migration, then complete models before
  /// their configurations, and last the union of several bundles.
  private static func match(
    _ hashes: VersionHashes, among versions: [LoadedVersion], mergesBundles: Bool
  ) -> (version: LoadedVersion, configuration: String?)? {
    let preferred = versions.filter(\.isCurrent) + versions.filter { !$0.isCurrent }
    if let version = preferred.first(where: { $0.versionHashes == hashes }) { return (version, nil) }
    if mergesBundles, let union = union(hashes, among: versions) { return union }
    for version in preferred {
      for configuration in version.configurations
      where configuration != nil && version.versionHashes(ofConfiguration: configuration) == hashes {
        return (version, configuration)
      }
    }
    return mergesBundles ? nil : union(hashes, among: versions)
  }

  /// The union of several bundles' versions, or a configuration of it, that has these hashes.
  private static func union(
    _ hashes: VersionHashes, among versions: [LoadedVersion]
  ) -> (version: LoadedVersion, configuration: String?)? {
    let names = Set(versions.flatMap { $0.configurations.compactMap { $0 } }).sorted()
    for configuration in [nil] + names {
      guard let parts = LoadedVersion.parts(of: hashes, among: versions, configuration: configuration) else { continue }
      if let union = try? LoadedVersion(merging: parts) { return (union, configuration) }
    }
    return nil
  }

  private static func bundles(of versions: [LoadedVersion]) -> [String] {
    var seen: Set<String> = []
    return versions.map(\.bundle).filter { seen.insert($0).inserted }
  }

  /// The current version of a bundle, or the union of those of several bundles; nil if a bundle has no current version.
  private static func current(
    of bundles: [String], among versions: [LoadedVersion]
  ) -> (version: LoadedVersion?, error: UnionError?) {
    let current = bundles.compactMap { bundle in versions.first { $0.bundle == bundle && $0.isCurrent } }
    guard current.count == bundles.count else { return (nil, nil) }
    guard current.count > 1 else { return (current.first, nil) }
    do {
      return (try LoadedVersion(merging: current), nil)
    } catch {
      return (nil, error)
    }
  }
}

/// A configuration of a store that the destination version does not have.
public struct MissingConfiguration: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// The version that does not have it.
  public let version: String
  /// The configurations that the version has.
  public let known: [String]
  /// The known configurations that have exactly the store's entities.
  public let fitting: [String]

  /// Looks for a configuration; nil if the model has it.
  public init?(_ name: String, of entities: Set<String>, in model: ManagedObjectModel, named version: String) {
    guard !model.configurations.contains(where: { $0.name == name }) else { return nil }
    (self.name, self.version) = (name, version)
    known = model.configurations.map(\.name)
    fitting = model.configurations.filter { Set($0.entityNames) == entities }.map(\.name)
  }
}

extension MissingConfiguration: CustomStringConvertible {
  /// The cause and the remedy without options.
  public var description: String { words.advice.map { "\(words.cause); \($0.words)" } ?? words.cause }

  /// The cause and the remedy with options.
  package var sentence: String { words.sentence }

  private var words: ErrorWords {
    let others = known.isEmpty ? "it has no configurations" : "it has \(NameList.text(known))"
    return ErrorWords(
      "\(version) has no configuration “\(name)”; \(others)",
      fitting.first.map { name in
        "use “\(name)”, which has the store's entities, if the app opens the store with it: \(option: "--configuration", name)"
      })
  }
}

extension StoreIdentification {
  /// Finds the store's configuration in a version.
  ///
  /// - Returns: nil if the version has it, or if the store has a complete model.
  public func missingConfiguration(in destination: LoadedVersion) -> MissingConfiguration? {
    guard let configuration, let model else { return nil }
    return MissingConfiguration(
      configuration, of: Set(model.entities.map(\.name)), in: destination.hierarchy.model, named: destination.name)
  }
}
