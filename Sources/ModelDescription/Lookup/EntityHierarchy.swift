import Foundation

/// A model with sound inheritance, and the look-ups along it.
///
/// ```swift
/// let model = ManagedObjectModel(entities: [EntityDescription(name: "Order")])
/// let hierarchy = try EntityHierarchy(model)
/// print(hierarchy.numberedEntities.map(\.name), hierarchy.allAttributes(of: "Order").keys)
/// ```
///
/// ## Topics
///
/// ### Initialization
/// - ``init(_:)``
/// - ``model``
///
/// ### Entities
/// - ``entity(named:)``
/// - ``roots``
/// - ``numberedEntities``
///
/// ### Inheritance
/// - ``superentity(of:)``
/// - ``subentities(of:)``
/// - ``lineage(of:)``
/// - ``family(of:)``
/// - ``rootName(of:)``
/// - ``isEntity(_:kindOf:)``
///
/// ### Properties, including inherited properties
/// - ``allAttributes(of:)``
/// - ``allRelationships(of:)``
public struct EntityHierarchy: Sendable {
  /// The model itself.
  public let model: ManagedObjectModel
  private let positions: [String: Int]
  private let superentities: [Int?]
  private let children: [[Int]]
  private let rootPositions: [Int]
  private let inherited = InheritedProperties()

  /// The identity that copies of a hierarchy share, unique while a copy exists.
  package var identity: ObjectIdentifier { ObjectIdentifier(inherited) }

  /// Checks the inheritance of a model and indexes it.
  ///
  /// - Throws: ``ModelStructureError`` for two entities of the same name, two properties of the same name in an entity, an
  ///   unknown parent, a cycle of parents or of composite types.
  public init(_ model: ManagedObjectModel) throws(ModelStructureError) {
    var positions: [String: Int] = [:]
    for (position, entity) in model.entities.enumerated() {
      guard positions.updateValue(position, forKey: entity.name) == nil else {
        throw .duplicateEntity(name: entity.name)
      }
    }
    var superentities: [Int?] = []
    var children = [[Int]](repeating: [], count: model.entities.count)
    for (position, entity) in model.entities.enumerated() {
      guard let name = entity.superentityName else {
        superentities.append(nil)
        continue
      }
      guard let parent = positions[name] else { throw .unknownSuperentity(entity: entity.name, superentity: name) }
      superentities.append(parent)
      children[parent].append(position)
    }
    try Self.checkPropertyNames(model)
    try Self.checkComposites(model)
    (self.model, self.positions, self.superentities) = (model, positions, superentities)
    let keys = model.entities.map { SiblingOrder($0.name) }
    self.children = children.map { positions in positions.sorted { keys[$0] < keys[$1] } }
    rootPositions = model.entities.indices.filter { superentities[$0] == nil }.sorted { keys[$0] < keys[$1] }
    try checkCycles()
  }

  /// Core Data keeps an entity's properties by name, so it would keep only one of two properties with the same name.
  private static func checkPropertyNames(_ model: ManagedObjectModel) throws(ModelStructureError) {
    var seen: Set<String> = []
    for entity in model.entities {
      seen.removeAll(keepingCapacity: true)
      for attribute in entity.attributes where !seen.insert(attribute.name).inserted {
        throw .duplicateProperty(entity: entity.name, name: attribute.name)
      }
      for relationship in entity.relationships where !seen.insert(relationship.name).inserted {
        throw .duplicateProperty(entity: entity.name, name: relationship.name)
      }
      for property in entity.fetchedProperties where !seen.insert(property.name).inserted {
        throw .duplicateProperty(entity: entity.name, name: property.name)
      }
    }
  }

  /// The elements of types that contain each other would be endless, and a shortened list would have a different hash.
  private static func checkComposites(_ model: ManagedObjectModel) throws(ModelStructureError) {
    guard !model.composites.isEmpty else { return }
    switch CompositeResolution(model).error {
    case nil: return
    case .cycle(let names): throw .compositeCycle(composites: names)
    case .tooDeep(let limit), .tooMany(let limit): throw .compositesTooLarge(limit: limit)
    }
  }

  private func checkCycles() throws(ModelStructureError) {
    var isRooted = [Bool](repeating: false, count: model.entities.count)
    for start in model.entities.indices where !isRooted[start] {
      var path: [Int] = []
      var onPath: Set<Int> = []
      var position: Int? = start
      while let current = position, !isRooted[current] {
        guard onPath.insert(current).inserted else {
          let cycle = path.drop { $0 != current }
          throw .inheritanceCycle(entities: cycle.map { model.entities[$0].name })
        }
        path.append(current)
        position = superentities[current]
      }
      for position in path { isRooted[position] = true }
    }
  }

  /// The entity of this name.
  public func entity(named name: String) -> EntityDescription? { positions[name].map { model.entities[$0] } }

  /// The parent of the entity.
  public func superentity(of name: String) -> EntityDescription? {
    positions[name].flatMap { superentities[$0] }.map { model.entities[$0] }
  }

  /// The entity itself and its ancestors, nearest first.
  public func lineage(of name: String) -> [EntityDescription] {
    var lineage: [EntityDescription] = []
    var position = positions[name]
    while let current = position {
      lineage.append(model.entities[current])
      position = superentities[current]
    }
    return lineage
  }

  /// The topmost ancestor, whose table contains the rows; the name itself for an unknown entity or a root.
  public func rootName(of name: String) -> String { lineage(of: name).last?.name ?? name }

  /// The entities without a parent, in the order of their numbers.
  public var roots: [EntityDescription] { rootPositions.map { model.entities[$0] } }

  /// The direct sub-entities in the order of their numbers.
  public func subentities(of name: String) -> [EntityDescription] {
    positions[name].map { children[$0].map { model.entities[$0] } } ?? []
  }

  /// The entity and all its sub-entities, depth first, in the order of their numbers.
  public func family(of name: String) -> [EntityDescription] { positions[name].map { descendants(from: [$0]) } ?? [] }

  /// The entities at these positions and all their sub-entities, depth first.
  private func descendants(from positions: [Int]) -> [EntityDescription] {
    var family: [EntityDescription] = []
    var stack = Array(positions.reversed())
    while let position = stack.popLast() {
      family.append(model.entities[position])
      stack.append(contentsOf: children[position].reversed())
    }
    return family
  }

  /// Every entity, depth first from each root, in the order of their numbers.
  public var numberedEntities: [EntityDescription] { descendants(from: rootPositions) }

  /// Every entity in the order of names, regardless of parents, as Core Data iterates over a model.
  package var entitiesByName: [EntityDescription] {
    model.entities.map { (key: SiblingOrder($0.name), entity: $0) }.sorted { $0.key < $1.key }.map(\.entity)
  }

  /// True if the entity is the other entity or inherits from it.
  public func isEntity(_ name: String, kindOf other: String) -> Bool { lineage(of: name).contains { $0.name == other } }

  /// A property together with the entity that declares it.
  public struct Declared<Property: Sendable>: Sendable {
    /// The entity of the effective declaration.
    public let entity: EntityDescription
    /// The property as declared there.
    public let property: Property
  }

  /// All attributes of an entity by name, including inherited attributes; an override replaces the inherited attribute.
  public func allAttributes(of name: String) -> [String: Declared<AttributeDescription>] {
    inherited.attributes(of: name) { declared(of: name, \.attributes, name: \.name) }
  }

  /// All relationships of an entity by name, including inherited ones; an override replaces the inherited relationship.
  public func allRelationships(of name: String) -> [String: Declared<RelationshipDescription>] {
    inherited.relationships(of: name) { declared(of: name, \.relationships, name: \.name) }
  }

  /// The inverse of a relationship, which the destination declares or inherits; nil if it has none.
  package func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName, let entity = relationship.destinationEntityName else { return nil }
    return allRelationships(of: entity)[name]?.property
  }

  private func declared<Property: Sendable>(
    of entityName: String,
    _ properties: KeyPath<EntityDescription, [Property]>,
    name: KeyPath<Property, String>
  ) -> [String: Declared<Property>] {
    var all: [String: Declared<Property>] = [:]
    for entity in lineage(of: entityName) {
      for property in entity[keyPath: properties] where all[property[keyPath: name]] == nil {
        all[property[keyPath: name]] = Declared(entity: entity, property: property)
      }
    }
    return all
  }
}

/// The complete property sets of a hierarchy's entities, each computed once, when it is first read.
final class InheritedProperties: @unchecked Sendable {
  private let lock = NSLock()
  private var attributes: [String: [String: EntityHierarchy.Declared<AttributeDescription>]] = [:]
  private var relationships: [String: [String: EntityHierarchy.Declared<RelationshipDescription>]] = [:]

  func attributes(
    of entity: String, make: () -> [String: EntityHierarchy.Declared<AttributeDescription>]
  ) -> [String: EntityHierarchy.Declared<AttributeDescription>] {
    lock.lock()
    defer { lock.unlock() }
    if let known = attributes[entity] { return known }
    let made = make()
    attributes[entity] = made
    return made
  }

  func relationships(
    of entity: String, make: () -> [String: EntityHierarchy.Declared<RelationshipDescription>]
  ) -> [String: EntityHierarchy.Declared<RelationshipDescription>] {
    lock.lock()
    defer { lock.unlock() }
    if let known = relationships[entity] { return known }
    let made = make()
    relationships[entity] = made
    return made
  }
}

/// The order of entities among their siblings: by name without case, as Core Data numbers them.
struct SiblingOrder: Comparable {
  private let caseless: String
  private let name: String

  init(_ name: String) { (self.name, caseless) = (name, name.lowercased()) }

  static func < (first: SiblingOrder, second: SiblingOrder) -> Bool {
    first.caseless == second.caseless
      ? first.name.precedesByBytes(second.name)
      : first.caseless.precedesByBytes(second.caseless)
  }
}
