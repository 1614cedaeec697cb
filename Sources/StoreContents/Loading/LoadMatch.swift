/// An attribute by which objects of a text are matched with those of a store, such as `Customer.number`.
public struct LoadMatch: Hashable, Sendable {
  /// The entity; those below it are matched, too.
  public let entity: String
  /// The attribute.
  public let attribute: String

  /// Names an attribute.
  public init(entity: String, attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

  /// Reads `Entity.attribute`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(entity: parts[0], attribute: parts[1])
  }
}
