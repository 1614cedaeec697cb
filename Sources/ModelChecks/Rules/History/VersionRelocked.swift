import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

extension Rule {
  static let versionRelocked = Rule(
    id: "version-relocked",
    severity: .note,
    purpose: "If you record a released version again, make sure that users do not have its stores.",
    explanation: """
      `modelctl lock --relock` declares that users do not have stores of the version as you released it. It writes the \
      checksum of the replaced entry into the lock file. If the base has exactly this entry, modelctl reports your \
      edit with this note instead of an error. A reviewer can then agree. modelctl still compares the version with the \
      shipped app and with tags.
      """
  ) { history in
    history.takenBack.map { release in
      RuleFinding(
        .model,
        "\(release.name) was released (\([release].words)) but is a draft now, so modelctl does not guard it any more",
        fix: "make sure that users do not have its stores", at: history.lockLocation(release.name))
    } + history.replaced.map(history.recordedAgain)
  }
}

extension BundleHistory {
  /// The released versions of the base that the lock file now has as drafts with the same hashes, on purpose.
  fileprivate var takenBack: [Release] {
    released.filter { version in
      guard case .base = version.evidence, let entry = lock?.entries[version.name] else { return false }
      return entry.state == .draft && entry.hashes == version.hashes && entry.replaces == version.hashes.checksum
    }
  }

  fileprivate func recordedAgain(_ release: Release) -> RuleFinding {
    let now = lock?.entries[release.name]
    let edits = version(named: release.name).map { version in
      version.edits(since: release.hashes, evidence: [release], among: versions).map(\.words).joined(separator: "; ")
    }
    return RuleFinding(
      .model,
      """
      \(release.name) was released (\([release].words)) and is recorded again, as \(now?.state == .draft ? "a draft" : "released")\
      \(edits.map { ": \($0)" } ?? ""); stores of the released \(release.name) no longer open
      """,
      fix: """
        make sure that users do not have such stores; to compare with the models of a shipped app: \
        \(option: "--against", "APP")
        """,
      at: lockLocation(release.name))
  }
}
