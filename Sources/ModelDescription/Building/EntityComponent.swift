/// A part of an entity in code: a property, an index or a constraint.
public protocol EntityComponent: Sendable {
  /// Adds the part to the entity, after the parts above it.
  func add(to draft: inout EntityDraft)
}

/// An entity while it is built.
public struct EntityDraft: Sendable {
  /// The entity so far.
  public var entity: EntityDescription
  /// The scalar setting of attributes without their own setting.
  public let scalarValues: ScalarValues
  /// The sync flag of properties without their own setting.
  public let propertiesAreSyncable: Bool
}

/// The contents of an entity in code.
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

/// Builds the parts of an entity; `if`, `switch`, `for` and optional parts work as in any Swift code.
@resultBuilder
public enum EntityBuilder {
  /// Takes a part of the entity.
  public static func buildExpression(_ component: some EntityComponent) -> EntityContents {
    EntityContents(components: [component])
  }

  /// Joins parts.
  public static func buildBlock(_ parts: EntityContents...) -> EntityContents { buildArray(parts) }

  /// Joins the parts of a loop.
  public static func buildArray(_ parts: [EntityContents]) -> EntityContents {
    EntityContents(components: parts.flatMap(\.components))
  }

  /// Takes the part of an `if` without an `else`.
  public static func buildOptional(_ part: EntityContents?) -> EntityContents { part ?? EntityContents(components: []) }

  /// Takes the first part of an `if` with an `else`.
  public static func buildEither(first part: EntityContents) -> EntityContents { part }

  /// Takes the second part of an `if` with an `else`.
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
  /// Adds the attribute to an entity unchanged.
  public func add(to draft: inout EntityDraft) { draft.entity.attributes.append(self) }

  /// The attribute itself.
  public func attributeDescription(scalarValues: ScalarValues) -> AttributeDescription { self }
}

extension RelationshipDescription: EntityComponent {
  /// Adds the relationship to an entity unchanged.
  public func add(to draft: inout EntityDraft) { draft.entity.relationships.append(self) }
}

extension FetchedPropertyDescription: EntityComponent {
  /// Adds the fetched property to an entity unchanged.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchedProperties.append(self) }
}

extension FetchIndexDescription: EntityComponent {
  /// Adds the index to an entity.
  public func add(to draft: inout EntityDraft) { draft.entity.fetchIndexes.append(self) }
}

/// A type that describes its own entity, so that the description is beside the code that uses it.
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
/// Make a model from such types with `ManagedObjectModel { Order.self; Customer.self }`, one type per line.
public protocol EntityDescribing: SendableMetatype {
  /// The entity.
  ///
  /// It only names other types. Their entities are evaluated when the model is made, so two descriptions can name each
  /// other.
  static var entity: Entity { get }
}

/// The entity of a type as a part of a model.
struct DescribedEntity<Described: EntityDescribing>: ModelComponent {
  func add(to model: inout ManagedObjectModel) { Described.entity.add(to: &model) }
}

/// The name of an entity, as text or from the type that describes it.
struct EntityReference: Sendable {
  private let resolve: @Sendable () -> String

  init(_ name: String) { resolve = { name } }

  init<Described: EntityDescribing>(_ type: Described.Type) { resolve = { Described.entity.name } }

  var name: String { resolve() }
}
