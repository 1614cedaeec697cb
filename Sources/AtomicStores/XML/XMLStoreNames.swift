import ModelDescription

/// Finds the entities and properties of a model by names, compared without case.
struct XMLStoreNames {
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    /// Its name in the model's spelling.
    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
    }
  }

  private let model: EntityHierarchy
  private let entities: [String: [String]]
  private var properties: [String: [String: [Property]]] = [:]

  init(_ model: EntityHierarchy) {
    self.model = model
    entities = Dictionary(grouping: model.entitiesByName.map(\.name)) { $0.uppercased() }
  }

  func entity(_ name: String) throws(UnplacedError) -> EntityDescription {
    let found = entities[name.uppercased()] ?? []
    guard found.count < 2 else { throw UnplacedError(.ambiguousName(name, candidates: found)) }
    guard let entity = found.first.flatMap(model.entity(named:)) else {
      throw UnplacedError(
        .unknownEntity(name, near: NearNames.nearest(to: name, among: model.entitiesByName.map(\.name))))
    }
    return entity
  }

  mutating func property(_ name: String, of entity: String) throws(UnplacedError) -> Property {
    let all = stored(of: entity)
    let found = all[name.lowercased()] ?? []
    guard found.count < 2 else { throw UnplacedError(.ambiguousName(name, candidates: found.map(\.name))) }
    guard let property = found.first else {
      let names = all.values.flatMap { $0 }.map(\.name)
      throw UnplacedError(.unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: names)))
    }
    return property
  }

  func isEntity(_ name: String, kindOf other: String) -> Bool { model.isEntity(name, kindOf: other) }

  private mutating func stored(of entity: String) -> [String: [Property]] {
    if let known = properties[entity] { return known }
    let attributes = model.allAttributes(of: entity).values.filter { !$0.property.isTransient }
      .map { Property.attribute($0.property) }
    let relationships = model.allRelationships(of: entity).values.filter { !$0.property.isTransient }
      .map { Property.relationship($0.property) }
    let all = Dictionary(grouping: (attributes + relationships).sorted { $0.name < $1.name }) { $0.name.lowercased() }
    properties[entity] = all
    return all
  }
}

/// A finding without its location.
struct UnplacedError: Error {
  let finding: StoreDocumentError.Finding

  init(_ finding: StoreDocumentError.Finding) { self.finding = finding }
}
