package import Foundation
package import ModelDescription
package import PersistentStores
package import StoreRows

/// The content of a store, whose objects are read when they are needed, so that not all are in memory.
package struct DocumentContent {
  /// Calls a closure with the objects at some positions, one at a time, in the order of the positions.
  package typealias Reading = (_ positions: [Int], _ body: (StoreDocument.Object) throws -> Void) throws -> Void

  /// The metadata of the store.
  package var metadata: StoreMetadata
  /// As ``StoreDocument/lastKeys``.
  package let lastKeys: [String: Int64]
  /// The objects, by entity and key.
  package let ids: [RecordID]
  private let present: PresentObjects
  private let reading: Reading

  /// Creates the content of a store.
  ///
  /// - Parameters:
  ///   - ids: the objects, sorted by entity and key.
  ///   - present: an index of these objects.
  package init(
    metadata: StoreMetadata, lastKeys: [String: Int64], ids: [RecordID], present: PresentObjects,
    reading: @escaping Reading
  ) {
    (self.metadata, self.lastKeys, self.ids) = (metadata, lastKeys, ids)
    (self.present, self.reading) = (present, reading)
  }

  /// Creates the content of a document.
  init(_ document: StoreDocument, model: EntityHierarchy) {
    let ids = document.objects.map(\.id)
    self.init(
      metadata: document.metadata, lastKeys: document.lastKeys, ids: ids, present: PresentObjects(ids, of: model)
    ) { positions, body in
      for position in positions { try body(document.objects[position]) }
    }
  }

  /// Calls a closure with the objects at some positions, one at a time, in this order.
  func forEach(_ positions: [Int], _ body: (StoreDocument.Object) throws -> Void) throws {
    try reading(positions, body)
  }

  /// True for an object that exists.
  func has(_ id: RecordID) -> Bool { present.entity(root: id.entity, key: id.key) == id.entity }

  /// The document, all of it.
  package func document() throws -> StoreDocument {
    var objects: [StoreDocument.Object] = []
    objects.reserveCapacity(ids.count)
    try reading(Array(ids.indices)) { objects.append($0) }
    return StoreDocument(metadata: metadata, objects: objects, lastKeys: lastKeys)
  }
}

/// A store type whose stores are read and written one object at a time.
package protocol PiecewiseStoreKind: StoreKind {
  /// Writes a store.
  ///
  /// - Throws: ``StoreDocumentError`` for a value that the store type cannot store, and the errors of reading the
  ///   content.
  func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data

  /// Reads a store, and passes on its objects one at a time.
  ///
  /// Links are only checked for possible destinations. They are all valid if both sides of each relationship with an
  /// inverse turn out to be equal.
  ///
  /// - Parameter take: called with each object, whose values are valid; an error ends the reading.
  /// - Returns: the store without its objects; nil if it is invalid or may be, which ``document(in:of:path:)`` finds
  ///   out.
  func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument?
}

extension PiecewiseStoreKind {
  /// Writes a store.
  public func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
    try bytes(of: DocumentContent(document, model: model), model: model)
  }
}

/// An index of objects, used to follow links to them.
package struct PresentObjects {
  private let model: EntityHierarchy
  private var names: [String] = []
  private var numbers: [String: Int32] = [:]
  private var roots: [String: String] = [:]
  /// The numbers of the objects' entities, by root entity and key.
  private var entities: [String: [Int64: Int32]] = [:]
  /// The stored relationships of each entity, with the possible entities of their objects.
  private let relationships: [String: [(name: String, family: Set<String>)]]

  package init(_ ids: some Sequence<RecordID>, of model: EntityHierarchy) {
    self.model = model
    relationships = Dictionary(
      model.model.entities.map { entity in
        let all = model.allRelationships(of: entity.name).values.map(\.property).sorted { $0.name < $1.name }
        return (entity.name, all.map { ($0.name, Set(model.family(of: $0.destinationEntityName ?? "").map(\.name))) })
      }
    ) { first, _ in first }
    for entity in model.model.entities {
      roots[entity.name] = model.rootName(of: entity.name)
      numbers[entity.name] = Int32(names.count)
      names.append(entity.name)
    }
    for id in ids { insert(id) }
  }

  /// Adds an object, unless another object of its root entity has the key.
  ///
  /// - Returns: true if it was added.
  @discardableResult
  mutating func insert(_ id: RecordID) -> Bool {
    let number: Int32
    if let known = numbers[id.entity] {
      number = known
    } else {
      number = Int32(names.count)
      names.append(id.entity)
      numbers[id.entity] = number
    }
    return entities[roots[id.entity] ?? id.entity, default: [:]].add(number, for: id.key)
  }

  /// The greatest key of the objects of a root entity.
  func greatestKey(ofRoot root: String) -> Int64? { entities[root]?.keys.max() }

  /// The entity of an object.
  ///
  /// - Parameter root: the root entity or one of its subentities.
  func entity(root: String, key: Int64) -> String? {
    entities[roots[root] ?? root]?[key].map { names[Int($0)] }
  }

  /// Removes the links of an object to objects that do not exist.
  ///
  /// A link is corrected if its object exists with a different entity of its family.
  ///
  /// - Returns: the removed links.
  package func removeLinksToNothing(from object: inout StoreDocument.Object) -> [LinkToNothing] {
    var removed: [LinkToNothing] = []
    for (name, family) in relationships[object.id.entity] ?? [] {
      func found(_ target: RecordID) -> RecordID? {
        guard let there = entity(root: target.entity, key: target.key), family.contains(there) else { return nil }
        return there == target.entity ? target : RecordID(entity: there, key: target.key)
      }
      let link = LinkToNothing(object: object.id, relationship: name)
      switch object.values[name] {
      case .object(let target)?:
        let there = found(target)
        guard there != target else { continue }
        object.values[name] = there.map { .object($0) }
        if there == nil { removed.append(link) }
      case .objects(let targets)?:
        let left = targets.compactMap(found)
        guard left != targets else { continue }
        object.values[name] = left.isEmpty ? nil : .objects(left)
        removed += repeatElement(link, count: targets.count - left.count)
      default: continue
      }
    }
    return removed
  }
}

extension [Int64: Int32] {
  /// Adds a value for a key without a value; false if it already has one.
  fileprivate mutating func add(_ value: Int32, for key: Int64) -> Bool {
    guard self[key] == nil else { return false }
    self[key] = value
    return true
  }
}
