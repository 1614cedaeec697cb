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
