public import VersionHashing

/// How the objects of one source entity become objects of one destination entity, as written by hand.
public struct WrittenEntityMapping: Hashable, Sendable {
  /// The name by which expressions refer to the mapping; nil takes ``defaultName``.
  public var name: String?
  /// The kind; nil takes ``defaultKind``.
  public var kind: EntityMapping.Kind?
  /// The entity whose objects are read.
  public var source: String?
  /// The entity whose objects are made.
  public var destination: String?
  /// The hash of the source entity the mapping is made for.
  public var sourceVersionHash: VersionHash?
  /// The hash of the destination entity the mapping is made for.
  public var destinationVersionHash: VersionHash?
  /// Which objects are read; nil reads all.
  public var filter: ValueExpression?
  /// The attributes that are not left to inference.
  public var attributes: [WrittenPropertyMapping]
  /// The relationships that are not left to inference.
  public var relationships: [WrittenPropertyMapping]
  /// The class of the policy that does what expressions cannot.
  public var policyClassName: String?
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Makes an entity mapping.
  public init(
    name: String? = nil,
    kind: EntityMapping.Kind? = nil,
    source: String? = nil,
    destination: String? = nil,
    sourceVersionHash: VersionHash? = nil,
    destinationVersionHash: VersionHash? = nil,
    filter: ValueExpression? = nil,
    attributes: [WrittenPropertyMapping] = [],
    relationships: [WrittenPropertyMapping] = [],
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
    self.attributes = attributes
    self.relationships = relationships
    self.policyClassName = policyClassName
    self.userInfo = userInfo
  }
}

extension WrittenEntityMapping {
  /// The name of a mapping that states none.
  public var defaultName: String { EntityMapping.defaultName(source: source, destination: destination) }

  /// The kind of a mapping that states none.
  public var defaultKind: EntityMapping.Kind {
    EntityMapping.defaultKind(source: source, destination: destination, policyClassName: policyClassName)
  }
}
