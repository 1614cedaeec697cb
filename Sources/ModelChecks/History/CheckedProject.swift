import ModelDescription
public import ModelFiles
import PersistentStores

/// The models and bundles that are checked in one run.
public struct CheckedProject: Sendable {
  /// The models that do not belong to a checked bundle.
  public var models: [ModelFile]
  /// The bundles, in the order in which they were named or found.
  public var bundles: [CheckedBundle]
  /// The deleted and moved bundles of the base.
  public var deletedBundles: [DeletedBundle]
  /// The bundles that the app merges into a single model.
  public var unions: [CheckedUnion]
  /// The CloudKit containers that mirror the models.
  public internal(set) var containers: [CheckedContainer] = []
  /// The errors of files that could not be read; a run with errors is incomplete.
  public var errors: [any Error]

  /// The notes about the evidence, such as a shallow clone.
  public var notes: [String]
  /// The files of mapping models; unions use the files between merged models.
  var mappingReadings: [UnmatchedMappingModel] = []
  /// True if the current versions are about to be released.
  var isForRelease = false

  /// Makes a project.
  public init(
    models: [ModelFile] = [], bundles: [CheckedBundle] = [], deletedBundles: [DeletedBundle] = [],
    unions: [CheckedUnion] = [], errors: [any Error] = [], notes: [String] = []
  ) {
    (self.models, self.bundles, self.deletedBundles) = (models, bundles, deletedBundles)
    (self.unions, self.errors, self.notes) = (unions, errors, notes)
  }

  /// All models, for reports by file.
  public var files: [ModelFile] { models + bundles.flatMap { $0.files.map(\.file) } }
}

/// A checked bundle: its readable versions and its history.
public struct CheckedBundle: Sendable {
  /// The bundle as it is now.
  public let bundle: ModelBundle
  /// The models of its versions with the names of the versions, oldest first, including broken models.
  public let files: [(version: String, file: ModelFile)]
  /// The history for rules; nil for a compiled bundle, which is not edited.
  public internal(set) var history: BundleHistory?

  /// Makes a checked bundle.
  public init(bundle: ModelBundle, files: [(version: String, file: ModelFile)], history: BundleHistory?) {
    (self.bundle, self.files, self.history) = (bundle, files, history)
  }

  /// True for the current version and for a version that can still change, so that you can follow advice about it.
  public func canActOn(_ version: String) -> Bool { version == bundle.currentVersionName || canChange(version) }

  /// The findings of rules about single versions in the version before, if that is released.
  func findingsBefore(_ version: String, rules: [Rule]) -> EarlierFindings {
    guard let earlier = history?.predecessor(of: version), !canChange(earlier.name) else { return EarlierFindings([]) }
    return EarlierFindings(Rule.check(earlier.file, rules: rules))
  }

  /// False for a version with release evidence.
  public func canChange(_ version: String) -> Bool { history?.canChange(version) ?? true }
}

/// The findings in a released version, which become notes in the next version.
struct EarlierFindings {
  private struct Key: Hashable {
    let rule: String
    let element: ModelElement
    let message: String

    init(_ finding: Finding) { (rule, element, message) = (finding.rule, finding.element, finding.message) }
  }

  private let keys: Set<Key>

  init(_ findings: [Finding]) { keys = Set(findings.map(Key.init)) }

  /// The finding; a warning that the earlier version had becomes a note.
  func asBefore(_ finding: Finding) -> Finding {
    keys.isEmpty || !keys.contains(Key(finding)) ? finding : finding.ofUnguardedVersion
  }
}

/// A deleted, moved or excluded bundle of the base or of an orphaned lock file.
public struct DeletedBundle: Hashable, Sendable {
  /// Its earlier path, from the working folder.
  public let path: String
  /// Its released versions in their natural order.
  public let releasedVersions: [String]
  /// The path of the bundle that continues it; nil if it is deleted or excluded.
  public let movedTo: String?
  /// The name of the base, or of the lock file.
  public let base: String
  /// The revision of the base; nil for a folder.
  public let revision: String?
  /// Its path in a folder that is the base.
  var copy: String?
  /// The location of its versions in an orphaned lock file; nil if there is none.
  public let lockLocation: SourceLocation?
  /// The configuration file that excludes it now; nil if it is deleted or moved.
  public let excludedBy: String?

  /// Makes a gone bundle.
  public init(
    path: String, releasedVersions: [String], movedTo: String?, base: String, revision: String? = nil,
    lockLocation: SourceLocation? = nil, excludedBy: String? = nil
  ) {
    (self.path, self.releasedVersions, self.movedTo, self.base) = (path, releasedVersions, movedTo, base)
    (self.revision, self.lockLocation, self.excludedBy) = (revision, lockLocation, excludedBy)
  }
}
