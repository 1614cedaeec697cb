/// Something that an entity is made of in code: a property, an index, a constraint.
public protocol EntityComponent: Sendable {
  /// Adds it to the entity, after what stands above it.
  func add(to draft: inout EntityDraft)
}

/// An entity while its parts are put together.
public struct EntityDraft: Sendable {
  /// The entity so far.
  public var entity: EntityDescription
  /// What attributes that do not say whether their values are scalars have.
  public let scalarValues: ScalarValues
  /// True when properties that do not say whether they are syncable are.
  public let propertiesAreSyncable: Bool
}

/// What stands between the braces of an entity.
public struct EntityContents: Sendable {
  let components: [any EntityComponent]

  init(components: [any EntityComponent]) { self.components = components }

  /// Groups parts, such as those that several entities have in common.
  public init(@EntityBuilder _ contents: () -> EntityContents) { self = contents() }
}

extension EntityContents: EntityComponent {
  /// Adds every part in order.
  public func add(to draft: inout EntityDraft) { for component in components { component.add(to: &draft) } }
}

/// Puts the parts of an entity together; `if`, `switch`, `for` and optional parts work as in any Swift code.
@resultBuilder
public enum EntityBuilder {
  /// Takes a part of the entity.
  public static func buildExpression(_ component: some EntityComponent) -> EntityContents {
    EntityContents(components: [component])
  }

  /// Puts parts one after the other.
  public static func buildBlock(_ parts: EntityContents...) -> EntityContents { buildArray(parts) }

  /// Puts the parts of a loop one after the other.
  public static func buildArray(_ parts: [EntityContents]) -> EntityContents {
    EntityContents(components: parts.flatMap(\.components))
  }

  /// Takes the part of an `if` without an `else`.
  public static func buildOptional(_ part: EntityContents?) -> EntityContents { part ?? EntityContents(components: []) }

  /// Takes the first part of an `if` with an `else`.
  public static func buildEither(first part: EntityContents) -> EntityContents { part }

  /// Takes the other part of an `if` with an `else`.
  public static func buildEither(second part: EntityContents) -> EntityContents { part }

  /// Takes a part that only some platforms have.
  public static func buildLimitedAvailability(_ part: EntityContents) -> EntityContents { part }
}

// The values themselves are parts as well, for what has no form of its own in code.

extension EntityDescription: ModelComponent {
  /// Adds the entity to a model.
  public func add(to model: inout ManagedObjectModel) { model.entities.append(self) }
}

extension AttributeDescription: EntityComponent, CompositeComponent {
  /// Adds the attribute to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.attributes.append(self) }

  /// The attribute itself.
  public func attributeDescription(scalarValues: ScalarValues) -> AttributeDescription { self }
}

extension RelationshipDescription: EntityComponent {
  /// Adds the relationship to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.relationships.append(self) }
}

extension FetchedPropertyDescription: EntityComponent {
  /// Adds the fetched property to an entity, as it is.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchedProperties.append(self) }
}

extension FetchIndexDescription: EntityComponent {
  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchIndexes.append(self) }
}

/// A type that describes its own entity, so that the description stands beside the code that works with it.
///
/// ```swift
/// struct Order: EntityDescribing {
///   static let entity = Entity("Order") {
///     Attribute("number", .integer64, default: 0)
///     Relationship("customer", toOne: Customer.self, inverse: "orders")
///   }
/// }
/// ```
///
/// A model is made of such types with `ManagedObjectModel { Order.self; Customer.self }`, a type on a line.
public protocol EntityDescribing: SendableMetatype {
  /// The entity.
  ///
  /// Other types are only named in it; their entities are asked for their names when the model is made, so that two
  /// descriptions may name each other.
  static var entity: Entity { get }
}

/// The entity of a type as a part of a model.
struct DescribedEntity<Described: EntityDescribing>: ModelComponent {
  func add(to model: inout ManagedObjectModel) { Described.entity.add(to: &model) }
}

/// The name of an entity, given as text or by the type that describes it.
struct EntityReference: Sendable {
  private let resolve: @Sendable () -> String

  init(_ name: String) { resolve = { name } }

  init<Described: EntityDescribing>(_ type: Described.Type) { resolve = { Described.entity.name } }

  var name: String { resolve() }
}
