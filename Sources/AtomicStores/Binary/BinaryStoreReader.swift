import ModelDescription
import ModelFiles
import StoreRows

/// Reads the objects of a binary store.
struct BinaryStoreReader {
  private let path: String
  private let archive: KeyedArchive
  private var ids: [Int64: RecordID] = [:]
  private var positions: [String: AttributePositions] = [:]

  static func document(in file: BinaryStoreFile, of model: EntityHierarchy) throws -> StoreDocument {
    let (metadata, numbering) = try file.numbered()
    let (archive, nodes) = try file.nodes()
    var reader = BinaryStoreReader(path: file.path, archive: archive)
    for node in nodes { try reader.add(node.entity, node.key, model, numbering) }
    let objects = try nodes.map { try reader.object($0) }
    return StoreDocument(
      metadata: metadata, objects: objects,
      lastKeys: numbering.lastKeys(of: objects.lazy.map(\.id), highest: file.header.highest, model: model))
  }

  /// Reads a store, and passes on its objects one at a time; nil if it is invalid.
  static func read(
    _ file: @autoclosure () throws -> BinaryStoreFile, of model: EntityHierarchy,
    _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    guard let file = try? file(), let (metadata, numbering) = try? file.numbered(), let archive = try? file.objects()
    else { return nil }
    var reader = BinaryStoreReader(path: file.path, archive: archive)
    var fit = FitCheck(of: model)
    var failure: (any Error)?
    do {
      try file.forEachNode(in: archive) { object, key in
        guard let entity = object["NSEntityName"]?.string else { throw reader.error("", key, .malformed("")) }
        try reader.add(entity, key, model, numbering)
        return 0
      }
      try file.forEachNode(in: archive) { object, key in
        let node = try BinaryStoreNode(object, key: key, in: archive, path: file.path)
        let object = try reader.object(node)
        guard fit.finding(in: object, isThere: { _ in true }) == nil else { throw reader.error(node, .malformed("")) }
        do {
          try take(object)
        } catch {
          failure = error
          throw error
        }
        return node.values.count
      }
    } catch {
      if let failure { throw failure }
      return nil
    }
    return StoreDocument(
      metadata: metadata, objects: [],
      lastKeys: numbering.lastKeys(of: reader.ids.values, highest: file.header.highest, model: model))
  }

  private init(path: String, archive: KeyedArchive) { (self.path, self.archive) = (path, archive) }

  private func error(_ node: BinaryStoreNode, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    error(node.entity, node.key, finding)
  }

  private func error(_ entity: String, _ key: Int64, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    StoreDocumentError(path: path, .object("\(entity) \(key)", property: nil), finding)
  }

  private func error(
    _ node: BinaryStoreNode, _ property: String, _ finding: StoreDocumentError.Finding
  ) -> StoreDocumentError {
    StoreDocumentError(path: path, .object("\(node.entity) \(node.key)", property: property), finding)
  }

  private mutating func add(
    _ name: String, _ key: Int64, _ model: EntityHierarchy, _ numbering: KeyNumbering
  ) throws {
    guard let entity = model.entity(named: name) else {
      let near = NearNames.nearest(to: name, among: model.entitiesByName.map(\.name))
      throw error(name, key, .unknownEntity(name, near: near))
    }
    guard !entity.isAbstract else { throw error(name, key, .abstractEntity(entity.name)) }
    if positions[entity.name] == nil { positions[entity.name] = AttributePositions(of: entity.name, in: model) }
    ids[key] = RecordID(entity: entity.name, key: numbering.key(key, root: model.rootName(of: entity.name)))
  }

  private func object(_ node: BinaryStoreNode) throws -> StoreDocument.Object {
    guard let id = ids[node.key], let positions = positions[node.entity] else {
      throw error(node, .malformed("the object is not in this store"))
    }
    let (attributes, relationships) = (positions.attributes, positions.relationships)
    guard node.values.count == attributes.count + relationships.count else {
      throw error(
        node,
        .malformed(
          "the object has \(node.values.count) values, but its entity has \(attributes.count) attributes and "
            + "\(relationships.count) relationships"))
    }
    var values: [String: RecordValue] = [:]
    for (attribute, number) in zip(attributes, node.values) {
      guard let value = BinaryStoreValue.value(number, of: attribute, in: archive) else {
        throw error(node, attribute.name, .value(words(number), property: attribute.name, type: attribute.type.name))
      }
      if value != .null { values[attribute.name] = value }
    }
    for number in node.values.dropFirst(attributes.count)
    where archive.object(numbered: number)?.isKind(of: "NSNull") != true {
      throw error(node, .malformed("“\(words(number))” is in the slot of a relationship, which must be null"))
    }
    for (name, links) in node.links {
      guard let relationship = relationships[name] else {
        throw error(
          node,
          .unknownProperty(
            name, entity: node.entity, near: NearNames.nearest(to: name, among: relationships.keys.sorted())))
      }
      values[name] = try value(of: relationship, links, node)
    }
    return StoreDocument.Object(id: id, values: values)
  }

  private func value(
    of relationship: RelationshipDescription, _ links: BinaryStoreNode.Links, _ node: BinaryStoreNode
  ) throws -> RecordValue? {
    let targets = try links.keys.map { key in
      guard let target = ids[key] else {
        throw error(node, relationship.name, .danglingLink("object \(key)", property: relationship.name))
      }
      return target
    }
    guard let first = targets.first else { return nil }
    guard !relationship.isToMany else {
      return .objects(relationship.isOrdered ? targets : targets.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) })
    }
    guard targets.count == 1 else {
      throw error(
        node, relationship.name,
        .malformed("\(relationship.name) is a to-one relationship, but has \(targets.count) objects"))
    }
    return .object(first)
  }

  /// A text for a value in messages.
  private func words(_ number: UInt64) -> String {
    guard let object = archive.object(numbered: number) else { return "nothing" }
    if let text = object.string { return text.count > 40 ? "\(text.prefix(40))…" : text }
    if let name = object.classNames.first { return "an object of \(name)" }
    return switch object.value {
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: "something else"
    }
  }
}

/// The positions of an object's values in a binary store.
///
/// The attributes of the topmost ancestor come first, sorted by name, followed by those of each descendant. They
/// include derived and composite attributes, but not transient properties. One null for each relationship follows.
struct AttributePositions {
  let attributes: [AttributeDescription]
  let relationships: [String: RelationshipDescription]
  let sortedRelationships: [RelationshipDescription]
  /// The names of all properties that a store keeps.
  let names: Set<String>

  init(of entity: String, in model: EntityHierarchy) {
    let all = model.allAttributes(of: entity)
    var seen: Set<String> = []
    attributes = model.lineage(of: entity).reversed().flatMap { ancestor in
      ancestor.attributes.map(\.name).sorted { $0.precedesByBytes($1) }.filter { seen.insert($0).inserted }
        .compactMap { all[$0]?.property }.filter { !$0.isTransient }
    }
    relationships = model.allRelationships(of: entity).mapValues(\.property).filter { !$0.value.isTransient }
    sortedRelationships = relationships.values.sorted { $0.name < $1.name }
    names = Set(attributes.map(\.name)).union(relationships.keys)
  }
}
