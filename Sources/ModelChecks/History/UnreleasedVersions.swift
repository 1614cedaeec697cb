import ModelDescription
import ModelFiles
public import StoreMigration

/// The versions of a bundle that are not recorded as released, where something says which are.
public struct UnreleasedVersions: Hashable, Sendable {
  /// The bundle's name.
  public let bundle: String
  /// The versions' names, oldest first; at least one.
  public let names: [String]

  /// Takes a bundle; nil when every version is released, or nothing says which are.
  init?(_ history: BundleHistory) {
    let released = Set(history.released.map(\.name))
    names = history.bundle.versions.map(\.name).filter { !released.contains($0) && !history.isRetired($0) }
    guard history.isGuarded, !names.isEmpty else { return nil }
    bundle = history.bundle.name
  }
}

/// The released versions of a bundle of which it is not known whether their stores reach the current version.
public struct UnprovedVersions: Hashable, Sendable {
  /// The bundle's path.
  public let bundle: String
  /// Who migrates the stores.
  public let reader: MigrationReader
  /// The number of released versions besides the current one.
  public let releasedCount: Int
  /// The versions, oldest first, each with the first cause on its path; at least one.
  public let paths: [UnprovedPath]

  /// Takes a bundle; nil where each path is known.
  init?(_ history: BundleHistory) {
    guard let current = history.current else { return nil }
    // Where nothing says which versions users have, all of them count as released.
    let names = Set(history.versions.map(\.name).filter { !history.isGuarded || history.isReleased($0) })
      .subtracting([current.name])
    paths = history.fullMatrix.unproved(names, to: current, by: history.reader).filter { path in
      history.version(named: path.version).map { !history.isReachedMerged(from: $0) } ?? true
    }
    guard !paths.isEmpty else { return nil }
    (bundle, reader, releasedCount) = (history.bundle.path, history.reader, names.count)
  }
}

extension CheckedProject {
  /// The released versions of which it is not known whether their stores reach the current one, bundle by bundle.
  public var unproved: [UnprovedVersions] { bundles.compactMap(\.history).compactMap { UnprovedVersions($0) } }

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
        message: """
          \(name), the current version of the bundle \(history.bundle.name), \(state), and a release needs it recorded
          """,
        fix: "record it: \(command: "modelctl lock \(history.lockArgument(name))")")
    }
  }

  /// The released versions on whose way rows may stand, as their lock files accept it, in words; nil where there are none.
  public var acceptedBlockers: String? {
    let found = bundles.compactMap(\.history).flatMap { history in
      (history.lock?.sortedEntries(.released) ?? []).compactMap { name, entry -> String? in
        guard !entry.mayBlock.isEmpty, history.version(named: name) != nil else { return nil }
        return "\(name) of \(history.bundle.name) (\(NameList.text(entry.mayBlock.sorted())))"
      }
    }
    guard !found.isEmpty else { return nil }
    let subject = found.count == 1 ? "1 released version" : "\(found.count) released versions"
    return """
      \(subject) may refuse stores by their rows, as was accepted: \(NameList.text(found)); try it with: modelctl rehearse
      """
  }
}

extension BundleHistory {
  /// The version that an app is released with: the current one, else the newest.
  fileprivate var currentOrNewest: String? {
    bundle.currentVersionName.flatMap { bundle.version(named: $0)?.name } ?? bundle.versions.last?.name
  }
}
