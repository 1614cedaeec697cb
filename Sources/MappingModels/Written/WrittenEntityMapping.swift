public import VersionHashing

/// A custom entity mapping: from the objects of a single source entity to the objects of a single destination entity.
public struct WrittenEntityMapping: Hashable, Sendable {
  /// The name that expressions use for the mapping (default: ``defaultName``).
  public var name: String?
  /// The kind (default: ``defaultKind``).
  public var kind: EntityMapping.Kind?
  /// The entity whose objects are read.
  public var source: String?
  /// The entity whose objects are created.
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
  /// The policy class, for work that expressions cannot do.
  public var policyClassName: String?
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Creates an entity mapping.
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
    (self.name, self.kind) = (name, kind)
    (self.source, self.destination) = (source, destination)
    (self.sourceVersionHash, self.destinationVersionHash) = (sourceVersionHash, destinationVersionHash)
    (self.filter, self.attributes) = (filter, attributes)
    (self.relationships, self.policyClassName) = (relationships, policyClassName)
    self.userInfo = userInfo
  }

  /// The name of a mapping without a name of its own.
  public var defaultName: String { EntityMapping.defaultName(source: source, destination: destination) }

  /// The kind of a mapping without a kind of its own.
  public var defaultKind: EntityMapping.Kind {
    EntityMapping.defaultKind(source: source, destination: destination, policyClassName: policyClassName)
  }
}

/// The custom mapping of a single destination property.
public struct WrittenPropertyMapping: Hashable, Sendable {
  /// The origin of the value.
  public enum Value: Hashable, Sendable {
    /// The inferred value; the mapping exists for its user info.
    case inferred
    /// The mapping does not list the property; Core Data leaves it at its default.
    case omitted
    /// The attribute gets its default value, or the relationship is empty.
    case unset
    /// An expression.
    case expression(ValueExpression)
    /// SQL over the source row.
    case sql(String)
    /// The objects that the named entity mapping creates from source objects; nil uses the source relationship that the
    /// property continues.
    case made(by: String, from: ValueExpression?)
    /// The objects that the only suitable mapping creates from the source objects at a key path.
    case madeFrom(ValueExpression)
  }

  /// The destination property; for an element of a composite attribute its path, joined by dots.
  public var name: String
  /// The origin of the value.
  public var value: Value
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Creates a property mapping.
  public init(name: String, value: Value, userInfo: [String: String] = [:]) {
    (self.name, self.value, self.userInfo) = (name, value, userInfo)
  }
}
