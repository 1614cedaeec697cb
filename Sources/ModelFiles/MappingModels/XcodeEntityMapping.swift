/// An entity mapping as an Xcode mapping model writes it.
public struct XcodeEntityMapping: Hashable, Sendable {
  /// Where it stands in the file.
  public var location: SourceLocation
  /// Its place in the order of mappings, nil when it has none.
  public var number: Int?
  /// Its name when the author gave one.
  public var name: String?
  /// The source entity.
  public var source: String?
  /// The destination entity.
  public var destination: String?
  /// The class of the policy.
  public var policyClassName: String?
  /// The text of the predicate that chooses source objects.
  public var filter: String?
  /// The explicit source expression, which counts only when the expression is not generated.
  public var sourceExpression: ArchivedExpression?
  /// The mappings of attributes in the file's order.
  public var attributeMappings: [XcodePropertyMapping]
  /// The mappings of relationships in the file's order.
  public var relationshipMappings: [XcodePropertyMapping]
  /// The developer's own entries.
  public var userInfo: [String: String]
}

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
