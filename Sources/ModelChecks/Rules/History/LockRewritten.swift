import ModelDescription
import ModelFiles
import VersionHashing

extension Rule {
  static let lockRewritten = Rule(
    id: "lock-rewritten",
    severity: .error,
    purpose: "What the lock file says of released versions is never taken back.",
    explanation: """
      The lock file is the memory of what users have. Removing or rewriting a released entry together with the version \
      silences the guard at the very change it is for. Restore the entry from the base. When the version really never \
      reached users, record it anew with modelctl lock --relock VERSION, which writes down what the entry replaces, so \
      that a reviewer sees it.
      """
  ) { history in
    guard let base = history.baseLock else { return [] }
    let released = base.sortedEntries(.released)
    guard history.lock != nil else {
      guard !released.isEmpty else { return [] }
      return [
        RuleFinding(
          .model, "the lock file is gone, which says that \(NameList.text(released.map(\.key))) are released",
          fix: "bring it back: \(restoringLock(of: history))",
          at: history.currentVersionLocation)
      ]
    }
    return
      released.compactMap { name, entry in
        let now = history.lock?.entries[name]
        if now == nil && history.isRecordedElsewhere(entry.hashes) { return nil }
        if now?.replaces == entry.hashes.checksum { return nil }
        let what: String
        switch now {
        case nil: what = "is not in the lock file any more"
        case let now? where now.state == .draft: what = "is a draft in the lock file now"
        case let now? where now.hashes != entry.hashes: what = "has other hashes in the lock file now"
        default: return nil
        }
        return RuleFinding(
          .model, "\(name) was released and \(what)",
          fix: "restore the entry; \(showingLock(of: history)) shows it",
          at: history.lockLocation(name))
      }
  }

  /// The command that brings a lock file back, also one of a bundle that moved.
  private static func restoringLock(of history: BundleHistory) -> Advice {
    guard let (path, revision) = history.earlierLock else {
      return GitAdvice.restoring(history.lockPath, revision: nil)
    }
    return "\(command: GitAdvice.writing(path, of: revision, to: history.lockPath))"
  }

  /// The command that shows what a lock file was, also one of a bundle that moved.
  private static func showingLock(of history: BundleHistory) -> String {
    guard let (path, revision) = history.earlierLock else { return GitAdvice.history(of: history.lockPath) }
    return GitAdvice.showing(path, of: revision)
  }
}

extension BundleHistory {
  /// Where the base has the lock file of a bundle that moved since, with the revision that git finds it by.
  fileprivate var earlierLock: (path: String, revision: String)? {
    guard let path = baseLockPath, let revision = base?.revision else { return nil }
    return (path, revision)
  }
}
