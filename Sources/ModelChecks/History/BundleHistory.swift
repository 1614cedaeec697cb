public import ModelFiles
public import PersistentStores
import StoreMigration

/// A bundle with everything that rules about its history ask: its versions, what was released of them, and the
/// mapping models between them.
public struct BundleHistory: Sendable {
  /// The bundle as it is now.
  public let bundle: ModelBundle
  /// Its versions that can be used, oldest first.
  public let versions: [CheckedVersion]
  /// The lock file beside the bundle, nil when there is none.
  public let lock: LockFile?
  /// The versions as users have them; a version may stand here once for each witness.
  public let released: [ReleasedVersion]
  /// The name of the version that was current in the base, nil without a base.
  public let baseCurrentVersionName: String?
  /// The mapping models between versions of the bundle.
  public let mappings: [KnownMapping]
  /// The mapping models found that cannot be used.
  public let unusableMappings: [UnusableMapping]
  /// The lock file that the base had, nil without a base or when it had none.
  public let baseLock: LockFile?
  /// True when a base or a compiled model was named, whether it has the bundle or not.
  public let hasReference: Bool
  /// Where the bundle says which version is current, else where its current or last version begins.
  public let currentVersionLocation: SourceLocation?
  let matrixMemory = Memory<MigrationMatrix>()
  let stepMemory = Memory<[VersionStep]>()
  let mappingMemory = Memory<[InspectedMapping]>()

  /// Makes a history.
  public init(
    bundle: ModelBundle, versions: [CheckedVersion], lock: LockFile? = nil, released: [ReleasedVersion] = [],
    baseCurrentVersionName: String? = nil, mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    baseLock: LockFile? = nil, hasReference: Bool = false, currentVersionLocation: SourceLocation? = nil
  ) {
    self.bundle = bundle
    self.versions = versions
    self.lock = lock
    self.released = released
    self.baseCurrentVersionName = baseCurrentVersionName
    self.mappings = mappings
    self.unusableMappings = unusableMappings
    self.baseLock = baseLock
    self.hasReference = hasReference
    self.currentVersionLocation = currentVersionLocation
  }

  /// The current version, nil when the bundle names none that can be used.
  public var current: CheckedVersion? { versions.first { $0.name == bundle.currentVersionName } }

  /// True when some witness says that users have a version of this name.
  public func isReleased(_ name: String) -> Bool { released.contains { $0.name == name } }

  /// The usable version of this name.
  public func version(named name: String) -> CheckedVersion? { versions.first { $0.name == name } }

  /// False for a version that users have, as far as anything says so; where nothing does, for those before the current
  /// one.
  public func canChange(_ name: String) -> Bool {
    guard released.isEmpty, lock == nil, baseLock == nil else { return !isReleased(name) }
    let names = versions.map(\.name)
    guard let position = names.firstIndex(of: name),
      let current = bundle.currentVersionName.flatMap({ names.firstIndex(of: $0) })
    else { return name == names.last }
    return position >= current
  }

  /// Every version that can still change, with the version before it: the steps that rules about changes look at.
  public var openSteps: [(former: CheckedVersion, latter: CheckedVersion)] {
    zip(versions, versions.dropFirst()).map { (former: $0, latter: $1) }.filter { canChange($0.latter.name) }
  }
}
