import GRDB
public import ModelDescription
import ObjectStores
public import PersistentStores
public import StoreRows

/// Writes the objects of a store as text, in flat memory: as JSON, lines of JSON, CSV, or SQL for another database.
///
/// ```swift
/// let reader = try StoreReader(path: "store.sqlite")
/// defer { reader.close() }
/// let model = try EntityHierarchy(ManagedObjectModel { Entity("Note") { Attribute("text", .string) } })
/// try StoreDump(as: .jsonLines, entities: ["Note"]).write(reader, of: model, to: "notes.jsonl")
/// ```
public struct StoreDump: Sendable {
  /// The form.
  public let form: DumpForm
  private let entities: [String]
  private let request: RecordRequest?
  private let predicate: String?
  /// True to leave values empty whose file of external data is not there.
  public var skipsMissingFiles = false

  /// Says what is dumped.
  ///
  /// - Parameters:
  ///   - entities: the entities whose objects are dumped with those of the entities below them; none for all.
  ///   - predicate: what must hold of the objects of the only entity, in NSPredicate's grammar; nil for all.
  /// - Throws: ``DumpError/severalEntities(_:)``, and `RecordRequestError` with the place in the predicate.
  public init(as form: DumpForm, entities: [String] = [], where predicate: String? = nil) throws {
    (self.form, self.entities, self.predicate) = (form, entities, predicate)
    guard let predicate else {
      request = nil
      return
    }
    guard let entity = entities.first, entities.count == 1 else { throw DumpError.severalEntities(entities.count) }
    request = try RecordRequest(entity, where: predicate)
  }

  /// What was dumped.
  public struct Outcome: Hashable, Sendable {
    /// The number of objects of each entity that was dumped.
    public internal(set) var objects: [String: Int] = [:]
    /// How many links lead to objects of the store that were not dumped.
    public internal(set) var outwardLinks = 0
    /// How many links the dump lacks, as they lead to objects which are not there; SQL has `NULL`, which is not counted.
    public internal(set) var linksToNothing = 0
    /// How many values were left empty because their file of external data is not there.
    public internal(set) var missingFiles = 0
    /// The first of these links.
    public internal(set) var firstLinkToNothing: LinkToNothing?
  }

  /// Writes into a new file, or a new folder for CSV, which has its name when it is whole.
  ///
  /// - Parameters:
  ///   - reader: the store, which is only read.
  ///   - path: where; nothing may be there.
  /// - Throws: ``DumpError``, `StoreError`, `RecordRequestError`, and `RecordValueError` for a value that its column
  ///   cannot hold; nothing is left then.
  @discardableResult
  public func write(_ reader: StoreReader, of model: EntityHierarchy, to path: String) throws -> Outcome {
    try write(reader, of: model, to: path, SystemFiles())
  }

  /// The same by other file operations.
  package func write(
    _ reader: StoreReader, of model: EntityHierarchy, to path: String, _ operations: any FileOperations
  ) throws -> Outcome {
    var made: DumpFiles?
    do {
      let outcome = try reader.read { database in
        // The reading begins anew where another process wrote meanwhile.
        made?.discard()
        let files = try DumpFiles(path: path, isFolder: form == .csv, operations)
        made = files
        return try run(reader, model, database, begin: files.begin)
      }
      try made?.publish()
      return outcome
    } catch {
      made?.discard()
      throw error
    }
  }

  /// Writes piece by piece; CSV takes one entity only, which has no entities below it.
  ///
  /// - Parameters:
  ///   - reader: the store, which is only read.
  ///   - body: takes each piece.
  @discardableResult
  public func write(
    _ reader: StoreReader, of model: EntityHierarchy, _ body: @escaping ([UInt8]) throws -> Void
  ) throws -> Outcome {
    let output = DumpedOutput(body)
    let outcome = try reader.read { database in
      if output.isGivenAway { throw DumpError.changedMeanwhile(path: reader.path) }
      if form == .csv {
        let names = try part(
          RecordReading(of: model, readBy: reader, in: database), MissingFiles(leavesEmpty: true)
        ).entities.map(\.name)
        guard names.count == 1 else { throw DumpError.severalFiles(names) }
      }
      return try run(reader, model, database) { _ in output.begin() }
    }
    try output.finish()
    return outcome
  }

  private func part(_ reading: RecordReading, _ missing: MissingFiles) throws -> DumpedPart {
    try DumpedPart(entities: entities, request: request, missing: missing, in: reading)
  }

  private func run(
    _ reader: StoreReader, _ model: EntityHierarchy, _ database: Database, begin: (String) throws -> DumpStream
  ) throws -> Outcome {
    let reading = try RecordReading(of: model, readBy: reader, in: database)
    let missing = MissingFiles(leavesEmpty: skipsMissingFiles)
    let part = try part(reading, missing)
    try reading.checkWholeness(for: part.entities.map(\.name))
    let metadata = try StoreMetadata(reading: database, path: reader.path)
    var outcome = try write(part, reading, metadata, reader, begin: begin)
    outcome.missingFiles = missing.count
    return outcome
  }

  private func write(
    _ part: DumpedPart, _ reading: RecordReading, _ metadata: StoreMetadata, _ reader: StoreReader,
    begin: (String) throws -> DumpStream
  ) throws -> Outcome {
    switch form {
    case .json: return try JSONDump(part, reading, metadata).write(begin("json"))
    case .jsonLines: return try JSONLinesDump(part, reading).write(begin("jsonl"))
    case .csv: return try CSVDump(part, reading).write(begin)
    case .sql(let dialect):
      guard part.isWhole else { throw DumpError.partInSQL(path: reader.path, entities: entities, predicate: predicate) }
      return try SQLDump(dialect, part, reading, metadata).write { try begin("sql") }
    }
  }
}

/// A dump that is given away as it comes, the last piece only when the reading is known to be good.
final class DumpedOutput {
  /// True when a piece is given away, so that the dump cannot begin again.
  private(set) var isGivenAway = false
  private var pending: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void

  init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  func begin() -> DumpStream {
    pending = []
    return DumpStream { bytes in
      try self.finish()
      self.pending = bytes
    }
  }

  /// Gives the last piece away.
  func finish() throws {
    guard !pending.isEmpty else { return }
    isGivenAway = true
    try sink(pending)
    pending = []
  }
}

/// The forms that the objects of a store are dumped in.
public enum DumpForm: Hashable, Sendable {
  /// A JSON store, as a conversion writes it.
  case json
  /// An object of JSON a line.
  case jsonLines
  /// A folder with a file of comma-separated values for each entity.
  case csv
  /// A relational database as statements of SQL.
  case sql(SQLDialect)
}
