import ModelDescription

/// A rule id that no rule has.
public struct UnknownRule: Error, Hashable, Sendable {
  /// The id.
  public let id: String
  /// The ids it may have been meant for, nearest first.
  public let near: [String]

  /// Takes an id that was not found.
  public init(_ id: String) {
    self.id = id
    let ids = Rule.all.map(\.id)
    let holding = id.count > 2 ? ids.filter { $0.contains(id) } : []
    near = Array((holding.isEmpty ? NearNames.nearest(to: id, among: ids) : holding).prefix(3))
  }
}

extension UnknownRule: CustomStringConvertible {
  /// The id, and what to write instead.
  public var description: String {
    "there is no rule “\(id)”" + NearNames.clause(near, else: "; see all with: modelctl check --list-rules")
  }
}

extension Rule {
  /// The rule of an id.
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
