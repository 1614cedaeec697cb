import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

extension Rule {
  static let lockStale = Rule(
    id: "lock-stale",
    severity: .warning,
    purpose: "The lock file must describe drafts as they are now.",
    explanation: """
      You may change a draft, but record it again each time. The lock file then shows the model that your next release \
      freezes. Two branches that change the same draft conflict in git. The rule also reports entries of deleted \
      drafts, retired versions still in the bundle, and allowed losses that no longer occur. Record the draft again \
      with `modelctl lock --draft`, or remove the entry.
      """
  ) { history in
    let entries = history.lock?.sortedEntries(.draft) ?? []
    return history.staleConsents + history.retiredVersionsHere
      + entries.compactMap { name, entry in
        guard history.versionNames.contains(name) else {
          return RuleFinding(
            .model, "the draft \(name) is in the lock file, but not in the bundle", fix: "remove the entry",
            at: entry.location)
        }
        guard let version = history.version(named: name), version.versionHashes != entry.hashes else { return nil }
        let names = Set(entry.hashes.entities.keys).union(version.versionHashes.entities.keys)
          .filter { entry.hashes.entities[$0] != version.versionHashes.entities[$0] }.sorted()
        return RuleFinding(
          .model, "the draft \(name) has changed since it was recorded: \(NameList.text(names))",
          fix: "record it again: \(command: "modelctl lock --draft \(history.lockArgument(name))")",
          at: entry.location)
      }
  }
}

extension BundleHistory {
  /// The versions whose support ended and that are in the bundle still.
  fileprivate var retiredVersionsHere: [RuleFinding] {
    (lock?.sortedEntries(.retired) ?? []).compactMap { name, entry in
      guard let version = bundle.version(named: name), let retirement = entry.retirement else { return nil }
      return RuleFinding(
        .model, "\(name) is retired (\(retirement.words)), and the bundle still has it",
        fix: """
          delete it: \(command: "git rm -r \(ShellWord(path: version.path).text)"); or support its stores again: \
          \(command: "modelctl lock --relock \(ShellWord(path: version.path).text)")
          """, at: entry.location)
    }
  }

  /// The consents on steps that can still change, to what is not lost there.
  fileprivate var staleConsents: [RuleFinding] {
    (lock?.sortedEntries() ?? []).compactMap { name, entry in
      guard !entry.allowedLosses.isEmpty, version(named: name) != nil, canChange(name) else { return nil }
      let stale = entry.allowedLosses.subtracting(steps(to: name).flatMap(consentNames)).sorted()
      guard !stale.isEmpty else { return nil }
      let isDraft = entry.state == .draft
      return RuleFinding(
        .model, "\(name) may lose \(NameList.text(stale)), which is not lost on the way to it",
        fix: isDraft
          ? "record it again: \(command: "modelctl lock --draft \(lockArgument(name))")"
          : "take \(NameList.text(stale)) out of allowDataLoss", at: entry.location)
    }
  }
}
