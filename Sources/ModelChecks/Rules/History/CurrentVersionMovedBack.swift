import ModelDescription
import ModelFiles

extension Rule {
  static let currentVersionMovedBack = Rule(
    id: "current-version-moved-back",
    severity: .error,
    purpose: "The current version must not be older than a released version.",
    explanation: """
      Your app opens its stores with the current version. If you make an older version current, it must migrate newer \
      stores backwards. Core Data refuses this, or loses the data that the newer version added. A typical cause is a \
      merge that takes the wrong side of .xccurrentversion. Make the newest released version, or a newer version, \
      current again.
      """
  ) { history in
    guard let current = history.bundle.currentVersionName, history.versionNames.contains(current),
      let newest = history.newestReleased, history.bundle.sequence.isOrdered(current, before: newest.name) == true
    else { return [] }
    let why =
      newest.name == history.baseCurrentVersionName
      ? "was current" : "is released"
    return [
      RuleFinding(
        .model, "the current version is the older \(current), although \(newest.name) \(why) (\(newest.evidence))",
        fix: "make \(newest.name) current again: \(run: history.making(current: newest.name))",
        at: history.currentVersionLocation)
    ]
  }
}

extension BundleHistory {
  /// The command that makes a version the current version.
  func making(current version: String) -> [String] {
    ["modelctl", "edit", "current", versionArgument(version), "--model", ShellWord.argument(bundle.path)]
  }

  /// The newest version that the current version must not be older than: a released version, or the base's current one.
  ///
  /// A lock file and an app list only released versions. A base without a lock file also has versions that were never
  /// current, so only its current version counts.
  fileprivate var newestReleased: (name: String, evidence: String)? {
    func isBinding(_ version: Release) -> Bool {
      if case .base = version.evidence { return baseLock != nil || version.name == baseCurrentVersionName }
      if case .compiled = version.evidence { return false }
      return true
    }
    guard let newest = bundle.versions.last(where: { releases(of: $0.name).contains(where: isBinding) })?.name else {
      return nil
    }
    return (newest, releases(of: newest).filter(isBinding).words)
  }
}
