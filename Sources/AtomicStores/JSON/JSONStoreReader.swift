import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreRows

/// Reads the objects of a JSON store.
struct JSONStoreReader {

  private let text: JSONStoreText
  private let model: EntityHierarchy
  /// The entities of the objects, by root entity and key.
  private var entities: [String: [Int64: String]] = [:]

  init(_ text: JSONStoreText, _ model: EntityHierarchy) { (self.text, self.model) = (text, model) }

  func document() throws -> StoreDocument {
    var reader = self
    return try reader.read()
  }

  private mutating func read() throws -> StoreDocument {
    let metadata = try text.metadata()
    let lists = try text.objects()
    var found: [(id: RecordID, members: [JSONMember], node: JSONNode)] = []
    for list in lists {
      let entity = try self.entity(list)
      let keyName = JSONStoreValue.keyName(of: entity.name, in: model)
      let root = model.rootName(of: entity.name)
      for node in try text.reading({ () throws(JSONFileError) in try list.value.array() }) {
        let (object, number) = try text.reading { () throws(JSONFileError) in
          let object = try node.object()
          return (object, try object.required(keyName).integer())
        }
        let id = RecordID(entity: entity.name, key: Int64(number))
        guard entities[root, default: [:]].updateValue(entity.name, forKey: id.key) == nil else {
          throw text.error(node, .duplicateKey("\(root) \(id.key)"))
        }
        found.append((id, object.members.filter { $0.key != keyName }, node))
      }
    }
    var objects: [StoreDocument.Object] = []
    objects.reserveCapacity(found.count)
    for (id, members, _) in found {
      var values: [String: RecordValue] = [:]
      for member in members {
        if let value = try value(member, of: id.entity) { values[member.key] = value }
      }
      objects.append(StoreDocument.Object(id: id, values: values))
    }
    return StoreDocument(metadata: metadata, objects: objects, lastKeys: try lastKeys())
  }

  private func lastKeys() throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for (root, key) in try text.lastKeys() {
      guard model.entity(named: root.key) != nil, model.rootName(of: root.key) == root.key else {
        let near = NearNames.nearest(to: root.key, among: model.roots.map(\.name))
        throw StoreDocumentError(path: text.path, Self.place(root), .unknownEntity(root.key, near: near))
      }
      keys[root.key] = key
    }
    return keys
  }

  private static func place(_ member: JSONMember) -> StoreDocumentError.Place {
    .line(member.keyLocation.line, column: member.keyLocation.column)
  }

  private func entity(_ member: JSONMember) throws(StoreDocumentError) -> EntityDescription {
    guard let entity = model.entity(named: member.key) else {
      let near = NearNames.nearest(to: member.key, among: model.model.entities.map(\.name))
      throw StoreDocumentError(path: text.path, Self.place(member), .unknownEntity(member.key, near: near))
    }
    guard !entity.isAbstract else {
      throw StoreDocumentError(path: text.path, Self.place(member), .abstractEntity(member.key))
    }
    return entity
  }

  /// The value of a property; nil for null.
  private func value(_ member: JSONMember, of entity: String) throws(StoreDocumentError) -> RecordValue? {
    let attributes = model.allAttributes(of: entity)
    let relationships = model.allRelationships(of: entity)
    if let attribute = attributes[member.key]?.property, !attribute.isTransient {
      do throws(JSONStoreError) {
        return try JSONStoreValue.value(member.value, attribute)
      } catch {
        throw StoreDocumentError(
          path: text.path, .line(error.location.line, column: error.location.column), error.finding)
      }
    }
    guard let relationship = relationships[member.key]?.property, !relationship.isTransient,
      let destination = relationship.destinationEntityName
    else {
      let known = (Array(attributes.keys) + Array(relationships.keys)).sorted()
      throw StoreDocumentError(
        path: text.path, Self.place(member),
        .unknownProperty(member.key, entity: entity, near: NearNames.nearest(to: member.key, among: known)))
    }
    if member.value.value == .null { return nil }
    guard relationship.isToMany else {
      return .object(try reference(member.value, member.key, destination))
    }
    var ids: [RecordID] = []
    var seen: Set<RecordID> = []
    for node in try text.reading({ () throws(JSONFileError) in try member.value.array() }) {
      let id = try reference(node, member.key, destination)
      guard seen.insert(id).inserted else {
        throw text.error(node, .malformed("\(member.key) leads to \(id) a second time"))
      }
      ids.append(id)
    }
    return ids.isEmpty ? nil : .objects(ids)
  }

  private func reference(
    _ node: JSONNode, _ property: String, _ destination: String
  ) throws(StoreDocumentError) -> RecordID {
    let (entity, key) = try text.reading { () throws(JSONFileError) in try JSONStoreValue.reference(node) }
    let named = entity ?? destination
    guard let there = entities[model.rootName(of: named)]?[key], entity == nil || there == entity,
      model.family(of: destination).contains(where: { $0.name == there })
    else { throw text.error(node, .danglingLink("\(named) \(key)", property: property)) }
    return RecordID(entity: there, key: key)
  }
}
