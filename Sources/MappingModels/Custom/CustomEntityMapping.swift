public import VersionHashing

/// How the objects of one source entity become objects of one destination entity.
///
/// Without a source the destination entity starts empty; without a destination the source's objects go.
public struct CustomEntityMapping: Hashable, Sendable {
  /// The kind as `NSEntityMappingType` numbers it; it does not tell whether there is anything to do.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case undefined = 0
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5
  }

  /// The name by which expressions refer to the mapping.
  public var name: String
  /// The kind.
  public var kind: Kind
  /// The entity whose objects are read, exactly that entity and none of its sub-entities.
  public var source: String?
  /// The entity whose objects are made.
  public var destination: String?
  /// The hash of the source entity the mapping was made for, nil when it states none.
  public var sourceVersionHash: VersionHash?
  /// The hash of the destination entity the mapping was made for, nil when it states none.
  public var destinationVersionHash: VersionHash?
  /// Which objects are read, over key paths of the source object; nil reads all.
  public var filter: ValueExpression?
  /// One mapping for each attribute that the mapping knows, sorted by name.
  public var attributeMappings: [CustomPropertyMapping]
  /// One mapping for each relationship that the mapping knows, sorted by name.
  public var relationshipMappings: [CustomPropertyMapping]
  /// The class of the policy that does what expressions cannot.
  public var policyClassName: String?
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Makes an entity mapping.
  public init(
    name: String,
    kind: Kind,
    source: String?,
    destination: String?,
    sourceVersionHash: VersionHash? = nil,
    destinationVersionHash: VersionHash? = nil,
    filter: ValueExpression? = nil,
    attributeMappings: [CustomPropertyMapping] = [],
    relationshipMappings: [CustomPropertyMapping] = [],
    policyClassName: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.kind = kind
    self.source = source
    self.destination = destination
    self.sourceVersionHash = sourceVersionHash
    self.destinationVersionHash = destinationVersionHash
    self.filter = filter
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
    self.policyClassName = policyClassName
    self.userInfo = userInfo
  }
}
