import ModelDescription
import ModelFiles

extension Rule {
  static let releasedVersionRenamed = Rule(
    id: "released-version-renamed",
    severity: .warning,
    purpose: "A version that users have keeps its name.",
    explanation: """
      Core Data recognises versions by their hashes, so stores of a renamed version still open. Their names stand in \
      mapping files, in the lock file and in code that migrates step by step, though, and the order of the versions \
      follows from them. Take the old name back, or record the new one with modelctl lock and correct what names the \
      old one.
      """
  ) { history in
    history.lostReleases.compactMap { lost in
      lost.successor.map { successor in
        RuleFinding(
          .model,
          "version \(lost.name) is named \(successor.name) now, although it is released (\(lost.evidence))",
          fix: fix(history, successor, of: lost), at: successor.location(of: .model))
      }
    }
  }

  private static func fix(_ history: BundleHistory, _ successor: LoadedVersion, of lost: LostRelease) -> Advice {
    let renaming: Advice = "take the old one back: \(command: history.renaming(successor, to: lost.name))"
    guard history.lock != nil else { return renaming }
    let recording = "modelctl lock \(history.lockArgument(successor.name))"
    return "record the new name: \(command: recording); or \(renaming)"
  }
}
