import ModelDescription
import PersistentStores
import StoreRows

/// Writes the objects of a part into a store that is empty, with their keys and places.
struct PartWriting {
  private let part: StorePart
  private let source: WholeObjects
  private let sourcePath: String
  private let destination: RecordReading

  /// Prepares to write.
  ///
  /// - Parameters:
  ///   - part: the objects.
  ///   - source: reads them.
  ///   - sourcePath: the store that they are of, for messages.
  ///   - destination: the store that is written.
  init(_ part: StorePart, from source: WholeObjects, at sourcePath: String, to destination: RecordReading) {
    (self.part, self.source, self.sourcePath, self.destination) = (part, source, sourcePath, destination)
  }

  /// Writes all rows, then the links that no row keeps and the places, which are kept in rows of other objects too.
  func run() throws {
    try forEachBatch { entity, keys in
      var (writes, given) = (RecordWrites(), RecordKeys())
      for record in try reading({ try source.objects(of: entity, keys: keys) }) {
        given.raise(source.reading.hierarchy.rootName(of: entity), to: record.id.key)
        let values = try part.cut(record).values.compactMapValues(kept)
        writes.insertions.append(
          RecordWrites.Row(id: record.id, version: nil, values: values, changed: []))
      }
      try write(writes, given)
    }
    try forEachBatch { entity, keys in
      var writes = RecordWrites()
      for relationship in source.toMany(of: entity) { try add(relationship, of: entity, keys, to: &writes) }
      try write(writes, RecordKeys())
    }
  }

  /// Reads from the source, so that errors do not name the store that is written.
  private func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try StoreError.translating(path: sourcePath, body)
  }

  private func forEachBatch(_ body: (String, [Int64]) throws -> Void) throws {
    for (entity, keys) in part.keys {
      for start in stride(from: 0, to: keys.count, by: WholeObjects.batch) {
        try body(entity, Array(keys[start..<min(start + WholeObjects.batch, keys.count)]))
      }
    }
  }

  private func write(_ writes: RecordWrites, _ keys: RecordKeys) throws {
    let files = ExternalFiles(ofStore: destination.path)
    try RecordWriting(destination, files: files).write(writes, keys: keys, author: nil)
    files.finish()
  }

  /// What a row is written with: bytes for the file that holds them, no lists.
  private func kept(_ value: RecordValue) throws -> RecordValue? {
    switch value {
    case .objects: return nil
    case .external:
      guard let path = source.externalPath(of: value) else { return value }
      guard let bytes = source.bytes(of: value) else { throw RecordWritingError.externalFileMissing(path: path) }
      return .attribute(.binary(bytes))
    default: return value
    }
  }

  private func add(
    _ relationship: EntityHierarchy.Declared<RelationshipDescription>, of entity: String, _ keys: [Int64],
    to writes: inout RecordWrites
  ) throws {
    let (name, hierarchy) = (relationship.property.name, source.reading.hierarchy)
    let address = PropertyAddress(entity: relationship.entity.name, property: name)
    let inverse = relationship.property.inverseName.flatMap { inverse in
      relationship.property.destinationEntityName.flatMap { hierarchy.allRelationships(of: $0)[inverse]?.property }
    }
    // A to-one inverse keeps the link in a column of its row, which is written.
    let isLinked = inverse.map { $0.isToMany || $0.isTransient } ?? true
    let links = try reading { try source.reading.placedLinks(along: name, of: entity, from: keys) }
    for (near, targets) in links.sorted(by: { $0.key < $1.key }) {
      for target in targets where part.members.contains(target.id) {
        if isLinked { writes.newLinks.insert(.init(relationship: address, near: near, far: target.id.key)) }
        guard relationship.property.isOrdered, let place = target.place else { continue }
        writes.places.append(.init(relationship: address, near: near, far: target.id.key, place: place))
      }
    }
  }
}
