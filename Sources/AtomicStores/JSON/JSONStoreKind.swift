public import Foundation
import MappingModels
public import ModelDescription
import ModelFiles
public import PersistentStores
import StoreRows

/// A store as sorted JSON with its metadata and one object per line, for reading and for comparisons in git.
///
/// ```json
/// {"format": 1, "metadata": {"NSStoreType": "JSON", "NSStoreUUID": "…"},
///  "objects": {
///   "Customer": [
///    {"id": 1, "fullName": "Anna", "orders": [7]}],
///   "Order": [
///    {"id": 7, "customer": 1, "date": "2026-01-02T03:04:05Z", "total": "80.00"}]}}
/// ```
///
/// Decimal numbers, and whole numbers from 2^53 on, are texts, and binary data is base64. A date without an exact text is a
/// number of seconds since 2001. A link to an object of another entity than the relationship's is `{"Manager": 3}`. If an
/// entity has a property `id`, the key is named `$id`. The value of an attribute without a type names its type, such as
/// `{"int64": 7}`.
public struct JSONStoreKind: PiecewiseStoreKind {
  /// Creates the store type, which lacks settings.
  public init() {}

  /// `JSON`.
  public var name: String { "JSON" }

  /// True for a JSON object with the members `format` and `metadata`.
  public func recognizes(_ start: Data) -> Bool {
    let names = JSONMemberNames.outermost(in: start)
    return names.contains("format") && names.contains("metadata")
  }

  /// Reads the metadata at any position.
  ///
  /// The rest is not read, but it must be well formed, because a truncated file is invalid.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try JSONStoreText(bytes, path: path, passing: JSONStoreText.passed).metadata()
  }

  /// Reads the metadata at any position, and checks the rest with little memory.
  public func metadata(ofFile path: String) throws -> StoreMetadata {
    if let head = try JSONStoreHead.text(ofFile: path), let metadata = try? metadata(in: head, path: path) {
      return metadata
    }
    return try metadata(in: FileBytes.whole(path), path: path)
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    if let document = JSONStoreReader.document(in: bytes, of: model, path: path) { return document }
    // The error and its location are found in the complete text.
    return try JSONStoreReader.document(in: JSONStoreText(bytes, path: path), of: model)
  }

  /// Reads a store object by object.
  package func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    try JSONStoreReader.read(bytes, of: model, path: path, take)
  }

  /// Writes a store; equal contents result in equal bytes.
  package func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    try JSONStoreWriter.bytes(of: content, model: model)
  }
}

/// The names of members in the beginning of a JSON text, which may be truncated or invalid.
enum JSONMemberNames {
  private static let white: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// The names of the outermost object's members, as they are written; empty if the text is not an object.
  static func outermost(in start: Data) -> Set<String> {
    var bytes = Array(start)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard bytes.first(where: { !white.contains($0) }) == UInt8(ascii: "{") else { return [] }
    var names: Set<String> = []
    var depth = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let end = end(ofText: bytes[position...].dropFirst())
        let next = bytes[end...].dropFirst().first { !white.contains($0) }
        if depth == 1, next == UInt8(ascii: ":") {
          names.insert(String(decoding: bytes[position..<end].dropFirst(), as: UTF8.self))
        }
        position = end
      default: break
      }
      position += 1
    }
    return names
  }

  /// The position of the quotation mark that ends a text, or the end of all bytes.
  private static func end(ofText bytes: ArraySlice<UInt8>) -> Int {
    var isEscaped = false
    for (position, byte) in zip(bytes.indices, bytes) {
      if byte == UInt8(ascii: "\""), !isEscaped { return position }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return bytes.endIndex
  }
}

/// Reads the objects of a JSON store.
final class JSONStoreReader {
  private let path: String
  private let model: EntityHierarchy
  /// False if objects are read one at a time, so that links are followed when all objects are known.
  private let followsLinks: Bool
  /// The objects so far.
  private var present: PresentObjects
  /// The destination objects of links without an inverse, if objects are read one at a time.
  private var unpaired: Set<RecordID> = []
  private var objects: [StoreDocument.Object] = []

  private init(_ path: String, _ model: EntityHierarchy, followsLinks: Bool) {
    (self.path, self.model, self.followsLinks) = (path, model, followsLinks)
    present = PresentObjects([], of: model)
  }

  /// Reads a store, and finds the first thing that is wrong with it.
  static func document(in text: JSONStoreText, of model: EntityHierarchy) throws -> StoreDocument {
    let reader = JSONStoreReader(text.path, model, followsLinks: true)
    return try reader.read(text)
  }

  /// Reads a store one object at a time; nil if it is invalid.
  static func document(in bytes: Data, of model: EntityHierarchy, path: String) -> StoreDocument? {
    let reader = JSONStoreReader(path, model, followsLinks: false)
    var objects: [StoreDocument.Object] = []
    guard let rest = try? reader.read(Array(bytes), { objects.append($0) }) else { return nil }
    reader.objects = objects
    objects = []
    guard reader.link() else { return nil }
    return StoreDocument(metadata: rest.metadata, objects: reader.objects, lastKeys: rest.lastKeys)
  }

  /// Reads a store, and passes on its objects one at a time; nil if it is invalid.
  static func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    let reader = JSONStoreReader(path, model, followsLinks: false)
    var fit = FitCheck(of: model)
    var isSound = true
    let rest = try reader.read(Array(bytes)) { object in
      guard isSound else { return }
      var object = object
      isSound = reader.assumeLinks(of: &object) && fit.finding(in: object, isThere: { _ in true }) == nil
      if isSound { try take(object) }
    }
    guard isSound, let rest, reader.unpaired.allSatisfy(reader.has) else { return nil }
    return rest
  }

  /// Reads a store and passes on its objects; their links have only the entities that the text names.
  private func read(
    _ bytes: [UInt8], _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    var isSound = true
    var failure: (any Error)?
    let text = try? withoutActuallyEscaping(take) { take in
      try JSONStoreText(bytes, path: path) { list, node in
        guard isSound, failure == nil else { return }
        guard let object = try? self.add(node, of: list) else { return isSound = false }
        do { try take(object) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    guard isSound, let text, (try? text.objects().allSatisfy { $0.value.value == .array([]) }) == true,
      (try? text.objects().map { try entity($0) }) != nil, let metadata = try? text.metadata(),
      let lastKeys = try? lastKeys(text)
    else { return nil }
    return StoreDocument(metadata: metadata, objects: [], lastKeys: lastKeys)
  }

  private func add(_ node: JSONNode, of name: String) throws -> StoreDocument.Object {
    guard model.entity(named: name)?.isAbstract == false else { throw error(node, .abstractEntity(name)) }
    let keyName = JSONStoreValue.keyName(of: name, in: model)
    let object = try node.object()
    let id = RecordID(entity: name, key: Int64(try object.required(keyName).integer()))
    guard present.insert(id) else { throw error(node, .duplicateKey("\(id)")) }
    let members = object.members.filter { $0.key != keyName }
    return StoreDocument.Object(id: id, values: try values(members, of: id))
  }

  private func values(_ members: [JSONMember], of id: RecordID) throws(StoreDocumentError) -> [String: RecordValue] {
    var values = [String: RecordValue](minimumCapacity: members.count)
    for member in members {
      if let value = try value(member, of: id.entity) { values[member.key] = value }
    }
    return values
  }

  /// Gives links without an entity the relationship's destination entity, as stores are written.
  ///
  /// - Returns: false if the model does not allow it.
  private func assumeLinks(of object: inout StoreDocument.Object) -> Bool {
    let relationships = model.allRelationships(of: object.id.entity)
    for (name, value) in object.values {
      guard let links = value.links else { continue }
      guard let relationship = relationships[name]?.property, let destination = relationship.destinationEntityName
      else { return false }
      let ids = links.map { RecordID(entity: $0.entity.isEmpty ? destination : $0.entity, key: $0.key) }
      guard Set(ids).count == ids.count else { return false }
      object.values[name] = if case .object = value { .object(ids[0]) } else { .objects(ids) }
      let inverse = relationship.inverseName.flatMap { model.allRelationships(of: destination)[$0]?.property }
      if inverse?.isTransient != false { unpaired.formUnion(ids) }
    }
    return true
  }

  private func has(_ id: RecordID) -> Bool { present.entity(root: id.entity, key: id.key) == id.entity }

  /// Gives each link the entity of its object; false if a link is dangling or two links point to the same object.
  private func link() -> Bool {
    for position in objects.indices {
      let relationships = model.allRelationships(of: objects[position].id.entity)
      for (name, value) in objects[position].values {
        guard let links = value.links, let destination = relationships[name]?.property.destinationEntityName else {
          continue
        }
        let ids = links.compactMap { id in
          there(id.key, named: id.entity.isEmpty ? nil : id.entity, destination).map {
            RecordID(entity: $0, key: id.key)
          }
        }
        guard ids.count == links.count, Set(ids).count == ids.count else { return false }
        objects[position].values[name] = if case .object = value { .object(ids[0]) } else { .objects(ids) }
      }
    }
    return true
  }

  /// The entity of a link's destination object; nil if it does not exist.
  private func there(_ key: Int64, named entity: String?, _ destination: String) -> String? {
    guard let there = present.entity(root: entity ?? destination, key: key), entity == nil || there == entity,
      model.family(of: destination).contains(where: { $0.name == there })
    else { return nil }
    return there
  }

  private func error(_ node: JSONNode, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    StoreDocumentError(path: path, .line(node.location.line, column: node.location.column), finding)
  }

  private func reading<Value>(_ body: () throws(JSONFileError) -> Value) throws(StoreDocumentError) -> Value {
    do throws(JSONFileError) {
      return try body()
    } catch {
      throw StoreDocumentError(error, path: path)
    }
  }

  private func read(_ text: JSONStoreText) throws -> StoreDocument {
    let metadata = try text.metadata()
    let lists = try text.objects()
    var found: [(id: RecordID, members: [JSONMember], node: JSONNode)] = []
    for list in lists {
      let entity = try self.entity(list)
      let keyName = JSONStoreValue.keyName(of: entity.name, in: model)
      let root = model.rootName(of: entity.name)
      for node in try reading({ () throws(JSONFileError) in try list.value.array() }) {
        let (object, number) = try reading { () throws(JSONFileError) in
          let object = try node.object()
          return (object, try object.required(keyName).integer())
        }
        let id = RecordID(entity: entity.name, key: Int64(number))
        guard present.insert(id) else {
          throw error(node, .duplicateKey("\(root) \(id.key)"))
        }
        found.append((id, object.members.filter { $0.key != keyName }, node))
      }
    }
    objects.reserveCapacity(found.count)
    for (id, members, _) in found {
      objects.append(StoreDocument.Object(id: id, values: try values(members, of: id)))
    }
    return StoreDocument(metadata: metadata, objects: objects, lastKeys: try lastKeys(text))
  }

  private func lastKeys(_ text: JSONStoreText) throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for (root, key) in try text.lastKeys() {
      guard model.entity(named: root.key) != nil, model.rootName(of: root.key) == root.key else {
        let near = NearNames.nearest(to: root.key, among: model.roots.map(\.name))
        throw StoreDocumentError(path: path, Self.location(root), .unknownEntity(root.key, near: near))
      }
      keys[root.key] = max(key, present.greatestKey(ofRoot: root.key) ?? key)
    }
    return keys
  }

  private static func location(_ member: JSONMember) -> StoreDocumentError.Location {
    .line(member.keyLocation.line, column: member.keyLocation.column)
  }

  private func entity(_ member: JSONMember) throws(StoreDocumentError) -> EntityDescription {
    guard let entity = model.entity(named: member.key) else {
      let near = NearNames.nearest(to: member.key, among: model.model.entities.map(\.name))
      throw StoreDocumentError(path: path, Self.location(member), .unknownEntity(member.key, near: near))
    }
    guard !entity.isAbstract else {
      throw StoreDocumentError(path: path, Self.location(member), .abstractEntity(member.key))
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
          path: path, .line(error.location.line, column: error.location.column), error.finding)
      }
    }
    guard let relationship = relationships[member.key]?.property, !relationship.isTransient,
      let destination = relationship.destinationEntityName
    else {
      let known = (Array(attributes.keys) + Array(relationships.keys)).sorted()
      throw StoreDocumentError(
        path: path, Self.location(member),
        .unknownProperty(member.key, entity: entity, near: NearNames.nearest(to: member.key, among: known)))
    }
    if member.value.value == .null { return nil }
    guard relationship.isToMany else { return .object(try reference(member.value, member.key, destination)) }
    var ids: [RecordID] = []
    var seen: Set<RecordID> = []
    for node in try reading({ () throws(JSONFileError) in try member.value.array() }) {
      let id = try reference(node, member.key, destination)
      guard seen.insert(id).inserted else {
        throw error(node, .malformed("\(member.key) points to \(id) a second time"))
      }
      ids.append(id)
    }
    return ids.isEmpty ? nil : .objects(ids)
  }

  private func reference(
    _ node: JSONNode, _ property: String, _ destination: String
  ) throws(StoreDocumentError) -> RecordID {
    let (entity, key) = try reading { () throws(JSONFileError) in try JSONStoreValue.reference(node) }
    guard followsLinks || entity?.isEmpty == true else { return RecordID(entity: entity ?? "", key: key) }
    guard let there = there(key, named: entity, destination) else {
      throw error(node, .danglingLink("\(entity ?? destination) \(key)", property: property))
    }
    return RecordID(entity: there, key: key)
  }
}
