import MappingModels
public import ModelDescription
import ModelFiles
public import PersistentStores
public import StoreRows

/// The metadata and the objects of a store as one value, for any store type.
///
/// Values are those of `RecordReading`, but external binary data is in the document (`RecordValue.external` does not
/// occur). Derived attributes have the values of the store.
public struct StoreDocument: Hashable, Sendable {
  /// An object with its attributes and relationships by name.
  public struct Object: Hashable, Sendable {
    /// The identifier of the object; keys are unique among the objects of a root entity.
    public var id: RecordID
    /// Its attributes and relationships.
    ///
    /// Missing values and empty to-many relationships may be omitted.
    public var values: [String: RecordValue]

    /// Names an object and its values.
    public init(id: RecordID, values: [String: RecordValue]) { (self.id, self.values) = (id, values) }
  }

  /// The metadata of the store.
  public var metadata: StoreMetadata
  /// The objects, by entity and key.
  public var objects: [Object]
  /// The last used key of each root entity, by its name.
  ///
  /// If a root entity is missing, it is the highest existing key.
  public var lastKeys: [String: Int64]

  /// Creates a document; the objects are sorted by entity and key.
  public init(metadata: StoreMetadata, objects: [Object], lastKeys: [String: Int64] = [:]) {
    self.metadata = metadata
    self.objects = objects.sorted { ($0.id.entity, $0.id.key) < ($1.id.entity, $1.id.key) }
    self.lastKeys = lastKeys
  }

  /// Finds the first part of a document that no store of a model can contain.
  ///
  /// Store types need not check this themselves.
  ///
  /// - Parameters:
  ///   - model: the store's model.
  ///   - path: the path of the document's file, for messages.
  /// - Throws: ``StoreDocumentError`` for an unknown entity or property, a duplicate key, a value of another type, or a
  ///   link to a missing object or an object of a different entity.
  public func check(against model: EntityHierarchy, path: String) throws(StoreDocumentError) {
    var entities: [String: [Int64: String]] = [:]
    for id in objects.map(\.id) {
      let location = StoreDocumentError.Location.object("\(id)", property: nil)
      guard let entity = model.entity(named: id.entity) else {
        let near = NearNames.nearest(to: id.entity, among: model.model.entities.map(\.name))
        throw StoreDocumentError(path: path, location, .unknownEntity(id.entity, near: near))
      }
      guard !entity.isAbstract else { throw StoreDocumentError(path: path, location, .abstractEntity(id.entity)) }
      let root = model.rootName(of: id.entity)
      guard entities[root, default: [:]].updateValue(id.entity, forKey: id.key) == nil else {
        throw StoreDocumentError(path: path, location, .duplicateKey("\(root) \(id.key)"))
      }
    }
    func isThere(_ id: RecordID) -> Bool { entities[model.rootName(of: id.entity)]?[id.key] == id.entity }
    var fit = FitCheck(of: model)
    for object in objects {
      guard let (name, finding) = fit.finding(in: object, isThere: isThere) else { continue }
      throw StoreDocumentError(path: path, .object("\(object.id)", property: name), finding)
    }
  }

  /// A value or an object that no store of a model can contain.
  package struct Removal {
    /// The object.
    package let object: RecordID
    /// The property; nil for the object itself.
    package let property: String?
    /// The cause, in words.
    package let finding: StoreDocumentError.Finding
  }

  /// Removes the parts that no store of a model can contain, except dangling links.
  ///
  /// - Returns: the removed parts, in the order of the objects.
  package mutating func removeUnfit(of model: EntityHierarchy) -> [Removal] {
    var removals: [Removal] = []
    var seen: Set<RecordID> = []
    objects.removeAll { object in
      let finding: StoreDocumentError.Finding?
      if let entity = model.entity(named: object.id.entity) {
        let place = RecordID(entity: model.rootName(of: entity.name), key: object.id.key)
        finding =
          entity.isAbstract
          ? .abstractEntity(entity.name) : seen.insert(place).inserted ? nil : .duplicateKey("\(object.id)")
      } else {
        finding = .unknownEntity(object.id.entity, near: [])
      }
      if let finding { removals.append(Removal(object: object.id, property: nil, finding: finding)) }
      return finding != nil
    }
    for position in objects.indices {
      let id = objects[position].id
      let attributes = model.allAttributes(of: id.entity)
      let relationships = model.allRelationships(of: id.entity)
      for (name, value) in objects[position].values {
        let finding: StoreDocumentError.Finding?
        if let attribute = attributes[name]?.property {
          finding =
            value.fits(attribute) ? nil : .value(value.shortText, property: name, type: attribute.type.name)
        } else if let relationship = relationships[name]?.property {
          finding = value.finding(of: relationship) { _ in true }
        } else {
          finding = .unknownProperty(name, entity: id.entity, near: [])
        }
        guard let finding else { continue }
        objects[position].values[name] = nil
        removals.append(Removal(object: id, property: name, finding: finding))
      }
    }
    return removals
  }

  /// Removes the dangling links, which an SQLite store may have and a document may not.
  ///
  /// A link is corrected if its object exists with a different entity of its family.
  ///
  /// - Returns: the links in the order of the objects.
  @discardableResult
  public mutating func removeLinksToNothing(of model: EntityHierarchy) -> [LinkToNothing] {
    let present = PresentObjects(objects.lazy.map(\.id), of: model)
    var removed: [LinkToNothing] = []
    for position in objects.indices { removed += present.removeLinksToNothing(from: &objects[position]) }
    return removed
  }
}

/// Holds the values of objects against the model.
struct FitCheck {
  private typealias Properties = (
    attributes: [String: AttributeDescription], relationships: [String: RelationshipDescription],
    families: [String: Set<String>]
  )

  private let model: EntityHierarchy
  private var properties: [String: Properties] = [:]

  init(of model: EntityHierarchy) { self.model = model }

  /// Finds the first invalid value.
  ///
  /// - Parameter isThere: returns true if the destination object of a link exists.
  mutating func finding(
    in object: StoreDocument.Object, isThere: (RecordID) -> Bool
  ) -> (property: String, finding: StoreDocumentError.Finding)? {
    let entity = object.id.entity
    let properties = properties[entity] ?? read(entity)
    for (name, value) in object.values {
      let finding: StoreDocumentError.Finding?
      if let attribute = properties.attributes[name] {
        finding = value.fits(attribute) ? nil : .value(value.shortText, property: name, type: attribute.type.name)
      } else if let relationship = properties.relationships[name] {
        let family = properties.families[name] ?? []
        finding = value.finding(of: relationship) { family.contains($0.entity) && isThere($0) }
      } else {
        let known = properties.attributes.keys.sorted() + properties.relationships.keys.sorted()
        finding = .unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: known))
      }
      if let finding { return (name, finding) }
    }
    return nil
  }

  private mutating func read(_ entity: String) -> Properties {
    let relationships = model.allRelationships(of: entity).mapValues(\.property)
    let families = relationships.mapValues { Set(model.family(of: $0.destinationEntityName ?? "").map(\.name)) }
    let read = (model.allAttributes(of: entity).mapValues(\.property), relationships, families)
    properties[entity] = read
    return read
  }
}

extension RecordValue {
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

  /// The error in the value of a relationship.
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
        ? nil : .malformed("\(relationship.name) points to an object a second time")
    default:
      return .value(
        shortText, property: relationship.name, type: relationship.isToMany ? "to-many link" : "to-one link")
    }
  }

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
