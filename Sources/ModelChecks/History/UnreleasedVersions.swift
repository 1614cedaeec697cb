public import ModelDescription
import ModelFiles
public import StoreMigration

/// The versions of a bundle that are not released, if there is release evidence.
public struct UnreleasedVersions: Hashable, Sendable {
  /// The bundle's name.
  public let bundle: String
  /// The versions' names, oldest first; at least one.
  public let names: [String]

  /// Takes a bundle; nil if every version is released, or if there is no release evidence.
  init?(_ history: BundleHistory) {
    let released = Set(history.released.map(\.name))
    names = history.bundle.versions.map(\.name).filter { !released.contains($0) && !history.isRetired($0) }
    guard history.isGuarded, !names.isEmpty else { return nil }
    bundle = history.bundle.name
  }
}

/// The released versions of a bundle for which it is unknown whether their stores can reach the current version.
public struct UnprovedVersions: Hashable, Sendable {
  /// The bundle's path.
  public let bundle: String
  /// The reader that migrates the stores.
  public let reader: MigrationReader
  /// The number of released versions without the current version.
  public let releasedCount: Int
  /// The versions, oldest first, each with the first cause on its path; at least one.
  public let paths: [UnprovedPath]

  /// Takes a bundle; nil if each path is known.
  init?(_ history: BundleHistory) {
    guard let current = history.current else { return nil }
    // Without release evidence, all versions count as released.
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
  /// The released versions for which it is unknown whether their stores can reach the current version, by bundle.
  public var unproved: [UnprovedVersions] { bundles.compactMap(\.history).compactMap { UnprovedVersions($0) } }

  /// The versions that are not released, by bundle.
  public var unreleased: [UnreleasedVersions] { bundles.compactMap(\.history).compactMap { UnreleasedVersions($0) } }

  /// One error for each bundle whose current version is not recorded as released.
  var missingReleases: [Finding] {
    bundles.compactMap(\.history).compactMap { history in
      guard let name = history.currentOrNewest, history.lock?.entries[name]?.state != .released else { return nil }
      let state =
        switch history.lock?.entries[name]?.state {
        case .draft: "is a draft in the lock file"
        case nil where history.lock == nil: "does not have a lock file"
        default: "is not in the lock file"
        }
      return Finding(
        rule: Rule.lockMissingVersion.id, severity: .error, element: .model,
        location: history.lock?.entries[name]?.location ?? history.currentVersionLocation,
        message: """
          \(name), the current version of the bundle \(history.bundle.name), \(state), but a release must record it
          """,
        fix: "record it: \(run: "modelctl", "lock", history.lockArgument(name))")
    }
  }

  /// The released versions whose accepted blockers may refuse stores, with the command that tests them; nil if there are none.
  public var acceptedBlockers: Advice? {
    let found = bundles.compactMap(\.history).flatMap { history in
      (history.lock?.sortedEntries(.released) ?? []).compactMap { name, entry -> String? in
        guard !entry.mayBlock.isEmpty, history.version(named: name) != nil else { return nil }
        return "\(name) of \(history.bundle.name) (\(NameList.text(entry.mayBlock.sorted())))"
      }
    }
    guard !found.isEmpty else { return nil }
    let subject = found.count == 1 ? "1 released version" : "\(found.count) released versions"
    return """
      \(subject) may refuse stores because of accepted blockers: \(NameList.text(found)); to test this: \
      \(run: "modelctl", "rehearse")
      """
  }
}

extension BundleHistory {
  /// The version of a release: the current version, or the newest if there is no current version.
  fileprivate var currentOrNewest: String? {
    bundle.currentVersionName.flatMap { bundle.version(named: $0)?.name } ?? bundle.versions.last?.name
  }
}
