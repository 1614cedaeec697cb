import ModelDescription
import ModelFiles

extension Rule {
  static let lockMissingVersion = Rule(
    id: "lock-missing-version",
    severity: .warning,
    purpose: "The lock file must list every version that users may have.",
    explanation: """
      modelctl guards only the versions in the lock file. You probably released a version that is older than the \
      current version or than a released version. Record it with `modelctl lock`, or with `modelctl lock --draft` if \
      users do not have stores of it. For a version of a base without a lock file, the finding is a note. So is the \
      finding for a mapping model that migrates released versions.
      """
  ) { history in
    guard let lock = history.lock else { return [] }
    let names = history.bundle.versions.map(\.name)
    let marks = Set(lock.entries.filter { $0.value.state == .released }.keys)
      .union([history.bundle.currentVersionName].compactMap { $0 })
    guard let newest = names.lastIndex(where: marks.contains) else { return [] }
    let renamed = history.lostReleases.compactMap(\.successor?.name)
    return names[..<newest].filter {
      lock.entries[$0] == nil && history.bundle.sequence.isOrdered($0, before: names[newest]) == true
        && !history.isTagged($0) && !renamed.contains($0)
    }.map { name in
      RuleFinding(
        .model, "\(name) is older than \(names[newest]) but not in the lock file, so edits of it go undetected",
        fix: "record it: \(run: "modelctl", "lock", history.lockArgument(name))",
        at: history.lockLocation(name))
    } + history.unrecordedMappings + history.unrecordedBaseVersions
  }
}

extension BundleHistory {
  /// One note for the versions of the base that are not in a lock file, except older versions, which get a warning.
  fileprivate var unrecordedBaseVersions: [RuleFinding] {
    guard let lock, let base, let current else { return [] }
    let names = base.versions.map(\.name).filter { name in
      lock.entries[name] == nil && baseLock?.entries[name] == nil && version(named: name) != nil
        && (name == current.name || isAhead(name)) && !isReleased(name)
    }
    guard let first = names.first else { return [] }
    let arguments = names.map(lockArgument)
    var finding = RuleFinding(
      .model,
      "\(VersionList(names).text) of \(bundle.name) is on \(base.name) but not in a lock file, so edits go undetected",
      fix: """
        record it when you release it: \(run: ["modelctl", "lock"] + arguments); or, until then, as a draft: \
        \(run: ["modelctl", "lock", "--draft"] + arguments)
        """, at: lockLocation(first))
    finding.severity = .note
    return [finding]
  }

  /// One note for the mapping models between released versions whose digests are not in the lock file.
  fileprivate var unrecordedMappings: [RuleFinding] {
    guard let lock else { return [] }
    let pairs = Set(
      mappingDigests.keys.filter { pair in
        guard let entry = lock.entries[pair.destination], entry.state == .released else { return false }
        return entry.mappings[pair.source] == nil
      })
    let paths = mappings.filter {
      pairs.contains(VersionPair(source: $0.source.name, destination: $0.destination.name))
    }
    .map(\.path)
    guard let first = paths.first else { return [] }
    let files = paths.flatMap { ["--mapping", ShellWord.argument($0)] }
    var finding = RuleFinding(
      .model,
      "the lock file does not list \(VersionList(paths).text), which migrates released versions, so edits go undetected",
      fix: "record it: \(run: ["modelctl", "lock", ShellWord.argument(bundle.path)] + files)",
      at: start(ofMapping: first))
    finding.severity = .note
    return [finding]
  }

  /// True for a version that a tag guards, as a lock file would.
  fileprivate func isTagged(_ name: String) -> Bool {
    releases(of: name).contains { if case .tag = $0.evidence { true } else { false } }
  }
}
