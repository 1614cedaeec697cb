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
  /// The format.
  public let format: StoreDumpFormat
  private let entities: [String]
  private let request: RecordRequest?
  private let predicate: String?
  /// Whether to leave values empty if their file of external data is missing.
  public var skipsMissingFiles = false

  /// Creates a dump.
  ///
  /// - Parameters:
  ///   - entities: the entities whose objects are dumped, with their subentities; empty for all.
  ///   - predicate: the condition for objects of the only entity, in NSPredicate's grammar; nil for all.
  /// - Throws: ``DumpError/severalEntities(_:)``, and `RecordRequestError` with the location in the predicate.
  public init(as format: StoreDumpFormat, entities: [String] = [], where predicate: String? = nil) throws {
    (self.format, self.entities, self.predicate) = (format, entities, predicate)
    guard let predicate else {
      request = nil
      return
    }
    guard let entity = entities.first, entities.count == 1 else { throw DumpError.severalEntities(entities.count) }
    request = try RecordRequest(entity, where: predicate)
  }

  /// The numbers of dumped objects and links.
  public struct Outcome: Hashable, Sendable {
    /// The number of objects of each entity that was dumped.
    public internal(set) var objects: [String: Int] = [:]
    /// The number of links to objects of the store that were not dumped.
    public internal(set) var outwardLinks = 0
    /// The number of links that the dump lacks, because they point to objects that do not exist; SQL has `NULL`, which
    /// is not counted.
    public internal(set) var linksToNothing = 0
    /// The number of values that were left empty because their file of external data is missing.
    public internal(set) var missingFiles = 0
    /// The number of rows that the dump lacks, because their entity number is of no entity of their table.
    public internal(set) var rowsOfNoEntity = 0
    /// The first of the links to nothing.
    public internal(set) var firstLinkToNothing: LinkToNothing?
  }

  /// Writes into a new file, or a new folder for CSV, which gets its name when it is complete.
  ///
  /// - Parameters:
  ///   - reader: the store, which is only read.
  ///   - path: the path of the output; it must not exist.
  ///   - progress: called with the number of bytes written so far.
  /// - Throws: ``DumpError``, `StoreError`, `RecordRequestError`, and `RecordValueError` if a value does not fit its
  ///   attribute; no output is left.
  @discardableResult
  public func write(
    _ reader: StoreReader, of model: EntityHierarchy, to path: String, progress: ((_ bytes: Int64) -> Void)? = nil
  ) throws -> Outcome {
    try write(reader, of: model, to: path, SystemFiles(), progress: progress)
  }

  /// Writes into a new file with other file operations.
  package func write(
    _ reader: StoreReader, of model: EntityHierarchy, to path: String, _ operations: any FileOperations,
    progress: ((_ bytes: Int64) -> Void)? = nil
  ) throws -> Outcome {
    var made: DumpFiles?
    do {
      let outcome = try reader.read { database in
        // The reading begins anew where another process wrote meanwhile.
        made?.discard()
        let files = try DumpFiles(path: path, isFolder: format == .csv, operations, progress: progress)
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

  /// Writes piece by piece; CSV requires a single entity without subentities.
  ///
  /// - Parameters:
  ///   - reader: the store, which is only read.
  ///   - body: receives each piece.
  @discardableResult
  public func write(
    _ reader: StoreReader, of model: EntityHierarchy, _ body: @escaping ([UInt8]) throws -> Void
  ) throws -> Outcome {
    let output = DumpedOutput(body)
    let outcome = try reader.read { database in
      if output.isGivenAway { throw DumpError.changedMeanwhile(path: reader.path) }
      if format == .csv {
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
    outcome.rowsOfNoEntity = try reading.rowsOfNoEntity(in: part.entities.map(\.name))
    return outcome
  }

  private func write(
    _ part: DumpedPart, _ reading: RecordReading, _ metadata: StoreMetadata, _ reader: StoreReader,
    begin: (String) throws -> DumpStream
  ) throws -> Outcome {
    switch format {
    case .json: return try JSONDump(part, reading, metadata).write(begin("json"))
    case .jsonLines: return try JSONLinesDump(part, reading).write(begin("jsonl"))
    case .csv: return try CSVDump(part, reading).write(begin)
    case .sql(let dialect):
      guard part.isWhole else { throw DumpError.partInSQL(path: reader.path, entities: entities, predicate: predicate) }
      return try SQLDump(dialect, part, reading, metadata).write { try begin("sql") }
    }
  }
}

/// A dump that is passed on in pieces; the last piece is passed on after the reading has succeeded.
final class DumpedOutput {
  /// Whether a piece was passed on, so that the dump cannot restart.
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

  /// Passes the last piece on.
  func finish() throws {
    guard !pending.isEmpty else { return }
    isGivenAway = true
    try sink(pending)
    pending = []
  }
}

/// The forms that the objects of a store are dumped in.
public enum StoreDumpFormat: Hashable, Sendable {
  /// A JSON store, as a conversion writes it.
  case json
  /// An object of JSON a line.
  case jsonLines
  /// A folder with a file of comma-separated values for each entity.
  case csv
  /// A relational database as statements of SQL.
  case sql(SQLDialect)
}
