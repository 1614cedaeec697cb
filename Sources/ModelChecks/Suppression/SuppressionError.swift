public import ModelDescription
public import ModelFiles

/// A suppression that names what is no rule.
public struct SuppressionError: Error, Hashable, Sendable {
  /// The rule that is not there.
  public let rule: UnknownRule
  /// The element that the entry belongs to.
  public let element: ModelElement
  /// Where the element stands.
  public let location: SourceLocation
}

extension SuppressionError: CustomStringConvertible {
  /// The place, the entry, and what to write instead.
  public var description: String {
    "\(location): the userInfo entry “\(Suppression.key)” of \(element): \(rule)"
  }
}
