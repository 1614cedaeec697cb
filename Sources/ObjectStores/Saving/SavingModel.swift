import ModelDescription
import PersistentStores
import StoreRows

/// The model in the form that a save needs: the properties of each entity, including inherited ones.
final class SavingModel: Sendable {
  /// A relationship seen from an entity that has it.
  final class Relation: Sendable {
    let description: RelationshipDescription
    let owner: String
    let destination: String
    let destinationRoot: Int
    /// The relationship's inverse, by its name in the destination.
    let inverse: RelationshipDescription?
    let name: String

    init(
      description: RelationshipDescription, owner: String, destination: String, destinationRoot: Int,
      inverse: RelationshipDescription?
    ) {
      (self.description, self.owner, self.destination) = (description, owner, destination)
      (self.destinationRoot, self.inverse, name) = (destinationRoot, inverse, description.name)
    }

    var isToMany: Bool { description.isToMany }
    var address: PropertyAddress { PropertyAddress(entity: owner, property: description.name) }
    /// True if a save checks the number of objects.
    var isCounted: Bool { isToMany && description.counts.isLimited }
    /// True if its objects must be read before it is edited.
    var isListed: Bool { isCounted || description.isOrdered }
    /// True for a to-many without inverse, which is stored in a column of the destination object.
    var isOwned: Bool { isToMany && inverse == nil }
    /// True if it is stored in a join table.
    var isLinked: Bool { isToMany && inverse?.isToMany ?? true }
  }

  /// An entity, shared by its objects.
  final class Entity: Sendable {
    let name: String
    let root: Int
    let isAbstract: Bool
    /// Stored attributes that are not derived, by name.
    let attributes: [AttributeDescription]
    /// The names of the attributes that may have decimal values.
    let decimals: [String]
    /// The paths of attributes, and of elements of composite attributes, that lack a type.
    private let untyped: [[String]]
    /// The initial values of a new object.
    let initialValues: [String: RecordValue]
    /// Stored relationships, by name.
    let relations: [Relation]
    let relationsByName: [String: Relation]
    /// The names of the properties that an update can set.
    let settable: Set<String>
    let constraints: [(entity: String, properties: [String])]

    init(
      _ entity: EntityDescription, root: Int, attributes: [AttributeDescription], relations: [Relation],
      constraints: [(entity: String, properties: [String])]
    ) {
      (name, isAbstract, self.root) = (entity.name, entity.isAbstract, root)
      self.attributes = attributes.sorted { $0.name < $1.name }
      decimals = self.attributes.filter(\.holdsDecimal).map(\.name)
      untyped = attributes.flatMap(\.leaves).filter { $0.attribute.type == .undefined }.map(\.path)
      initialValues = Dictionary(attributes.map { ($0.name, $0.initialValue) }) { first, _ in first }
      self.relations = relations.sorted { $0.name < $1.name }
      relationsByName = Dictionary(relations.map { ($0.name, $0) }) { first, _ in first }
      settable = Set(attributes.map(\.name) + relations.map(\.name))
      self.constraints = constraints
    }

    /// The values of properties without a type, by their paths.
    func untyped(in values: [String: RecordValue]) -> [[String]: RecordValue] {
      untyped.reduce(into: [:]) { found, path in
        guard let value = path.first.flatMap({ values[$0] })?.element(at: path.dropFirst()), value != .null else {
          return
        }
        found[path] = value
      }
    }
  }

  let hierarchy: EntityHierarchy
  let roots: [String]
  private let entities: [String: Entity]

  init(_ hierarchy: EntityHierarchy) {
    self.hierarchy = hierarchy
    roots = hierarchy.roots.map(\.name)
    let positions = Dictionary(roots.enumerated().map { ($1, $0) }) { first, _ in first }
    var entities: [String: Entity] = [:]
    for entity in hierarchy.model.entities {
      let attributes = hierarchy.allAttributes(of: entity.name).values.map(\.property)
        .filter { !$0.isTransient && $0.derivation == nil && $0.type != .objectID }
      let relations = hierarchy.allRelationships(of: entity.name).values.compactMap { declared -> Relation? in
        guard !declared.property.isTransient, let destination = declared.property.destinationEntityName,
          let root = positions[hierarchy.rootName(of: destination)]
        else { return nil }
        let inverse = hierarchy.inverse(of: declared.property)
        return Relation(
          description: declared.property, owner: declared.entity.name, destination: destination, destinationRoot: root,
          inverse: inverse?.isTransient == false ? inverse : nil)
      }
      let constraints = hierarchy.lineage(of: entity.name).flatMap { ancestor in
        ancestor.uniquenessConstraints.filter { !$0.isEmpty }.map { (ancestor.name, $0) }
      }
      entities[entity.name] = Entity(
        entity, root: positions[hierarchy.rootName(of: entity.name)] ?? 0, attributes: attributes, relations: relations,
        constraints: constraints)
    }
    self.entities = entities
  }

  func entity(_ name: String) -> Entity? { entities[name] }

  /// The row of an object; nil for an entity that the model does not have.
  func row(_ id: RecordID) -> RowKey? { entities[id.entity].map { RowKey(root: $0.root, key: id.key) } }
}

/// A row by the root entity of its table.
struct RowKey: Hashable {
  let root: Int
  let key: Int64
}

extension AttributeDescription {
  fileprivate var initialValue: RecordValue {
    if type == .composite {
      let values = Dictionary(elements.map { ($0.name, $0.initialValue) }) { first, _ in first }
      return values.values.allSatisfy { $0 == .null } ? .null : .composite(values)
    }
    return defaultValue.map { .attribute($0) } ?? .null
  }
}
