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
    (self.name, self.kind) = (name, kind)
    (self.source, self.destination) = (source, destination)
    (self.sourceVersionHash, self.destinationVersionHash) = (sourceVersionHash, destinationVersionHash)
    (self.filter, self.attributes) = (filter, attributes)
    (self.relationships, self.policyClassName) = (relationships, policyClassName)
    self.userInfo = userInfo
  }

  /// The name of a mapping that states none.
  public var defaultName: String { EntityMapping.defaultName(source: source, destination: destination) }

  /// The kind of a mapping that states none.
  public var defaultKind: EntityMapping.Kind {
    EntityMapping.defaultKind(source: source, destination: destination, policyClassName: policyClassName)
  }
}

/// What is written about one destination property.
public struct WrittenPropertyMapping: Hashable, Sendable {
  /// Where the value comes from.
  public enum Value: Hashable, Sendable {
    /// As inference says; written for the sake of its user info.
    case inferred
    /// The mapping does not list the property; Core Data leaves it at its default.
    case omitted
    /// An attribute gets its default, a relationship stays empty.
    case unset
    /// An expression.
    case expression(ValueExpression)
    /// SQL over the source row.
    case sql(String)
    /// A relationship's objects: those that the named entity mapping makes of source objects; nil takes the source
    /// relationship that the property continues.
    case made(by: String, from: ValueExpression?)
    /// A relationship's objects: those made of the source objects at a key path, by the one mapping that makes them.
    case madeFrom(ValueExpression)
  }

  /// The destination property; for an element of a composite attribute its path, joined by dots.
  public var name: String
  /// Where the value comes from.
  public var value: Value
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Makes a property mapping.
  public init(name: String, value: Value, userInfo: [String: String] = [:]) {
    (self.name, self.value, self.userInfo) = (name, value, userInfo)
  }
}
