import ModelDescription
import ModelFiles

/// The versions of a bundle that are not recorded as released, where something says which are.
public struct UnreleasedVersions: Hashable, Sendable {
  /// The bundle's name.
  public let bundle: String
  /// The versions' names, oldest first; at least one.
  public let names: [String]

  /// Takes a bundle; nil when every version is released, or nothing says which are.
  init?(_ history: BundleHistory) {
    let released = Set(history.released.map(\.name))
    names = history.bundle.versions.map(\.name).filter { !released.contains($0) }
    guard history.isGuarded, !names.isEmpty else { return nil }
    bundle = history.bundle.name
  }
}

extension CheckedProject {
  /// The versions that are not released, bundle by bundle.
  public var unreleased: [UnreleasedVersions] { bundles.compactMap(\.history).compactMap { UnreleasedVersions($0) } }

  /// One error for each bundle whose current version is not recorded as released, for the check of a release.
  var missingReleases: [Finding] {
    bundles.compactMap(\.history).compactMap { history in
      guard let name = history.currentOrNewest, history.lock?.entries[name]?.state != .released else { return nil }
      let state =
        switch history.lock?.entries[name]?.state {
        case .draft: "is a draft in the lock file"
        case nil where history.lock == nil: "is in no lock file"
        default: "is not in the lock file"
        }
      return Finding(
        rule: Rule.lockMissingVersion.id, severity: .error, element: .model,
        location: history.lock?.entries[name]?.location ?? history.currentVersionLocation,
        message: "\(name) is released with \(history.bundle.name) and \(state)",
        fix: "record it: \(command: "modelctl lock \(history.lockArgument(name))")")
    }
  }
}

extension BundleHistory {
  /// The version that an app is released with: the current one, else the newest.
  fileprivate var currentOrNewest: String? {
    bundle.currentVersionName.flatMap { bundle.version(named: $0)?.name } ?? bundle.versions.last?.name
  }
}
