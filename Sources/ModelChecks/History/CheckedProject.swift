import ModelDescription
public import ModelFiles
import PersistentStores

/// Everything that is checked in one run.
public struct CheckedProject: Sendable {
  /// Models that belong to no bundle that is checked.
  public var models: [ModelFile]
  /// The bundles, in the order in which they were named or found.
  public var bundles: [CheckedBundle]
  /// The bundles that only the base has.
  public var goneBundles: [GoneBundle]
  /// The bundles that the app merges into one model.
  public var unions: [CheckedUnion]
  /// What could not be read; a run with errors has not checked everything.
  public var errors: [any Error]

  /// What is to be known of the evidence, such as a history that the clone lacks.
  public var notes: [String]
  /// The files of mapping models, of which unions use those between merged models.
  var mappingReadings: [MappingReading] = []

  /// Makes a project.
  public init(
    models: [ModelFile] = [], bundles: [CheckedBundle] = [], goneBundles: [GoneBundle] = [],
    unions: [CheckedUnion] = [], errors: [any Error] = [], notes: [String] = []
  ) {
    (self.models, self.bundles, self.goneBundles) = (models, bundles, goneBundles)
    (self.unions, self.errors, self.notes) = (unions, errors, notes)
  }

  /// Every model, for what is reported of each file.
  public var files: [ModelFile] { models + bundles.flatMap { $0.files.map(\.file) } }
}

/// A bundle that is checked: every version that can be read, and its history where it has one.
public struct CheckedBundle: Sendable {
  /// The bundle as it is now.
  public let bundle: ModelBundle
  /// The models of its versions, oldest first, usable or not, by the versions' names.
  public let files: [(version: String, file: ModelFile)]
  /// What rules about history look at; nil for a compiled bundle, which is made and not edited.
  public internal(set) var history: BundleHistory?

  /// Makes a checked bundle.
  public init(bundle: ModelBundle, files: [(version: String, file: ModelFile)], history: BundleHistory?) {
    (self.bundle, self.files, self.history) = (bundle, files, history)
  }

  /// True for a version that can still be changed, or that the app works with: advice about it can be acted on.
  public func canActOn(_ version: String) -> Bool { version == bundle.currentVersionName || canChange(version) }

  /// What the rules about single versions find in the version before one, as far as users have it.
  func findingsBefore(_ version: String, rules: [Rule]) -> EarlierFindings {
    guard let earlier = history?.predecessor(of: version), !canChange(earlier.name) else { return EarlierFindings([]) }
    return EarlierFindings(Rule.check(earlier.file, rules: rules))
  }

  /// False for a version that users have, as far as anything says so.
  public func canChange(_ version: String) -> Bool { history?.canChange(version) ?? true }
}

/// What the rules find in a version that users have, so that the next one need not answer for it.
struct EarlierFindings {
  private struct Key: Hashable {
    let rule: String
    let element: ModelElement
    let message: String

    init(_ finding: Finding) { (rule, element, message) = (finding.rule, finding.element, finding.message) }
  }

  private let keys: Set<Key>

  init(_ findings: [Finding]) { keys = Set(findings.map(Key.init)) }

  /// The finding, a note where it was there before and is no error.
  func asBefore(_ finding: Finding) -> Finding {
    keys.isEmpty || !keys.contains(Key(finding)) ? finding : finding.ofUnguardedVersion
  }
}

/// A bundle that is not there any more, or left out now, as the base or an orphaned lock file has it.
public struct GoneBundle: Hashable, Sendable {
  /// Where it was, as seen from the working folder.
  public let path: String
  /// The versions of it that users have, in their natural order.
  public let releasedVersions: [String]
  /// The bundle here that continues it, nil when none does.
  public let movedTo: String?
  /// The name of the base, or of the lock file.
  public let base: String
  /// What git finds the base by; nil for a folder.
  public let revision: String?
  /// Its path in a folder that is the base.
  var copy: String?
  /// Where the lock file that stayed behind names its versions, nil when none did.
  public let lockLocation: SourceLocation?
  /// The configuration that leaves it out now, nil when it is not there any more.
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
