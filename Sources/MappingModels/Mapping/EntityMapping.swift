import ModelDescription
public import VersionHashing

/// A mapping from the objects of a single source entity to the objects of a single destination entity.
///
/// Without a source the destination entity starts empty. Without a destination the source's objects are deleted.
public struct EntityMapping: Hashable, Sendable {
  /// The kind, with the numbers of `NSEntityMappingType`; it does not show if the mapping changes anything.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case undefined = 0
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5
  }

  /// The name that expressions use for the mapping.
  public var name: String
  /// The kind.
  public var kind: Kind
  /// The entity whose objects are read, without its sub-entities.
  public var source: String?
  /// The entity whose objects are created.
  public var destination: String?
  /// The hash of the source entity that the mapping was made for; nil if it has none.
  public var sourceVersionHash: VersionHash?
  /// The hash of the destination entity that the mapping was made for; nil if it has none.
  public var destinationVersionHash: VersionHash?
  /// Which objects are read, over key paths of the source object; nil reads all.
  public var filter: ValueExpression?
  /// The mappings of attributes, sorted by name.
  ///
  /// The name of an element of a composite attribute is its path, joined by dots. An inferred mapping has every stored
  /// attribute, including inherited attributes; it has no attributes if it creates no objects.
  public var attributeMappings: PropertyMappings
  /// The mappings of relationships, sorted by name.
  ///
  /// An inferred mapping has every stored relationship; it has no relationships if it creates no objects.
  public var relationshipMappings: PropertyMappings
  /// The policy class, for work that expressions cannot do.
  public var policyClassName: String?
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Creates an entity mapping.
  ///
  /// The default name is ``defaultName(source:destination:)``, and the default kind is
  /// ``defaultKind(source:destination:policyClassName:)``.
  public init(
    name: String? = nil,
    kind: Kind? = nil,
    source: String?,
    destination: String?,
    sourceVersionHash: VersionHash? = nil,
    destinationVersionHash: VersionHash? = nil,
    filter: ValueExpression? = nil,
    attributeMappings: PropertyMappings = [],
    relationshipMappings: PropertyMappings = [],
    policyClassName: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name ?? Self.defaultName(source: source, destination: destination)
    self.kind =
      kind ?? Self.defaultKind(source: source, destination: destination, policyClassName: policyClassName)
    (self.source, self.destination) = (source, destination)
    (self.sourceVersionHash, self.destinationVersionHash) = (sourceVersionHash, destinationVersionHash)
    (self.filter, self.attributeMappings) = (filter, attributeMappings)
    (self.relationshipMappings, self.policyClassName) = (relationshipMappings, policyClassName)
    self.userInfo = userInfo
  }

  /// Returns Core Data's default name: `SourceToDestination`, or the name of the only entity.
  public static func defaultName(source: String?, destination: String?) -> String {
    guard let source, let destination else { return destination ?? source ?? "" }
    return "\(source)To\(destination)"
  }

  /// Returns the kind that Xcode's compiler writes: a policy makes a mapping custom, and two entities make it a copy.
  public static func defaultKind(source: String?, destination: String?, policyClassName: String?) -> Kind {
    if policyClassName != nil { return .custom }
    if source == nil { return .add }
    return destination == nil ? .remove : .copy
  }

  /// The mappings of the attributes, then the mappings of the relationships.
  public var propertyMappings: [PropertyMapping] { Array(attributeMappings) + Array(relationshipMappings) }

  /// Returns the inferred mapping of an attribute, by leaf path; nil if the attribute has a custom mapping.
  public func attribute(_ path: String) -> AttributeMapping? {
    if case .attribute(let mapping)? = attributeMappings[path] { mapping } else { nil }
  }

  /// Returns the inferred mapping of a relationship; nil if the relationship has a custom mapping.
  public func relationship(_ name: String) -> RelationshipMapping? {
    if case .relationship(let mapping)? = relationshipMappings[name] { mapping } else { nil }
  }

  /// The attributes that inference decided, in order.
  public var inferredAttributes: [(path: String, mapping: AttributeMapping)] {
    attributeMappings.compactMap { property in
      if case .attribute(let mapping) = property.value { (property.name, mapping) } else { nil }
    }
  }

  /// The relationships that inference decided, in order.
  public var inferredRelationships: [(name: String, mapping: RelationshipMapping)] {
    Self.inferred(relationshipMappings)
  }

  /// Returns the inferred relationships that continue a source relationship, in order.
  public func relationships(continuing source: String) -> [(name: String, mapping: RelationshipMapping)] {
    Self.inferred(relationshipMappings.continuing(source))
  }

  private static func inferred(
    _ relationships: some Sequence<PropertyMapping>
  ) -> [(name: String, mapping: RelationshipMapping)] {
    relationships.compactMap { property in
      if case .relationship(let mapping) = property.value { (property.name, mapping) } else { nil }
    }
  }

  /// The expression that fetches the source objects, nil for a mapping that adds an entity.
  ///
  /// Source: `NSEntityMapping.sourceExpression` as Xcode compiles it.
  public var sourceExpression: ValueExpression? {
    source.map { SourceFetch(entity: $0, predicate: filter?.description ?? "TRUEPREDICATE").expression }
  }
}

/// The fetch of source objects in a compiled entity mapping: one entity and the text of a predicate.
///
/// Source: `NSSourceExpression` of compiled mapping models,
/// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), $manager.sourceContext, NO)`.
package struct SourceFetch: Hashable, Sendable {
  /// The entity whose objects are fetched.
  package var entity: String
  /// The text of the predicate; `TRUEPREDICATE` for all objects.
  package var predicate: String

  private static let selector = "fetchRequestForSourceEntityNamed:predicateString:"

  package init(entity: String, predicate: String) { (self.entity, self.predicate) = (entity, predicate) }

  /// Reads a fetch from its expression; nil for any other expression.
  package init?(_ expression: ValueExpression) {
    guard case .fetch(let request, let context, countsOnly: false) = expression,
      context == Self.context,
      case .invocation(of: .variable("manager"), Self.selector, let arguments) = request, arguments.count == 2,
      case .constant(.string(let entity)) = arguments[0], case .constant(.string(let predicate)) = arguments[1]
    else { return nil }
    self.init(entity: entity, predicate: predicate)
  }

  package var expression: ValueExpression {
    .fetch(
      request: .invocation(
        of: .variable("manager"), selector: Self.selector,
        arguments: [.constant(.string(entity)), .constant(.string(predicate))]),
      context: Self.context, countsOnly: false)
  }

  private static let context = ValueExpression.keyPath(["sourceContext"], of: .variable("manager"))
}
