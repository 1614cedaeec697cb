public import ModelFiles
import StoreMigration
import VersionHashing

/// A bundle with everything that rules about its history ask: its versions, what was released of them, and the
/// mapping models between them.
public struct BundleHistory: Sendable {
  /// The bundle as it is now.
  public let bundle: ModelBundle
  /// Its versions that can be used, oldest first.
  public let versions: [LoadedVersion]
  /// The lock file beside the bundle, nil when there is none.
  public let lock: LockFile?
  /// The versions as users have them; a version may stand here once for each piece of evidence.
  public let released: [Release]
  /// What the base says of versions that the lock file says were recorded anew.
  let replaced: [Release]
  /// The name of the version that was current in the base, nil without a base.
  public let baseCurrentVersionName: String?
  /// The mapping models between versions of the bundle.
  public let mappings: [KnownMapping]
  /// The mapping models found that cannot be used.
  public private(set) var unusableMappings: [UnusableMapping]
  /// The files of all these mapping models, sorted by their paths.
  private(set) var mappingReadings: [MappingReading]
  /// The lock file that the base had, nil without a base or when it had none.
  public let baseLock: LockFile?
  /// True when a base or a compiled model was named, whether it has the bundle or not.
  public let hasReference: Bool
  /// Where the bundle says which version is current, else where its current or last version begins.
  public let currentVersionLocation: SourceLocation?
  /// The unions of bundles that the app makes of it and others.
  private(set) var unions: [CheckedUnion] = []
  /// The entities that the current versions of other bundles of the project have, each with the name of one of them.
  var declaredElsewhere: [String: String] = [:]
  /// How stores were migrated at an earlier state, nil without a base.
  var base: BaseSteps?
  /// The path of the lock file in the base, as seen from here, for a bundle that lay elsewhere in a revision of git.
  var baseLockPath: String?
  /// The revisions of git that have mapping models as the lock file records them, by their digests, where they are not so.
  var committedMappings: [String: String] = [:]
  /// The names of the bundle's versions, usable or not.
  let versionNames: Set<String>
  /// The positions of the usable versions by name.
  private let positions: [String: Int]
  /// The versions as users have them, by name.
  private let releasesByName: [String: [Release]]
  private let releasedBeforeMemory = Memory<(names: Set<String>, missing: Set<VersionHashes>)>()
  let matrixMemory = Memory<MigrationMatrix>()
  let routesMemory = Memory<MigrationRoutes>()
  let leapsMemory = Memory<[String: [(source: LoadedVersion, destination: LoadedVersion)]]>()
  let stepMemory = Memory<[VersionStep]>()
  let mappingMemory = Memory<[InspectedMapping]>()
  let digestMemory = Memory<[VersionPair: Set<String>]>()
  let mappingChangeMemory = Memory<[MappingChange]>()
  let pathStepMemory = Memory<[PathStep]>()

  /// Makes a history.
  public init(
    bundle: ModelBundle, versions: [LoadedVersion], lock: LockFile? = nil, released: [Release] = [],
    baseCurrentVersionName: String? = nil, mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    mappingReadings: [MappingReading] = [], baseLock: LockFile? = nil, hasReference: Bool = false,
    currentVersionLocation: SourceLocation? = nil
  ) {
    self.bundle = bundle
    self.versions = versions
    self.lock = lock
    let isReplaced: (Release) -> Bool = { version in
      guard case .base = version.evidence else { return false }
      return lock?.entries[version.name]?.replaces == version.hashes.checksum
        && lock?.entries[version.name]?.hashes != version.hashes
    }
    self.released = released.filter { !isReplaced($0) }
    releasesByName = Dictionary(grouping: self.released, by: \.name)
    replaced = released.filter(isReplaced)
    self.baseCurrentVersionName = baseCurrentVersionName
    self.mappings = mappings
    self.unusableMappings = unusableMappings
    self.mappingReadings = mappingReadings.sorted { $0.path < $1.path }
    versionNames = Set(bundle.versions.map(\.name))
    positions = Dictionary(versions.indices.map { (versions[$0].name, $0) }) { first, _ in first }
    self.baseLock = baseLock
    self.hasReference = hasReference
    self.currentVersionLocation = currentVersionLocation
  }

  /// Takes in a union that the bundle is a part of, with the mapping models between its merged models.
  mutating func take(_ union: CheckedUnion, files: [MappingReading]) {
    unions.append(union)
    let paths = Set(union.mappings.filter { !$0.source.parts.isEmpty }.map(\.path))
    guard !paths.isEmpty else { return }
    let known = Set(mappingReadings.map(\.path))
    mappingReadings = (mappingReadings + files.filter { paths.contains($0.path) && !known.contains($0.path) })
      .sorted { $0.path < $1.path }
    unusableMappings.removeAll { paths.contains($0.path) }
  }

  /// The current version, nil when the bundle names none that can be used.
  public var current: LoadedVersion? { bundle.currentVersionName.flatMap(version) }

  /// True when there is release evidence of a version of this name.
  public func isReleased(_ name: String) -> Bool { releasesByName[name] != nil }

  /// What there is of release evidence of a version of this name.
  func releases(of name: String) -> [Release] { releasesByName[name] ?? [] }

  /// The usable version of this name.
  public func version(named name: String) -> LoadedVersion? { positions[name].map { versions[$0] } }

  /// True when something says which versions users have: a lock file, a base, a tag or a compiled model.
  public var isGuarded: Bool { !released.isEmpty || lock != nil || baseLock != nil || hasReference }

  /// False for a version that users have, as far as anything says so; where nothing does, for every version.
  ///
  /// Where an earlier state is known, the lock file of today does not count: what is recorded in the same change that
  /// makes a version is not what users have. In a bundle that the earlier state does not have, the versions before the
  /// current one count as released.
  public func canChange(_ name: String) -> Bool {
    guard isGuarded else { return false }
    guard released.isEmpty, lock == nil, baseLock == nil else {
      let (names, missing) = releasedBefore
      return !names.contains(name) && !(version(named: name).map { missing.contains($0.versionHashes) } ?? false)
    }
    guard let position = positions[name], let current = bundle.currentVersionName.flatMap({ positions[$0] }) else {
      return name == versions.last?.name
    }
    return position >= current
  }

  /// True for a version that comes after the current one, so that no app uses it yet.
  func isAhead(_ name: String) -> Bool {
    guard let current = bundle.currentVersionName, versionNames.contains(current) else { return false }
    return bundle.sequence.isOrdered(current, before: name) ?? false
  }

  /// True for a version after the current one that the lock file says is a draft, unless this change is what adds it.
  func isUnusedDraft(_ name: String) -> Bool {
    guard isAhead(name), lock?.entries[name]?.state == .draft else { return false }
    return baseLock.map { $0.entries[name] != nil } ?? !hasReference
  }

  /// What an earlier state says of releases; what the lock file says where none is known: the names, and the hashes of
  /// those whose name no version of the bundle has.
  private var releasedBefore: (names: Set<String>, missing: Set<VersionHashes>) {
    releasedBeforeMemory.value {
      let found = findReleasedBefore()
      let missing = found.filter { !versionNames.contains($0.name) }
      return (Set(found.map(\.name)), Set(missing.map(\.hashes)))
    }
  }

  private func findReleasedBefore() -> [Release] {
    let knowsEarlierState =
      baseLock != nil || !replaced.isEmpty
      || released.contains { version in
        switch version.evidence {
        case .base, .tag: true
        case .lock, .compiled: false
        }
      }
    guard knowsEarlierState else { return released }
    return released.filter { if case .lock = $0.evidence { false } else { true } }
  }

  /// Every version that can still change, with the version before it: the steps that rules about changes look at.
  public var openSteps: [(source: LoadedVersion, destination: LoadedVersion)] {
    neighbours.filter { canChange($0.destination.name) }
  }

  /// The place of a usable version among them, from 0.
  func position(of name: String) -> Int? { positions[name] }

  /// The version right before another, nil for the first.
  func predecessor(of name: String) -> LoadedVersion? { positions[name].flatMap { $0 > 0 ? versions[$0 - 1] : nil } }

  /// True for a version that comes right after another, where more than names of two stems says so.
  func follows(_ earlier: String, _ later: String) -> Bool {
    guard let start = positions[earlier], let end = positions[later] else { return false }
    return end == start + 1 && isOlder(earlier, than: later)
  }

  /// Every version with the version before it, where more than names of two stems says that it is.
  var neighbours: [(source: LoadedVersion, destination: LoadedVersion)] {
    zip(versions, versions.dropFirst()).filter { isOlder($0.name, than: $1.name) }.map { (source: $0, destination: $1) }
  }

  /// True when a version is older than another, and more than names of two stems says so.
  func isOlder(_ name: String, than other: String) -> Bool {
    bundle.sequence.isOrdered(name, before: other) == true
  }
}
