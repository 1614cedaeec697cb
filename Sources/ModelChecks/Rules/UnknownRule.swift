public import ModelDescription

/// An unknown id of a rule.
public struct UnknownRule: Error, Hashable, Sendable {
  /// The id.
  public let id: String
  /// The similar ids, nearest first.
  public let near: [String]

  /// Takes an unknown id.
  public init(_ id: String) {
    self.id = id
    let ids = Rule.all.map(\.id)
    let holding = id.count > 2 ? ids.filter { $0.contains(id) } : []
    near = Array((holding.isEmpty ? NearNames.nearest(to: id, among: ids) : holding).prefix(3))
  }
}

extension UnknownRule: AdvisedError {
  /// Nil, because the cause names the rule.
  public var place: String? { nil }
  /// The id, with the ids that are like it.
  public var cause: String { CommonWords.unknown("rule", id, in: "modelctl", near: near) }
  /// The command that lists the rules; nil if a rule has a similar id.
  public var advice: Advice? { near.isEmpty ? "list all rules: \(run: "modelctl", "check", "--list-rules")" : nil }
}

extension Rule {
  /// The rule with an id; nil if there is no such rule.
  public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }

  static let unusedSuppression = Rule(
    id: "unused-suppression",
    severity: .note,
    purpose: "Remove a userInfo entry that no longer ignores a finding.",
    explanation: """
      An entry `modelctl.ignore` ignores a rule at an entity or property. If you remove the cause but keep the entry, \
      it hides the next finding of the rule there before you see it. Remove the rule from the entry, or remove the \
      entry.
      """,
    subject: .suppressions)
}
