import ModelDescription
import ModelFiles
import VersionHashing

extension Rule {
  static let lockRewritten = Rule(
    id: "lock-rewritten",
    severity: .error,
    purpose: "Do not remove or rewrite entries of released versions in the lock file.",
    explanation: """
      The lock file records the versions that your users have. If you remove or rewrite a released entry together with \
      its version, modelctl cannot report the edited version. Restore the entry from the base. If users never got the \
      version, record it again with `modelctl lock --relock VERSION`; the lock file then shows reviewers the replaced \
      entry. If you no longer support its stores, run `modelctl lock --retire VERSION`. Without a base, modelctl \
      detects a removed entry by the digest of the list of released versions.
      """
  ) { history in
    guard let base = history.baseLock else { return takenOut(history) }
    let released = base.sortedEntries().filter { $0.value.state != .draft }
    guard history.lock != nil else {
      guard !released.isEmpty else { return [] }
      return [
        RuleFinding(
          .model, "the lock file is gone, which says that \(NameList.text(released.map(\.key))) are released",
          fix: "bring it back: \(restoringLock(of: history))",
          at: history.currentVersionLocation)
      ]
    }
    let found =
      released.compactMap { name, entry -> RuleFinding? in
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
    return found.isEmpty ? takenOut(history) : found
  }

  /// What was taken out of a lock file by hand, as its digest and the commits before show.
  private static func takenOut(_ history: BundleHistory) -> [RuleFinding] {
    guard let lock = history.lock else { return [] }
    let place = lock.digest?.location ?? history.lockLocation("")
    let known = Set((history.baseLock?.entries ?? [:]).keys)
    let lost = history.lostEntries.filter { !known.contains($0.name) }
    guard lost.isEmpty else {
      return lost.map { name, revision in
        RuleFinding(
          .model, "\(name) was released and is not in the lock file any more, which held it in \(revision)",
          fix: """
            restore the entry; \(GitAdvice.showing(history.lockPath, of: revision)) shows it; if its stores are not supported \
            any more, then retire it: \(command: "modelctl lock --retire \(ShellWord(name).text) --reason TEXT")
            """, at: place)
      }
    }
    guard !lock.isIntact else { return [] }
    return [
      RuleFinding(
        .model,
        "the list of released versions is not the one that modelctl wrote: an entry was taken out or put in by hand",
        fix: "restore the file; \(GitAdvice.history(of: history.lockPath)) shows what it was", at: place)
    ]
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
