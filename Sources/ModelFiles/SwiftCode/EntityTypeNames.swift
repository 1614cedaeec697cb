import ModelDescription

/// The names of the types for entities and composite types; as files, they do not differ only in case.
struct EntityTypeNames {
  private var entities: [String: String] = [:]
  private var composites: [String: String] = [:]
  /// The composite types, each name once.
  private(set) var distinctComposites: [CompositeDescription] = []

  /// Names the types of a model.
  ///
  /// - Parameter taken: names that no type may have.
  init(_ model: ManagedObjectModel, taken: Set<String> = []) {
    var names = SwiftNames(taken: taken, ignoresCase: true)
    for entity in model.entities where entities[entity.name] == nil {
      entities[entity.name] = names.name(for: entity.name, .upper, suffix: "Entity")
    }
    for composite in model.composites where composites[composite.name] == nil {
      composites[composite.name] = names.name(for: composite.name, .upper, suffix: "Composite")
      distinctComposites.append(composite)
    }
  }

  func type(ofEntity name: String) -> String { entities[name] ?? "" }

  /// The type that identifies objects of an entity; `Int64` if the model does not have the entity.
  func identifier(ofEntity name: String?) -> String {
    name.flatMap { entities[$0] }.map { "\($0).ObjectID" } ?? "Int64"
  }

  /// The type of an entity; nil if the model does not have the entity.
  func knownType(ofEntity name: String?) -> String? { name.flatMap { entities[$0] } }

  /// The type of a composite type; nil if the model does not have it.
  func type(ofComposite name: String?) -> String? { name.flatMap { composites[$0] } }
}

/// The names in the code of stored types: a type or a property with the same name would hide them.
enum StoredWords {
  static let types: Set<String> = [
    "ModelKit", "ObjectVersion", "Properties", "StoredComposite", "StoredEntity", "StoredObject", "StoredPath",
    "StoredProperties", "StoredProperty", "StoredRecord", "StoredSubobject", "StoredToMany", "StoredToOne",
    "StoredType", "StoredValues", "Superobject", "ObjectLinks",
  ]

  /// The types and what has a meaning of its own in a struct.
  static let properties = types.union(["version", "storedPath"])
}
