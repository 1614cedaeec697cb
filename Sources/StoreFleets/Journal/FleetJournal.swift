import Foundation
import GRDB
public import ModelDescription
public import PersistentStores

/// The progress of a run over many stores, in a small SQLite database, so that a later run can continue it.
///
/// A row is written after its store is safe on the disk. If a crash loses the row, the next run examines the store again.
/// Only one run at a time can use a journal.
public final class FleetJournal {
  /// The journal's file; nil for a temporary journal.
  public let path: String?
  /// The real path of the folder that the paths in the journal are relative to, as far as they lie in it.
  let folder: String?
  /// The run that this value is for.
  private(set) var run: Int64 = 0
  private let queue: DatabaseQueue
  private let isNew: Bool

  /// `mdlj`, which marks the file as a journal of ours.
  static let applicationIdentifier: UInt32 = 0x6D64_6C6A
  private static let version = 1

  /// Opens a journal, or creates it.
  ///
  /// - Parameter path: the file; nil for a journal in a temporary file that is deleted with this value.
  /// - Returns: the journal; no other run can use it until this run ends.
  public static func open(at path: String?) throws(FleetJournalError) -> FleetJournal {
    guard let path else {
      let queue = try translating("temporary journal") { try connection(to: "") }
      let journal = FleetJournal(path: nil, folder: nil, queue, isNew: true)
      try journal.access { try makeTables(in: $0) }
      return journal
    }
    let file = URL(fileURLWithPath: path)
    guard let folder = StoreFiles.existingPath(of: file.deletingLastPathComponent().path) else {
      throw .unusable(path: path, error: .noFolder)
    }
    let place = "\(folder)/\(file.lastPathComponent)"
    let isNew = try Self.isNew(place, path)
    do {
      try StoreFiles.checkUser(ofFolder: folder, path: path)
    } catch {
      throw .unusable(path: path, error: .store(error))
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .unusable(path: path, error: .readOnlyFolder)
    }
    if isNew { try translating(path) { try makeFile(place) } }
    let queue = try translating(path) { try connection(to: place) }
    let journal = FleetJournal(path: path, folder: folder, queue, isNew: isNew)
    try journal.checkVersion()
    journal.removeDrafts()
    return journal
  }

  private init(path: String?, folder: String?, _ queue: DatabaseQueue, isNew: Bool) {
    (self.path, self.folder, self.queue, self.isNew) = (path, folder, queue, isNew)
  }

  /// The real path of the journal's file.
  var realPath: String? {
    guard let path, let folder else { return nil }
    return "\(folder)/\(URL(fileURLWithPath: path).lastPathComponent)"
  }

  /// Closes the journal and removes its file.
  public func remove() {
    guard let realPath, (try? queue.close()) != nil else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(realPath + suffix) }
  }

  private static func isNew(_ place: String, _ path: String) throws(FleetJournalError) -> Bool {
    guard let stamp = FileStatus(place) else { return true }
    guard stamp.kind == .file else { throw .foreign(path: path) }
    switch FileBeginning(place) {
    case .journal: return false
    case .empty, .gone: return true
    case .unreadable: throw .unusable(path: path, error: .unreadable)
    case .database, .document, .something: throw .foreign(path: path)
    }
  }

  /// Creates the file under another name first, so that a crash leaves no partial file; a file of another run is kept.
  private static func makeFile(_ place: String) throws {
    let draft = draftPrefix(of: place) + UUID().uuidString + draftSuffix
    defer { unlink(draft) }
    do {
      let made = MadeFile(draft, try SystemFiles().create(draft, like: nil))
      var configuration = made.configuration
      // A journal beside it would be one more file that a crash leaves.
      configuration.prepareDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = MEMORY") }
      let queue = try made.open(configuration)
      try queue.write(makeTables)
      try queue.close()
    } catch let error {
      // The run that has made the journal meanwhile took the draft for that of a killed one.
      guard FileStatus(draft) == nil, FileStatus(place) != nil else { throw error }
    }
    let isEmpty = FileStatus(place)?.size == 0
    guard isEmpty || link(draft, place) != 0, isEmpty || errno != EEXIST else { return }
    guard rename(draft, place) != 0 else { return }
    let code = errno
    guard FileStatus(draft) == nil, FileStatus(place) != nil else {
      throw FleetJournalError.unusable(path: place, error: .system(code: code))
    }
  }

  private static func draftPrefix(of place: String) -> String {
    let url = URL(fileURLWithPath: place)
    return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).").path
  }

  private static let draftSuffix = ".partial"

  /// Removes the drafts of runs that were killed; a run that creates a draft now finds that this run has the journal.
  private func removeDrafts() {
    guard let folder, let realPath else { return }
    let prefix = Self.draftPrefix(of: realPath)
    for path in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map({ "\(folder)/\($0)" })
    where path.hasPrefix(prefix) && path.hasSuffix(Self.draftSuffix) {
      let name = path.dropFirst(prefix.count).dropLast(Self.draftSuffix.count)
      if UUID(uuidString: String(name)) != nil { unlink(path) }
    }
  }

  /// A lock that is kept until the end; a write-ahead log, so that a batch costs no wait for the disk.
  private static func connection(to path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    configuration.allowsUnsafeTransactions = true
    configuration.label = "modelctl.journal"
    configuration.prepareDatabase { database in
      _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
      if !path.isEmpty { _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") }
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
      try database.execute(sql: "PRAGMA cache_size = -4000")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE; COMMIT") }
    return queue
  }

  private static func makeTables(in database: Database) throws {
    try database.execute(
      sql: """
        PRAGMA application_id = \(applicationIdentifier);
        CREATE TABLE run (
          id INTEGER PRIMARY KEY,
          started REAL NOT NULL,    -- seconds since 1970
          ended REAL,               -- NULL while it runs, and when it was killed
          goal TEXT NOT NULL,       -- stands for the versions that there were and the one to reach
          shard TEXT                -- such as 2/8; NULL for all stores
        );
        CREATE TABLE store (
          path TEXT PRIMARY KEY,    -- from the journal's own folder where it lies there, whole otherwise
          given TEXT NOT NULL,      -- as the command named it
          named INTEGER NOT NULL,   -- 1 when it was named itself, 0 when it was found in a folder
          state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'skipped')),
          run INTEGER NOT NULL REFERENCES run (id),
          attempts INTEGER NOT NULL DEFAULT 0,
          outcome TEXT,             -- migrated, already-current
          source TEXT,              -- the version it had
          destination TEXT,         -- the version it has
          message TEXT,             -- why it failed or is no store
          uuid TEXT,                -- the store's identity
          started REAL,             -- seconds since 1970
          seconds REAL,             -- how long it took
          goal TEXT, device INTEGER, inode INTEGER, size INTEGER, modified INTEGER -- what finished it, and how it was then
        ) WITHOUT ROWID;
        CREATE TABLE leftover (path TEXT PRIMARY KEY) WITHOUT ROWID; -- stores beside which a crash left a copy
        PRAGMA user_version = \(version);
        """)
  }

  private func checkVersion() throws(FleetJournalError) {
    let version = try access { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
    if version > Self.version { throw .newer(path: path ?? "", version: version) }
    guard version == Self.version else { throw .foreign(path: path ?? "") }
    _ = try access { try Row.fetchOne($0, sql: "SELECT path, state FROM store LIMIT 1") }
  }

  func access<Value>(_ body: (Database) throws -> Value) throws(FleetJournalError) -> Value {
    try Self.translating(path ?? "temporary journal") { try queue.writeWithoutTransaction(body) }
  }

  /// Does a piece of work in a single transaction.
  func transaction(_ body: (Database) throws -> Void) throws(FleetJournalError) {
    try access { database in
      try database.inTransaction {
        try body(database)
        return .commit
      }
    }
  }

  private static func translating<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(FleetJournalError) -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      let (code, message) = (error.resultCode.rawValue, error.message)
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: throw .inUse(path: path)
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH:
        throw .corrupt(path: path, detail: message ?? "SQLite error \(code)")
      default: throw .unusable(path: path, error: .sqlite(code: code, message: message))
      }
    } catch let error as FleetJournalError {
      throw error
    } catch {
      throw .unusable(path: path, error: .other(CaughtError(error)))
    }
  }

  /// Begins a run.
  ///
  /// - Parameter goal: a text for everything that decides whether a store is finished.
  func begin(goal: String, shard: Shard?) throws(FleetJournalError) {
    run = try access { database in
      try database.execute(
        sql: "INSERT INTO run (started, goal, shard) VALUES (?, ?, ?)",
        arguments: [Date().timeIntervalSince1970, goal, shard?.description])
      let run = database.lastInsertedRowID
      try database.execute(sql: "DELETE FROM leftover")
      return run
    }
  }

  /// Ends the run and closes the journal; one that was made for it and has nothing in it is removed.
  func end() throws(FleetJournalError) {
    let isEmpty = try access { database in
      try database.execute(
        sql: "UPDATE run SET ended = ? WHERE id = ?", arguments: [Date().timeIntervalSince1970, run])
      return try Row.fetchOne(database, sql: "SELECT 1 FROM store LIMIT 1") == nil
    }
    try? queue.close()
    guard isNew, isEmpty, let realPath else { return }
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: realPath + suffix) }
  }
}

/// The reason why a journal cannot be used.
public enum FleetJournalError: Hashable, Sendable {
  /// The file is not a journal.
  case foreign(path: String)
  /// A later version of modelctl wrote the journal.
  case newer(path: String, version: Int)
  /// Another run is using the journal.
  case inUse(path: String)
  /// The content of the journal is damaged.
  case corrupt(path: String, detail: String)
  /// The journal cannot be created, read or written.
  case unusable(path: String, error: AccessError)

  /// The reason why a journal cannot be created, read or written.
  public enum AccessError: Error, Hashable, Sendable {
    case noFolder
    case readOnlyFolder
    /// The superuser does not create a journal in a folder of a different user.
    case store(StoreError)
    case unreadable
    /// - Parameter code: the system's error number.
    case system(code: Int32)
    /// - Parameter code: SQLite's result code.
    case sqlite(code: Int32, message: String?)
    case other(CaughtError)
  }
}

extension FleetJournalError: AdvisedError {
  /// The path of the journal.
  public var place: String? {
    switch self {
    case .foreign(let path), .newer(let path, _), .inUse(let path), .corrupt(let path, _), .unusable(let path, _): path
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .foreign: "this file is not a journal of modelctl, and modelctl does not change it"
    case .newer(_, let version): "the journal has version \(version), which a later modelctl wrote"
    case .inUse: "another run is using this journal"
    case .corrupt(_, let detail): "the journal is damaged (\(detail)); the stores do not depend on it"
    case .unusable(_, let error): "the journal cannot be used: \(error.clause)"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    let other: Advice = "\(option: "--journal", "FILE")"
    return switch self {
    case .foreign, .unusable: "name another file: \(other)"
    case .newer: "use that modelctl; or name another file: \(other)"
    case .inUse:
      """
      wait for the other run; or divide the stores into parts, each of which has its own journal: \
      \(option: "--shard", "I/N")
      """
    case .corrupt: "delete it; modelctl then examines every store again"
    }
  }
}

extension FleetJournalError.AccessError {
  fileprivate var clause: String {
    switch self {
    case .noFolder: "its folder does not exist"
    case .store(let error): error.cause
    case .readOnlyFolder: "its folder is not writable, and a run records its progress there"
    case .unreadable: "it is not readable"
    case .system(let code): String(cString: strerror(code))
    case .sqlite(let code, let message): message ?? "SQLite error \(code)"
    case .other(let caught): caught.description
    }
  }
}
