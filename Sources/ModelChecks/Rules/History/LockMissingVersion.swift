import ModelDescription
import ModelFiles

extension Rule {
  static let lockMissingVersion = Rule(
    id: "lock-missing-version",
    severity: .warning,
    purpose: "The lock file holds every version that users may have.",
    explanation: """
      Only versions in the lock file are guarded. One that is older than the current or a released version has most \
      likely been released, and an edit of it would not be noticed. Record it with modelctl lock, or as a draft when \
      nobody has stores of it.
      """
  ) { history in
    guard let lock = history.lock else { return [] }
    let names = history.bundle.versions.map(\.name)
    let marks =
      lock.entries.filter { $0.value.state == .released }.map(\.key)
      + [history.bundle.currentVersionName]
      .compactMap { $0 }
    guard let newest = names.lastIndex(where: marks.contains) else { return [] }
    let renamed = history.lostVersions.compactMap(\.successor?.name)
    return names[..<newest].filter {
      lock.entries[$0] == nil && history.bundle.sequence.isOrdered($0, before: names[newest]) == true
        && !history.isTagged($0) && !renamed.contains($0)
    }.map { name in
      RuleIssue(
        .model, "\(name) is older than \(names[newest]) and not in the lock file, so an edit of it is not noticed",
        fix: "record it: modelctl lock \(history.lockArgument(name))",
        at: history.lockLocation(name))
    }
  }
}

extension BundleHistory {
  /// True for a version that a tag guards as a lock file would.
  fileprivate func isTagged(_ name: String) -> Bool {
    released.contains { if case .tag = $0.witness { $0.name == name } else { false } }
  }
}
