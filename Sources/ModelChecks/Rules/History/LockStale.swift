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
            .model, "the draft \(name) is in the lock file but not in the bundle", fix: "remove the entry",
            at: entry.location)
        }
        guard let version = history.version(named: name), version.versionHashes != entry.hashes else { return nil }
        let names = Set(entry.hashes.entities.keys).union(version.versionHashes.entities.keys)
          .filter { entry.hashes.entities[$0] != version.versionHashes.entities[$0] }.sorted()
        return RuleFinding(
          .model, "the draft \(name) has changed since it was recorded: \(NameList.text(names))",
          fix: "record it again: \(run: "modelctl", "lock", "--draft", history.lockArgument(name))",
          at: entry.location)
      }
  }
}

extension BundleHistory {
  /// The findings about retired versions that the bundle still has.
  fileprivate var retiredVersionsHere: [RuleFinding] {
    (lock?.sortedEntries(.retired) ?? []).compactMap { name, entry in
      guard let version = bundle.version(named: name), let retirement = entry.retirement else { return nil }
      return RuleFinding(
        .model, "\(name) is retired (\(retirement.words)), but the bundle still has it",
        fix: """
          delete it: \(run: "git", "rm", "-r", ShellWord.argument(version.path)); or support its stores again: \
          \(run: "modelctl", "lock", "--relock", ShellWord.argument(version.path))
          """, at: entry.location)
    }
  }

  /// The findings about allowed losses that no step loses, of steps that can still change.
  fileprivate var staleConsents: [RuleFinding] {
    (lock?.sortedEntries() ?? []).compactMap { name, entry in
      guard !entry.allowedLosses.isEmpty, version(named: name) != nil, canChange(name) else { return nil }
      let stale = entry.allowedLosses.subtracting(steps(to: name).flatMap(consentNames)).sorted()
      guard !stale.isEmpty else { return nil }
      let isDraft = entry.state == .draft
      return RuleFinding(
        .model,
        "the lock file allows \(name) to lose \(NameList.text(stale)), but migrations to \(name) keep this data",
        fix: isDraft
          ? "record it again: \(run: "modelctl", "lock", "--draft", lockArgument(name))"
          : "remove \(NameList.text(stale)) from allowDataLoss", at: entry.location)
    }
  }
}
