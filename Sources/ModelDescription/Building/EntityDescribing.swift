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
