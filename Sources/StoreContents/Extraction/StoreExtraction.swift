import GRDB
public import ModelDescription
public import PersistentStores
public import StoreRows

/// Makes a small store of a part of another in which nothing is missing that the model asks for.
///
/// The part has the objects that a request gives, the objects within some relationships of them, and what all of these need:
/// the objects of mandatory relationships, and what those need. To-many relationships have the objects that are in the part.
///
/// The store is a new one, with a UUID of its own and the version hashes of the model. Objects keep their keys.
public struct StoreExtraction: Sendable {
  /// The objects to begin with.
  public var request: RecordRequest
  /// How many relationships are followed from them.
  public var depth: Int
  /// False for a store that goes on to another kind, in which objects may be equal that a SQLite store keeps apart.
  public var enforcesUniqueness = true

  /// Says what is taken.
  public init(_ request: RecordRequest, depth: Int = 1) { (self.request, self.depth) = (request, depth) }

  /// What was taken.
  public struct Outcome: Hashable, Sendable {
    /// The number of objects of each entity that has any.
    public let objects: [String: Int]
    /// How many of them the request asked for.
    public let requested: Int
  }

  /// Makes the store; it is written under another name and renamed when it is whole.
  ///
  /// - Parameters:
  ///   - source: the store, which is only read.
  ///   - hierarchy: its model.
  ///   - creator: makes the new store, of the same model.
  ///   - path: where; nothing may be there.
  /// - Returns: how many objects it has.
  /// - Throws: `StoreCreationError`, `RecordRequestError`, `RecordWritingError`, `StoreError`; nothing is left of the new store.
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
        let objects = WholeObjects(try RecordReading(of: hierarchy, path: source.file, in: database))
        let part = try StorePart(request, depth: depth, in: objects)
        try creator.create(in: place)
        let paused = enforcesUniqueness ? [] : creator.layout.indexes.filter(\.isUnique)
        try StoreError.translating(path: path) {
          try write(part, objects, at: source.path, to: place.path, without: paused)
        }
        return Outcome(
          objects: Dictionary(uniqueKeysWithValues: part.keys.map { ($0.entity, $0.keys.count) }),
          requested: try objects.reading.count(request))
      }
      try staged?.publish()
      return outcome
    } catch {
      staged?.discard()
      throw error
    }
  }

  private func write(
    _ part: StorePart, _ objects: WholeObjects, at sourcePath: String, to path: String, without indexes: [SQLIndex]
  ) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      TriggerFunctions.register(in: database)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      try queue.inTransaction { database in
        for index in indexes { try database.execute(sql: "DROP INDEX \(SQLIdentifier(index.name))") }
        let reading = try RecordReading(of: objects.reading.hierarchy, path: path, in: database)
        try PartWriting(part, from: objects, at: sourcePath, to: reading).run()
        return .commit
      }
    } catch {
      try? queue.close()
      throw error
    }
    try queue.close()
  }
}
