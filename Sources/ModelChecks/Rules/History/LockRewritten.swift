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
          .model, "the lock file is missing, although it recorded \(NameList.text(released.map(\.key))) as released",
          fix: "restore it: \(restoringLock(of: history))",
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
        case let now? where now.hashes != entry.hashes: what = "has different hashes in the lock file now"
        default: return nil
        }
        return RuleFinding(
          .model, "\(name) was released but \(what)",
          fix: "restore the entry\(showingLock(of: history))",
          at: history.lockLocation(name))
      }
    return found.isEmpty ? takenOut(history) : found
  }

  /// The findings about entries that were removed by hand, as the digest and the earlier commits show.
  private static func takenOut(_ history: BundleHistory) -> [RuleFinding] {
    guard let lock = history.lock else { return [] }
    let place = lock.digest?.location ?? history.lockLocation("")
    let known = Set((history.baseLock?.entries ?? [:]).keys)
    let lost = history.lostEntries.filter { !known.contains($0.name) }
    guard lost.isEmpty else {
      return lost.map { name, revision in
        RuleFinding(
          .model, "\(name) was released but is not in the lock file any more; \(revision) has its entry",
          fix: """
            restore the entry; to see it: \(command: GitAdvice.showing(history.lockPath, of: revision)); or, if its stores \
            are not supported any more, retire it: \(run: "modelctl", "lock", "--retire", name, "--reason", "TEXT")
            """, at: place)
      }
    }
    guard !lock.isIntact else { return [] }
    return [
      RuleFinding(
        .model,
        "the list of released versions is not as modelctl wrote it: an entry was added or removed by hand",
        fix: "restore the file\(showingHistory(of: history))", at: place)
    ]
  }

  /// The command that restores a lock file, even if its bundle moved.
  private static func restoringLock(of history: BundleHistory) -> Advice {
    guard let (path, revision) = history.earlierLock else {
      return GitAdvice.restoring(history.lockPath, revision: nil)
    }
    return "\(command: GitAdvice.writing(path, of: revision, to: history.lockPath))"
  }

  /// The command that shows the earlier lock file, even if its bundle moved.
  private static func showingLock(of history: BundleHistory) -> Advice {
    guard let (path, revision) = history.earlierLock else { return showingHistory(of: history) }
    return "; to see it: \(command: GitAdvice.showing(path, of: revision))"
  }

  /// The command that shows the commits of the lock file; empty without git.
  private static func showingHistory(of history: BundleHistory) -> Advice {
    guard GitAdvice.canRun(at: history.lockPath) else { return "" }
    return "; to see its history: \(command: GitAdvice.history(of: history.lockPath))"
  }
}

extension BundleHistory {
  /// The path and the git revision of the lock file in the base, if its bundle moved since then.
  fileprivate var earlierLock: (path: String, revision: String)? {
    guard let path = baseLockPath, let revision = base?.revision else { return nil }
    return (path, revision)
  }
}
