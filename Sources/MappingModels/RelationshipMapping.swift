/// Where a destination relationship's links come from.
public struct RelationshipMapping: Hashable, Sendable {
  /// The source relationship, nil when the destination starts without links.
  public var source: String?
  /// True when the order of an ordered relationship was lost on the way and is made anew.
  public var losesOrder: Bool

  /// Makes a relationship mapping.
  public init(source: String?, losesOrder: Bool = false) {
    self.source = source
    self.losesOrder = losesOrder
  }
}
