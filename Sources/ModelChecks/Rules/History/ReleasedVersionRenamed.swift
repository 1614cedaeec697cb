import ModelDescription
import PersistentStores

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
        RuleIssue(
          .model,
          "version \(lost.name) is named \(successor.name) now, although it is released (\(lost.evidence))",
          fix:
            "\(history.lock == nil ? "" : "record the new name: modelctl lock \(history.lockArgument(successor.name)); or ")"
            + "take the old one back: \(history.renaming(successor, to: lost.name))",
          at: successor.location(of: .model))
      }
    }
  }
}
