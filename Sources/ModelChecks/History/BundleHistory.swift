import ModelDescription
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
  /// Who migrates the stores of users.
  var reader = MigrationReader.coreData
  /// How stores were migrated at an earlier state, nil without a base.
  var base: BaseSteps?
  /// The path of the lock file in the base, as seen from here, for a bundle that lay elsewhere in a revision of git.
  var baseLockPath: String?
  /// The revisions of git that have mapping models as the lock file records them, by their digests, where they are not so.
  var committedMappings: [String: String] = [:]
  /// The released versions that earlier commits of the lock file hold and it does not, with the newest of the commits.
  var lostEntries: [(name: String, revision: String)] = []
  /// The names of the bundle's versions, usable or not.
  let versionNames: Set<String>
  /// The positions of the usable versions by name.
  private let positions: [String: Int]
  /// The versions as users have them, by name.
  private let releasesByName: [String: [Release]]
  private let releasedBeforeMemory = Once<(names: Set<String>, missing: Set<VersionHashes>)>()
  private let fullMatrixMemory = Once<MigrationMatrix>()
  private let matrixMemory = Once<MigrationMatrix>()
  private let coreDataMatrixMemory = Once<MigrationMatrix>()
  let routesMemory = Once<MigrationRoutes>()
  let leapsMemory = Once<[String: [(source: LoadedVersion, destination: LoadedVersion)]]>()
  let stepMemory = Once<[VersionStep]>()
  let mappingMemory = Once<[InspectedMapping]>()
  let digestMemory = Once<[VersionPair: Set<String>]>()
  let mappingChangeMemory = Once<[MappingChange]>()
  let pathStepMemory = Once<[PathStep]>()

  /// Makes a history.
  public init(
    bundle: ModelBundle, versions: [LoadedVersion], lock: LockFile? = nil, released: [Release] = [],
    baseCurrentVersionName: String? = nil, mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    mappingReadings: [MappingReading] = [], baseLock: LockFile? = nil, hasReference: Bool = false,
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

  /// How modelctl reaches every version from every other, as `modelctl matrix` prints it.
  var fullMatrix: MigrationMatrix {
    fullMatrixMemory.value { MigrationMatrix(of: versions, mappings: mappings, unusable: unusableMappings) }
  }

  /// How the reader reaches every version from every other, looked into once for all rules.
  ///
  /// Core Data passes over Xcode's mapping models that drifted. Mapping files are used in both, because one rule reports
  /// those that Core Data does not read.
  var matrix: MigrationMatrix {
    matrixMemory.value {
      guard reader == .coreData, !unusableMappings.isEmpty else { return fullMatrix }
      let drifted = Set(inspectedMappings.filter(\.isDrifted).map(\.path))
      return fullMatrix.passingOver(unusableMappings.filter { !drifted.contains($0.path) })
    }
  }

  /// How Core Data reaches every version from every other, without the mapping files.
  var coreDataMatrix: MigrationMatrix { coreDataMatrixMemory.value { fullMatrix.ofCoreData } }

  /// The current version, nil when the bundle names none that can be used.
  public var current: LoadedVersion? { bundle.currentVersionName.flatMap(version) }

  /// True for a version whose support ended: nothing is demanded of it.
  func isRetired(_ name: String) -> Bool { lock?.entries[name]?.state == .retired }

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
    guard isGuarded, !isRetired(name), !isRescued(name) else { return false }
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

  /// True for a version that is recorded as released in the same change that adds it, in front of one that was there: an app
  /// was shipped with it, as a store showed, so that nothing of it can be changed.
  func isRescued(_ name: String) -> Bool {
    guard let base, lock?.entries[name]?.state == .released, base.version(named: name) == nil,
      baseLock?.entries[name] == nil, name != bundle.currentVersionName
    else { return false }
    let later = base.versions.map(\.name) + [baseCurrentVersionName].compactMap { $0 }
    return later.contains { $0 != name && isOlder(name, than: $0) && versionNames.contains($0) }
  }

  /// Every version that can still change, with the version before it: the steps that rules about changes look at.
  ///
  /// A version that was rescued between two hides nothing of the step from the one to the other.
  public var openSteps: [(source: LoadedVersion, destination: LoadedVersion)] {
    let open = neighbours.filter { canChange($0.destination.name) }
    return open.flatMap { step -> [(source: LoadedVersion, destination: LoadedVersion)] in
      guard isRescued(step.source.name), let position = positions[step.source.name],
        let source = versions.prefix(position).last(where: { !isRescued($0.name) })
      else { return [step] }
      return [(source, step.destination), step]
    }
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
  func isOlder(_ name: String, than other: String) -> Bool { bundle.sequence.isOrdered(name, before: other) == true }
}
