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
      let keyName = JSONStoreWriter.keyName(of: entity.name, in: model)
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
      return try value(member.value, attribute)
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
    let (entity, key) = try text.reading { () throws(JSONFileError) -> (String?, Int64) in
      guard case .object(let members) = node.value, members.count == 1, let only = members.first else {
        return (nil, Int64(try node.integer()))
      }
      return (only.key, Int64(try only.value.integer()))
    }
    let named = entity ?? destination
    guard let there = entities[model.rootName(of: named)]?[key], entity == nil || there == entity,
      model.family(of: destination).contains(where: { $0.name == there })
    else { throw text.error(node, .danglingLink("\(named) \(key)", property: property)) }
    return RecordID(entity: there, key: key)
  }

  private func value(_ node: JSONNode, _ attribute: AttributeDescription) throws(StoreDocumentError) -> RecordValue? {
    if node.value == .null { return nil }
    switch attribute.type {
    case .composite:
      guard case .object(let members) = node.value else { throw unfit(node, attribute) }
      var values: [String: RecordValue] = [:]
      for member in members {
        guard let element = attribute.elements.first(where: { $0.name == member.key }) else {
          let near = NearNames.nearest(to: member.key, among: attribute.elements.map(\.name))
          throw StoreDocumentError(
            path: text.path, Self.place(member), .unknownProperty(member.key, entity: attribute.name, near: near))
        }
        if let value = try value(member.value, element) { values[member.key] = value }
      }
      return .composite(values)
    case .transformable:
      guard case .string(let text) = node.value, let data = Base64.decoded(text) else { throw unfit(node, attribute) }
      return .transformed(data)
    case .undefined:
      guard case .object(let members) = node.value, members.count == 1, let only = members.first,
        let type = XMLStoreValue.type(named: only.key), let value = Self.value(only.value, type)
      else { throw unfit(node, attribute) }
      return .attribute(value)
    default:
      guard let value = Self.value(node, attribute.type) else { throw unfit(node, attribute) }
      return .attribute(value)
    }
  }

  private func unfit(_ node: JSONNode, _ attribute: AttributeDescription) -> StoreDocumentError {
    let found =
      switch node.value {
      case .null: "null"
      case .bool(let flag): "\(flag)"
      case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
      case .string(let text): String(text.prefix(40))
      case .array: "a list"
      case .object: "an object"
      }
    return text.error(node, .value(found, property: attribute.name, type: attribute.type.name))
  }

  private static func value(_ node: JSONNode, _ type: AttributeType) -> AttributeValue? {
    switch (type, node.value) {
    case (.integer16, .number(let number)): Int16(exactly: number).map { .integer(Int64($0)) }
    case (.integer32, .number(let number)): Int32(exactly: number).map { .integer(Int64($0)) }
    case (.integer64, .number(let number)): Int64(exactly: number).map { .integer($0) }
    case (.integer64, .string(let text)): Int64(text).map { .integer($0) }
    case (.decimal, .string(let text)): decimal(text).map { .decimal($0) }
    case (.double, .number(let number)), (.float, .number(let number)): .double(number)
    case (.double, .string(let text)), (.float, .string(let text)):
      ["inf", "-inf", "nan"].contains(text) ? Double(text).map { .double($0) } : nil
    case (.string, .string(let text)): .string(text)
    case (.uri, .string(let text)): .uri(text)
    case (.boolean, .bool(let flag)): .boolean(flag)
    case (.date, _): JSONStoreDate.seconds(node).map { .date($0) }
    case (.binary, .string(let text)): Base64.decoded(text).map { .binary($0) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  /// A decimal number with no digit more than such a number holds.
  private static func decimal(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    return switch try? AttributeValue.parse(text, as: .decimal) {
    case .decimal(let number): number
    default: nil
    }
  }
}
