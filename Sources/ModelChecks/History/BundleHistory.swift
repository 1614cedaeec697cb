import ModelDescription
public import ModelFiles
import StoreMigration
import VersionHashing

/// A bundle with the facts for rules about its history: its versions, its releases, and its mapping models.
public struct BundleHistory: Sendable {
  /// The bundle as it is now.
  public let bundle: ModelBundle
  /// Its usable versions, oldest first.
  public let versions: [LoadedVersion]
  /// The lock file beside the bundle; nil if there is none.
  public let lock: LockFile?
  /// The released versions; a version is listed once for each piece of evidence.
  public let released: [Release]
  /// The releases of the base that were recorded again in the lock file.
  let replaced: [Release]
  /// The name of the current version of the base; nil without a base.
  public let baseCurrentVersionName: String?
  /// The mapping models between versions of the bundle.
  public let mappings: [KnownMapping]
  /// The mapping models that cannot be used.
  public private(set) var unusableMappings: [UnusableMapping]
  /// The files of all these mapping models, sorted by their paths.
  private(set) var mappingReadings: [UnmatchedMappingModel]
  /// The lock file of the base; nil without a base or without a lock file.
  public let baseLock: LockFile?
  /// True if a base or a compiled model was given, even without this bundle.
  public let hasReference: Bool
  /// The location of the name of the current version; without it, the start of the current or last version.
  public let currentVersionLocation: SourceLocation?
  /// The unions of this bundle with other bundles.
  private(set) var unions: [CheckedUnion] = []
  /// The entities of the current versions of other bundles, each with the name of a bundle that has it.
  var declaredElsewhere: [String: String] = [:]
  /// The reader that migrates the stores of users.
  var reader = MigrationReader.coreData
  /// The steps of the base; nil without a base.
  var base: BaseSteps?
  /// The path of the lock file in the base, from the working folder, for a bundle that was moved since then.
  var baseLockPath: String?
  /// The revisions of git that have the recorded mapping models, by digest, for changed mapping models.
  var committedMappings: [String: String] = [:]
  /// The released versions that only earlier commits of the lock file have, with the newest such commit.
  var lostEntries: [(name: String, revision: String)] = []
  /// True if the current version is checked as if it could still change.
  private var opensCurrent = false
  /// The names of all versions of the bundle.
  let versionNames: Set<String>
  /// The positions of the usable versions by name.
  private let positions: [String: Int]
  /// The released versions, by name.
  private let releasesByName: [String: [Release]]
  private let releasedBeforeCache = Once<(names: Set<String>, missing: Set<VersionHashes>)>()
  private let fullMatrixCache = Once<MigrationMatrix>()
  private let matrixCache = Once<MigrationMatrix>()
  private let coreDataMatrixCache = Once<MigrationMatrix>()
  let pathFinderCache = Once<MigrationPathFinder>()
  let leapsCache = Once<[String: [(source: LoadedVersion, destination: LoadedVersion)]]>()
  private(set) var stepCache = Once<[VersionStep]>()
  let mappingCache = Once<[InspectedMapping]>()
  let digestCache = Once<[VersionPair: Set<String>]>()
  let mappingChangeCache = Once<[MappingChange]>()
  let pathStepCache = Once<[PathStep]>()

  /// Makes a history.
  public init(
    bundle: ModelBundle, versions: [LoadedVersion], lock: LockFile? = nil, released: [Release] = [],
    baseCurrentVersionName: String? = nil, mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    mappingReadings: [UnmatchedMappingModel] = [], baseLock: LockFile? = nil, hasReference: Bool = false,
    currentVersionLocation: SourceLocation? = nil
  ) {
    (self.bundle, self.versions, self.lock) = (bundle, versions, lock)
    let isReplaced: (Release) -> Bool = { version in
      guard case .base = version.evidence else { return false }
      return lock?.entries[version.name]?.replaces == version.hashes.checksum
        && lock?.entries[version.name]?.hashes != version.hashes
    }
    self.released = released.filter { version in
      let entry = lock?.entries[version.name]
      return !isReplaced(version) && !(entry?.state == .retired && entry?.hashes == version.hashes)
    }
    releasesByName = Dictionary(grouping: self.released, by: \.name)
    replaced = released.filter(isReplaced)
    (self.baseCurrentVersionName, self.mappings) = (baseCurrentVersionName, mappings)
    self.unusableMappings = unusableMappings
    self.mappingReadings = mappingReadings.sorted { $0.path < $1.path }
    versionNames = Set(bundle.versions.map(\.name))
    positions = Dictionary(versions.indices.map { (versions[$0].name, $0) }) { first, _ in first }
    (self.baseLock, self.hasReference, self.currentVersionLocation) = (baseLock, hasReference, currentVersionLocation)
  }

  /// Adds a union that contains the bundle, with the mapping models between its merged models.
  mutating func take(_ union: CheckedUnion, files: [UnmatchedMappingModel]) {
    unions.append(union)
    let paths = Set(union.mappings.filter { !$0.source.parts.isEmpty }.map(\.path))
    guard !paths.isEmpty else { return }
    let known = Set(mappingReadings.map(\.path))
    mappingReadings = (mappingReadings + files.filter { paths.contains($0.path) && !known.contains($0.path) })
      .sorted { $0.path < $1.path }
    unusableMappings.removeAll { paths.contains($0.path) }
  }

  /// The paths of modelctl between all versions, as `modelctl matrix` prints them.
  var fullMatrix: MigrationMatrix {
    fullMatrixCache.value { MigrationMatrix(of: versions, mappings: mappings, unusable: unusableMappings) }
  }

  /// The paths of the reader between all versions, computed once for all rules.
  ///
  /// Core Data skips Xcode's mapping models that drifted. Both readers use mapping files here, because a rule reports the
  /// mapping files that Core Data does not read.
  var matrix: MigrationMatrix {
    matrixCache.value {
      guard reader == .coreData, !unusableMappings.isEmpty else { return fullMatrix }
      let drifted = Set(inspectedMappings.filter(\.isDrifted).map(\.path))
      return fullMatrix.passingOver(unusableMappings.filter { !drifted.contains($0.path) })
    }
  }

  /// The paths of Core Data between all versions, without mapping files.
  var coreDataMatrix: MigrationMatrix { coreDataMatrixCache.value { fullMatrix.ofCoreData } }

  /// The current version; nil if the bundle does not name a usable version.
  public var current: LoadedVersion? { bundle.currentVersionName.flatMap(version) }

  /// True for a retired version, to which most rules do not apply.
  func isRetired(_ name: String) -> Bool { lock?.entries[name]?.state == .retired }

  /// True if there is release evidence of a version of this name.
  public func isReleased(_ name: String) -> Bool { releasesByName[name] != nil }

  /// The release evidence of a version of this name.
  func releases(of name: String) -> [Release] { releasesByName[name] ?? [] }

  /// The usable version of this name.
  public func version(named name: String) -> LoadedVersion? { positions[name].map { versions[$0] } }

  /// True if there is release evidence: a lock file, a base, a tag or a compiled model.
  public var isGuarded: Bool { !released.isEmpty || lock != nil || baseLock != nil || hasReference }

  /// False for a version with release evidence; without any release evidence, false for every version.
  ///
  /// If an earlier state is known, the current lock file does not count, because a change may add a version and record it
  /// together. In a bundle that the earlier state does not have, the versions before the current version count as
  /// released.
  public func canChange(_ name: String) -> Bool {
    guard isGuarded, !isRetired(name), !isRescued(name) else { return false }
    if opensCurrent, name == bundle.currentVersionName { return true }
    guard released.isEmpty, lock == nil, baseLock == nil else {
      let (names, missing) = releasedBefore
      return !names.contains(name) && !(version(named: name).map { missing.contains($0.versionHashes) } ?? false)
    }
    guard let position = positions[name], let current = bundle.currentVersionName.flatMap({ positions[$0] }) else {
      return name == versions.last?.name
    }
    return position >= current
  }

  /// The same bundle, with the current version as it was checked before its release.
  var openingCurrent: BundleHistory {
    var history = self
    (history.opensCurrent, history.stepCache) = (true, Once())
    return history
  }

  /// True for a version after the current version, so that no app uses it yet.
  func isAhead(_ name: String) -> Bool {
    guard let current = bundle.currentVersionName, versionNames.contains(current) else { return false }
    return bundle.sequence.isOrdered(current, before: name) ?? false
  }

  /// True for a draft after the current version, unless this change adds it.
  func isUnusedDraft(_ name: String) -> Bool {
    guard isAhead(name), lock?.entries[name]?.state == .draft else { return false }
    return baseLock.map { $0.entries[name] != nil } ?? !hasReference
  }

  /// The releases of an earlier state, or of the lock file if no earlier state is known.
  ///
  /// They are the names, and the hashes of releases whose names are not in the bundle.
  private var releasedBefore: (names: Set<String>, missing: Set<VersionHashes>) {
    releasedBeforeCache.value {
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

  /// True for a version that a change adds before an existing version and records as released.
  ///
  /// A store showed that an app was shipped with it, so it must not change.
  func isRescued(_ name: String) -> Bool {
    guard let base, lock?.entries[name]?.state == .released, base.version(named: name) == nil,
      baseLock?.entries[name] == nil, name != bundle.currentVersionName
    else { return false }
    let later = base.versions.map(\.name) + [baseCurrentVersionName].compactMap { $0 }
    return later.contains { $0 != name && isOlder(name, than: $0) && versionNames.contains($0) }
  }

  /// The steps that rules about changes check: each version that can still change, with the version before it.
  ///
  /// If a rescued version is between two versions, the direct step between the two is checked too.
  public var openSteps: [(source: LoadedVersion, destination: LoadedVersion)] {
    let open = neighbours.filter { canChange($0.destination.name) }
    return open.flatMap { step -> [(source: LoadedVersion, destination: LoadedVersion)] in
      guard isRescued(step.source.name), let position = positions[step.source.name],
        let source = versions.prefix(position).last(where: { !isRescued($0.name) })
      else { return [step] }
      return [(source, step.destination), step]
    }
  }

  /// The position of a usable version, from 0.
  func position(of name: String) -> Int? { positions[name] }

  /// The version right before a version; nil for the first version.
  func predecessor(of name: String) -> LoadedVersion? { positions[name].flatMap { $0 > 0 ? versions[$0 - 1] : nil } }

  /// True if a version is right after an earlier version, by more evidence than names with two stems.
  func follows(_ earlier: String, _ later: String) -> Bool {
    guard let start = positions[earlier], let end = positions[later] else { return false }
    return end == start + 1 && isOlder(earlier, than: later)
  }

  /// Every version with the version before it, by more evidence than names with two stems.
  var neighbours: [(source: LoadedVersion, destination: LoadedVersion)] {
    zip(versions, versions.dropFirst()).filter { isOlder($0.name, than: $1.name) }.map { (source: $0, destination: $1) }
  }

  /// True if a version is older than another version, by more evidence than names with two stems.
  func isOlder(_ name: String, than other: String) -> Bool { bundle.sequence.isOrdered(name, before: other) == true }
}
