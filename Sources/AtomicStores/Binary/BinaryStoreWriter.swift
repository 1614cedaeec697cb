import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

struct BinaryStoreWriter {
  private let model: EntityHierarchy
  private let numbering: KeyNumbering
  private let isKnown: (RecordID) -> Bool
  private var writer = ArchivedValueWriter()
  private var positions: [String: AttributePositions] = [:]
  /// Names, keys and the null, which are in the archive once.
  private var shared: [ArchivedValue: PropertyList] = [:]

  static func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    let (numbering, highest, entries) = try KeyNumbering.chosen(for: content, model: model)
    let objects = try objects(of: content, model, numbering)
    let metadata = try metadata(content.metadata, adding: entries)
    let header = BinaryStoreHeader(objectsSize: objects.count, metadataSize: metadata.count, highest: highest)
    var bytes = Data(capacity: BinaryStoreHeader.size + objects.count + metadata.count)
    for part in [Array(header.bytes), objects, metadata] { bytes.append(contentsOf: part) }
    return bytes
  }

  private static func objects(
    of content: DocumentContent, _ model: EntityHierarchy, _ numbering: KeyNumbering
  ) throws -> [UInt8] {
    var writer = BinaryStoreWriter(model: model, numbering: numbering, isKnown: content.has)
    return try writer.objects(content)
  }

  private init(model: EntityHierarchy, numbering: KeyNumbering, isKnown: @escaping (RecordID) -> Bool) {
    (self.model, self.numbering, self.isKnown) = (model, numbering, isKnown)
  }

  private static func metadata(_ metadata: StoreMetadata, adding: [String: PropertyList]) throws -> [UInt8] {
    var entries = metadata.entries.merging(adding) { $1 }
    entries["NSStoreType"] = .string("Binary")
    entries["NSStoreUUID"] = .string(metadata.uuid)
    guard let value = value(.dictionary(entries), depth: 0) else {
      throw StoreDocumentError(
        path: "", nil,
        .metadata("the metadata has a value that an archive cannot store, or is nested more than 60 levels deep"))
    }
    var writer = ArchivedValueWriter()
    let root = writer.add(value)
    return writer.archive(of: ["metadata": root])
  }

  private static func value(_ list: PropertyList, depth: Int) -> ArchivedValue? {
    guard depth < 60 else { return nil }
    switch list {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .single(let number): return .double(Double(number))
    case .boolean(let flag): return .boolean(flag)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .unsigned, .uid: return nil
    case .array(let elements):
      let values = elements.compactMap { value($0, depth: depth + 1) }
      return values.count == elements.count ? .array(values) : nil
    case .dictionary(let entries):
      let values = entries.compactMapValues { value($0, depth: depth + 1) }
      return values.count == entries.count ? .dictionary(values) : nil
    }
  }

  private func identifier(_ id: RecordID) -> Int64 { numbering.identifier(id.key, root: model.rootName(of: id.entity)) }

  private func error(_ id: RecordID, _ property: String, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    StoreDocumentError(path: "", .object(id.description, property: property), finding)
  }

  private mutating func reference(_ value: ArchivedValue) -> PropertyList {
    if let reference = shared[value] { return reference }
    let reference = writer.add(value)
    shared[value] = reference
    return reference
  }

  private mutating func objects(_ content: DocumentContent) throws -> [UInt8] {
    let root = writer.append(.string("$null"))
    var (keys, nodes): ([PropertyList], [PropertyList]) = ([], [])
    try content.forEach(numbering.order(of: content.ids, model: model)) { object in
      let identifier = identifier(object.id)
      keys.append(reference(.integer(identifier)))
      nodes.append(try node(object, identifier))
    }
    writer.replace(root, with: dictionary(keys, nodes))
    (keys, nodes, shared) = ([], [], [:])
    return writer.archive(of: ["mapData": root])
  }

  private mutating func dictionary(_ keys: [PropertyList], _ objects: [PropertyList]) -> PropertyList {
    writer.object(
      of: ["NSMutableDictionary", "NSDictionary", "NSObject"],
      ["NS.keys": .array(keys), "NS.objects": .array(objects)])
  }

  private mutating func node(_ object: StoreDocument.Object, _ identifier: Int64) throws -> PropertyList {
    let place = writer.append(.string("$null"))
    let positions = positions[object.id.entity] ?? AttributePositions(of: object.id.entity, in: model)
    self.positions[object.id.entity] = positions
    try check(object, positions)
    var values: [PropertyList] = []
    for attribute in positions.attributes {
      let value = object.values[attribute.name] ?? .null
      guard value != .null else {
        values.append(reference(.null))
        continue
      }
      guard let reference = BinaryStoreValue.add(value, of: attribute, to: &writer) else {
        throw error(
          object.id, attribute.name, .value(value.shortText, property: attribute.name, type: attribute.type.name))
      }
      values.append(reference)
    }
    for _ in positions.relationships { values.append(reference(.null)) }
    var fields = [
      "NSEntityName": reference(.string(object.id.entity)), "NSPrimaryKey64": reference(.integer(identifier)),
      "NSAttributeValues": writer.append(writer.object(of: ["NSArray", "NSObject"], ["NS.objects": .array(values)])),
    ]
    if let links = try links(of: object, positions) { fields["NSRelatedNodes"] = links }
    writer.replace(place, with: writer.object(of: ["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"], fields))
    return place
  }

  /// Checks that each value of an object has a position, unless its property is transient.
  private func check(_ object: StoreDocument.Object, _ positions: AttributePositions) throws {
    let entity = object.id.entity
    for name in object.values.keys.filter({ !positions.names.contains($0) }).sorted() {
      let isTransient =
        model.allAttributes(of: entity)[name]?.property.isTransient
        ?? model.allRelationships(of: entity)[name]?.property.isTransient
      guard isTransient == true else {
        throw error(
          object.id, name,
          .unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: positions.names.sorted())))
      }
    }
  }

  private mutating func links(
    of object: StoreDocument.Object, _ positions: AttributePositions
  ) throws -> PropertyList? {
    var (names, lists): ([PropertyList], [PropertyList]) = ([], [])
    for relationship in positions.sortedRelationships {
      let name = relationship.name
      let targets: [RecordID]
      switch object.values[name] ?? .null {
      case .null: continue
      case .object(let target) where !relationship.isToMany: targets = [target]
      case .objects(let all) where relationship.isToMany: targets = all
      case let other:
        throw error(
          object.id, name,
          .value(other.shortText, property: name, type: relationship.isToMany ? "to-many" : "to-one"))
      }
      if targets.isEmpty { continue }
      if let missing = targets.first(where: { !isKnown($0) }) {
        throw error(object.id, name, .danglingLink(missing.description, property: name))
      }
      let classes =
        !relationship.isToMany
        ? ["NSArray", "NSObject"]
        : relationship.isOrdered ? ["NSOrderedSet", "NSObject"] : ["NSMutableArray", "NSArray", "NSObject"]
      let keys = targets.map { reference(.integer(identifier($0))) }
      names.append(reference(.string(name)))
      lists.append(writer.append(writer.object(of: classes, ["NS.objects": .array(keys)])))
    }
    return names.isEmpty ? nil : writer.append(dictionary(names, lists))
  }
}
