import GRDB
public import ModelDescription
public import PersistentStores
public import StoreRows

/// Makes a small store from a part of a store, with all objects that the model requires.
///
/// The part has the objects of a request, the objects within a number of relationships from them, and all objects of
/// their mandatory relationships. To-many relationships have the objects that are in the part.
///
/// The store is a new one, with a UUID of its own and the version hashes of the model. Objects keep their keys.
public struct StoreExtraction: Sendable {
  /// The objects to begin with.
  public var request: RecordRequest
  /// The number of relationships to follow from these objects.
  public var depth: Int
  /// Whether to enforce uniqueness; false for a copy that is converted to a different store type, which may have equal
  /// objects.
  public var enforcesUniqueness = true

  /// Creates an extraction.
  public init(_ request: RecordRequest, depth: Int = 1) { (self.request, self.depth) = (request, depth) }

  /// The numbers of extracted objects.
  public struct Outcome: Hashable, Sendable {
    /// The number of objects of each entity that has any.
    public let objects: [String: Int]
    /// The number of objects that the request found.
    public let requested: Int
    /// The links that the new store lacks, because they point to objects that do not exist in the other store.
    public let linksToNothing: [LinkToNothing]
    /// The number of rows in the tables of these objects that no request finds, because their entity number is of no
    /// entity of their table.
    public let rowsOfNoEntity: Int
  }

  /// Makes the store; it is written under a temporary name and renamed when it is complete.
  ///
  /// - Parameters:
  ///   - source: the store, which is only read.
  ///   - path: the path of the new store; it must not exist.
  /// - Throws: `StoreCreationError`, `RecordRequestError`, `RecordWritingError`, `StoreError`; no new store is left.
  public func run(
    from source: StoreReader, of hierarchy: EntityHierarchy, creator: StoreCreator, to path: String
  ) throws -> Outcome {
    var staged: StagedStore?
    do {
      let outcome = try source.read { database in
        // A reading that begins again leaves what it wrote.
        staged?.discard()
        let place = try StagedStore(for: path)
        staged = place
        let objects = WholeObjects(try RecordReading(of: hierarchy, readBy: source, in: database))
        let part = try part(in: objects)
        let dangling = try DanglingLinks.found(in: database, of: hierarchy)
        try creator.create(in: place)
        let paused = enforcesUniqueness ? [] : creator.layout.indexes.filter(\.isUnique)
        let links = try StoreError.translating(path: path) {
          try write(part, objects, dangling, at: source.path, to: place.path, without: paused)
        }
        return Outcome(
          objects: Dictionary(uniqueKeysWithValues: part.keys.map { ($0.entity, $0.keys.count) }),
          requested: try objects.reading.count(request), linksToNothing: links,
          rowsOfNoEntity: try objects.reading.rowsOfNoEntity(in: part.keys.map(\.entity) + [request.entity]))
      }
      try staged?.publish()
      return outcome
    } catch {
      staged?.discard()
      throw error
    }
  }

  /// Chooses the objects; no table or column may be missing.
  private func part(in objects: WholeObjects) throws -> StorePart {
    do {
      let part = try StorePart(request, depth: depth, in: objects)
      try objects.reading.checkWholeness(for: part.keys.map(\.entity))
      return part
    } catch let error as RecordRequestError {
      if case .noTable = error { try objects.reading.checkWholeness() }
      throw error
    }
  }

  private func write(
    _ part: StorePart, _ objects: WholeObjects, _ dangling: DanglingLinks, at sourcePath: String, to path: String,
    without indexes: [SQLIndex]
  ) throws -> [LinkToNothing] {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      TriggerFunctions.register(in: database)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var links: [LinkToNothing] = []
    do {
      try queue.inTransaction { database in
        for index in indexes { try database.execute(sql: "DROP INDEX \(SQLIdentifier(index.name))") }
        let reading = try RecordReading(of: objects.reading.hierarchy, path: path, in: database, provingIndexes: false)
        links = try PartWriting(part, from: objects, dangling, at: sourcePath, to: reading).run()
        return .commit
      }
    } catch {
      try? queue.close()
      throw error
    }
    try queue.close()
    return links
  }
}

/// Writes the objects of a part into a store that is empty, with their keys and places.
struct PartWriting {
  private let part: StorePart
  private let source: WholeObjects
  private let sourcePath: String
  private let destination: RecordReading
  private let dangling: DanglingLinks

  init(
    _ part: StorePart, from source: WholeObjects, _ dangling: DanglingLinks = DanglingLinks(), at sourcePath: String,
    to destination: RecordReading
  ) {
    (self.part, self.source, self.sourcePath, self.destination) = (part, source, sourcePath, destination)
    self.dangling = dangling
  }

  /// Writes all rows, then the join table links and the positions, which are also stored in rows of other objects.
  ///
  /// - Returns: the links of these rows that point to objects that do not exist; they are left out.
  @discardableResult
  func run() throws -> [LinkToNothing] {
    var lost: [LinkToNothing] = []
    try forEachBatch { entity, keys in
      var (writes, given) = (RecordWrites(), RecordKeys())
      for record in try reading({ try source.objects(of: entity, keys: keys) }) {
        given.raise(source.reading.hierarchy.rootName(of: entity), to: record.id.key)
        if !dangling.isEmpty { lost += try linksToNothing(of: record) }
        let values = try part.cut(record).values.compactMapValues(kept)
        writes.insertions.append(RecordWrites.Row(id: record.id, version: nil, values: values, changed: []))
      }
      try write(writes, given)
    }
    try forEachBatch { entity, keys in
      var writes = RecordWrites()
      for relationship in source.toMany(of: entity) { try add(relationship, of: entity, keys, to: &writes) }
      try write(writes, RecordKeys())
    }
    return lost
  }

  private func linksToNothing(of record: ObjectRecord) throws -> [LinkToNothing] {
    let names = Set(dangling.parts.map(\.relationship.property))
    return try record.values.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.compactMap { name, value in
      guard case .object(let id) = value, !part.members.contains(id),
        try reading({ try source.reading.records(of: id.entity, keys: [id.key]) }).isEmpty
      else { return nil }
      return LinkToNothing(object: record.id, relationship: name)
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

  /// The value to write to a row: bytes instead of a file, and no lists.
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
    let inverse = hierarchy.inverse(of: relationship.property)
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
