/// A mapping of an attribute or a relationship as an Xcode mapping model writes it.
public struct XcodePropertyMapping: Hashable, Sendable {
  /// Where it stands in the file.
  public var location: SourceLocation
  /// The destination property.
  public var name: String
  /// The author's value expression; it wins over a generated one.
  public var expression: ArchivedExpression?
  /// The key path of the source objects of a relationship.
  public var sourceKeyPath: String?
  /// The entity mapping that made the objects of a relationship.
  public var sourceMappingName: String?
  /// False when a relationship without an expression stays empty.
  public var generatesExpression: Bool
  /// The developer's own entries.
  public var userInfo: [String: String]
}
