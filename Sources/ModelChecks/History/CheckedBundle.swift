public import ModelFiles
import PersistentStores

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
    self.bundle = bundle
    self.files = files
    self.history = history
  }

  /// True for a version that can still be changed, or that the app works with: advice about it can be acted on.
  public func canActOn(_ version: String) -> Bool {
    version == bundle.currentVersionName || canChange(version)
  }

  /// What the rules about single versions find in the version before one, as far as users have it.
  func findingsBefore(_ version: String, rules: [Rule]) -> EarlierFindings {
    guard let earlier = history?.predecessor(of: version), !canChange(earlier.name) else { return EarlierFindings([]) }
    return EarlierFindings(Rule.check(earlier.file, rules: rules))
  }

  /// False for a version that users have, as far as anything says so.
  public func canChange(_ version: String) -> Bool { history?.canChange(version) ?? true }
}
