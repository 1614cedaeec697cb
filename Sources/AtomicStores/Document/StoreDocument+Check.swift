import MappingModels
public import ModelDescription
import ModelFiles
import StoreRows

extension StoreDocument {
  /// Finds the first thing in a document that no store of a model can hold, so that a kind of store need not look for it.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - path: the file that the document comes from, for messages.
  /// - Throws: ``StoreDocumentError``: an entity or property that the model lacks, a key that two objects have, a value of another
  ///   type, a link to an object that is not there or not of the relationship's entity.
  public func check(against model: EntityHierarchy, path: String) throws(StoreDocumentError) {
    var entities: [String: [Int64: String]] = [:]
    for id in objects.map(\.id) {
      let place = StoreDocumentError.Place.object("\(id)", property: nil)
      guard let entity = model.entity(named: id.entity) else {
        let near = NearNames.nearest(to: id.entity, among: model.model.entities.map(\.name))
        throw StoreDocumentError(path: path, place, .unknownEntity(id.entity, near: near))
      }
      guard !entity.isAbstract else { throw StoreDocumentError(path: path, place, .abstractEntity(id.entity)) }
      let root = model.rootName(of: id.entity)
      guard entities[root, default: [:]].updateValue(id.entity, forKey: id.key) == nil else {
        throw StoreDocumentError(path: path, place, .duplicateKey("\(root) \(id.key)"))
      }
    }
    func isThere(_ id: RecordID, in family: Set<String>) -> Bool {
      family.contains(id.entity) && entities[model.rootName(of: id.entity)]?[id.key] == id.entity
    }
    for (entity, objects) in Dictionary(grouping: objects, by: \.id.entity).sorted(by: { $0.key < $1.key }) {
      let attributes = model.allAttributes(of: entity)
      let relationships = model.allRelationships(of: entity)
      let families = relationships.mapValues { relationship in
        Set(model.family(of: relationship.property.destinationEntityName ?? "").map(\.name))
      }
      for object in objects {
        for (name, value) in object.values {
          let finding: StoreDocumentError.Finding?
          if let attribute = attributes[name]?.property {
            finding =
              value.fits(attribute)
              ? nil : .value(value.shortText, property: name, type: attribute.type.name)
          } else if let relationship = relationships[name]?.property {
            finding = value.finding(of: relationship) { isThere($0, in: families[name] ?? []) }
          } else {
            let near = NearNames.nearest(to: name, among: attributes.keys.sorted() + relationships.keys.sorted())
            finding = .unknownProperty(name, entity: entity, near: near)
          }
          if let finding { throw StoreDocumentError(path: path, .object("\(object.id)", property: name), finding) }
        }
      }
    }
  }
}

extension RecordValue {
  /// True when an attribute can have the value.
  fileprivate func fits(_ attribute: AttributeDescription) -> Bool {
    switch (self, attribute.type) {
    case (.null, _), (.attribute, .undefined), (.transformed, .transformable): true
    case (.attribute(let value), let type): value.suits(type)
    case (.composite(let values), .composite):
      values.allSatisfy { name, value in
        attribute.elements.first { $0.name == name }.map(value.fits) ?? false
      }
    default: false
    }
  }

  /// What is wrong with the value of a relationship.
  fileprivate func finding(
    of relationship: RelationshipDescription, isThere: (RecordID) -> Bool
  ) -> StoreDocumentError.Finding? {
    switch self {
    case .null: return nil
    case .object(let id) where !relationship.isToMany:
      return isThere(id) ? nil : .danglingLink("\(id)", property: relationship.name)
    case .objects(let ids) where relationship.isToMany:
      if let id = ids.first(where: { !isThere($0) }) { return .danglingLink("\(id)", property: relationship.name) }
      return Set(ids).count == ids.count
        ? nil : .malformed("\(relationship.name) leads to an object a second time")
    default:
      return .value(
        shortText, property: relationship.name, type: relationship.isToMany ? "to-many link" : "to-one link")
    }
  }

  /// The value in a message.
  var shortText: String {
    switch self {
    case .null: "nothing"
    case .attribute(let value): String((value.text ?? "\(value)").prefix(40))
    case .transformed, .external: "data"
    case .composite: "a composite value"
    case .object(let id): "\(id)"
    case .objects(let ids): "\(ids.count) objects"
    }
  }
}
