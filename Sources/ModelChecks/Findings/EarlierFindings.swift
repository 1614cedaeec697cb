import ModelDescription

/// What the rules find in a version that users have, so that the next one need not answer for it.
struct EarlierFindings {
  private struct Key: Hashable {
    let rule: String
    let element: ModelElement
    let message: String

    init(_ finding: Finding) { (rule, element, message) = (finding.rule, finding.element, finding.message) }
  }

  private let keys: Set<Key>

  init(_ findings: [Finding]) { keys = Set(findings.map(Key.init)) }

  /// The finding, a note where it was there before and is no error.
  func asBefore(_ finding: Finding) -> Finding {
    keys.isEmpty || !keys.contains(Key(finding)) ? finding : finding.ofUnguardedVersion
  }
}
