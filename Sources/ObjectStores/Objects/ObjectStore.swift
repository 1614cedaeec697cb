import AtomicStores
import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import StoreRows
import Synchronization
import VersionHashing

/// An open store, whose objects are read and written as values.
///
/// ```swift
/// let model = ManagedObjectModel { Entity("Customer") { Attribute("name", .string) } }
/// let store = try ObjectStore.open("shop.sqlite", model: model)
/// let id = try store.write { try $0.insert("Customer", ["name": "Anna"]) }
/// print(try store.read { try $0.object(id) }?["name"] ?? .null)
/// ```
///
/// ## Topics
///
/// ### Opening
/// - ``open(at:options:)``
/// - ``inMemory(model:)``
/// - ``opening``
///
/// ### Observing
/// - ``saves``
/// - ``observe(_:)-(FetchRequest<Object>)``
/// - ``observe(_:)-(RecordRequest)``
/// - ``history(after:)``
public final class ObjectStore: Sendable {
  /// The store's path; the name of a store in memory.
  public let path: String
  /// The result of opening the store.
  public let opening: StoreOpening
  /// The model of its objects.
  public var hierarchy: EntityHierarchy { store.hierarchy }
  private let store: StoreModel
  private let plans = WholeRecordPlans()
  private let model: SavingModel
  private let options: OpeningOptions
  let connection: any DatabaseWriter
  /// The identity that object identifiers and types are checked against.
  public let identity: StoreIdentity
  let news: StoreNews
  /// The check that indexes are not stale.
  private let proof: IndexProof
  /// The bytes of the metadata when the store was opened.
  private let metadata: Data
  /// The SQLite file; for an atomic store, it is in a temporary folder.
  let file: String
  /// The atomic store whose SQLite copy the file is.
  private let mirror: StoreMirror?
  /// An object that must exist as long as the store, such as the folder of a temporary store.
  private let keeper: (any AnyObject & Sendable)?
  private let isClosed = Mutex(false)

  // MARK: Opening

  /// A connection to a store's SQLite file, with the values read on it.
  private struct Connected {
    let connection: any DatabaseWriter
    let metadata: Data
    let store: StoreModel
    let identity: StoreIdentity
  }

  private init(
    _ path: String, file: String, _ connected: Connected, _ opening: StoreOpening, _ options: OpeningOptions,
    mirror: StoreMirror?, keeper: (any AnyObject & Sendable)?
  ) {
    (self.path, self.opening, self.options) = (path, opening, options)
    (self.file, self.mirror, self.keeper) = (file, mirror, keeper)
    (connection, metadata, store) = (connected.connection, connected.metadata, connected.store)
    identity = connected.identity
    model = SavingModel(connected.store.hierarchy)
    // A migration has checked the indexes, and the SQLite copy of an atomic store was just created.
    proof = IndexProof(isNeeded: opening == .opened && mirror == nil)
    news = StoreNews { try StoreConnection.reader(file) }
  }

  /// Connects to the SQLite file of an existing store with the model.
  ///
  /// - Parameters:
  ///   - opening: the result of the previous steps.
  ///   - options: the options for opening.
  ///   - file: the SQLite file if it is not the store itself.
  ///   - mirror: the atomic store whose SQLite copy the file is.
  ///   - keeper: an object that must exist as long as the store.
  ///   - request: the version that the store must have; nil if it was already checked.
  /// - Returns: the store.
  /// - Throws: `StoreError`, and ``ObjectStoreError/older(path:version:wanted:)`` for a store of a different version.
  static func connect(
    _ path: String, _ hierarchy: EntityHierarchy, _ opening: StoreOpening, _ options: OpeningOptions,
    file: String? = nil, mirror: StoreMirror? = nil, keeper: (any AnyObject & Sendable)? = nil,
    having request: MigrationRequest? = nil
  ) throws -> ObjectStore {
    let file = file ?? path
    let connected: Connected = try translating(path: path, file: file) {
      // A log that was there stays as it is until a save is complete: it may be that of a different store.
      let hasLog = FileStatus(file + "-wal").map { $0.size > 0 } ?? false
      let connection = try StoreConnection.open(
        file, busyTimeout: options.busyTimeout, readsBesideWriter: options.readsBesideWriter)
      if hasLog { StoreConnection.keepLog(of: connection) }
      let (metadata, snapshot) = try connection.read { database in
        if let request,
          try StoreMetadata(reading: database, path: path).versionHashes != request.destination.versionHashes
        {
          throw ObjectStoreError.otherVersion(path, nil, request)
        }
        return (try StoreConnection.metadata(in: database), try StoreSnapshot(reading: database, counting: false))
      }
      var store = StoreModel(hierarchy: hierarchy, layout: BoundLayout(of: hierarchy, to: snapshot).layout)
      store.keepsExactValues = mirror != nil
      return Connected(
        connection: connection, metadata: metadata, store: store,
        identity: try connection.read { try StoreIdentity(reading: $0, path: file) })
    }
    let store = ObjectStore(path, file: file, connected, opening, options, mirror: mirror, keeper: keeper)
    store.removeLeftovers()
    return store
  }

  /// Removes the external data of unfinished saves; if another process is writing, the next opening removes it.
  private func removeLeftovers() {
    guard let leftovers = ExternalLeftovers(ofStore: file) else { return }
    try? connection.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        try proof.prove(database, path: path)
        try leftovers.remove(RecordReading(store, path: file, in: database), options.files)
        return .commit
      }
    }
  }

  /// Closes the store's file; using the store afterwards is ``ObjectStoreError/closed(path:)``.
  ///
  /// - Throws: ``ObjectStoreError/nested(path:)`` within a reading or a save of the store, `DatabaseError`.
  public func close() throws {
    guard StoreUse.uses(of: self).all.isEmpty else { throw ObjectStoreError.nested(path: path) }
    isClosed.withLock { $0 = true }
    // The writer must be closed last, or the log is kept.
    (connection as? DatabasePool)?.releaseMemory()
    try? connection.writeWithoutTransaction { if try StoreWriter.hasMoved($0) { try StoreConnection.emptyLog(in: $0) } }
    try connection.close()
  }

  // MARK: Reading and writing

  /// Reads the store at one moment.
  ///
  /// A reading within a reading sees the same moment. A reading within a save sees the store before the save.
  ///
  /// - Parameter body: the reading; its argument is only valid until it ends.
  /// - Throws: ``ObjectStoreError``, `StoreError`, and the errors of `body`.
  public func read<Value>(_ body: (StoreReading) throws -> Value) throws -> Value {
    try checkOpen()
    let (all, here) = StoreUse.uses(of: self)
    // Of one connection there is only the transaction that it is in.
    if let outer = here.first(where: { $0.kind == .reading }) ?? (hasOneConnection ? here.first : nil) {
      return try translating { try read(in: outer.database, within: outer, body) }
    }
    guard all.isEmpty || !hasOneConnection else { throw ObjectStoreError.nested(path: path) }
    let begins = StoreUse.isOutside
    return try translating { try connection.read { try read(in: $0, begins: begins, body) } }
  }

  /// True if the store has no separate connections for readers.
  private var hasOneConnection: Bool { !(connection is DatabasePool) }

  /// Reads on a connection, in its current transaction.
  ///
  /// - Parameters:
  ///   - outer: the reading or save that uses the connection.
  ///   - begins: true if the connection is not used within another reading or save.
  func read<Value>(
    in database: Database, within outer: StoreUse? = nil, begins: Bool = true,
    _ body: (StoreReading) throws -> Value
  ) throws -> Value {
    try outer?.beforeReading?()
    try check(database)
    return try StoreUse.run(.reading, of: self, on: database, begins: outer == nil && begins) { use in
      use.beforeReading = outer?.beforeReading
      let reading = StoreReading(RecordReading(store, path: file, in: database, plans: plans), identity, use)
      defer { reading.end() }
      return try body(reading)
    }
  }

  /// Changes objects and saves them atomically when the closure ends.
  ///
  /// As in a save of Core Data, deletes are propagated, inverses are set, and new and changed objects are validated.
  /// Uniqueness and versions are checked, and history is written. A save within a save is refused, including
  /// ``insert(_:merging:)`` and similar methods: use the transaction.
  ///
  /// - Parameters:
  ///   - policy: the handling of an object that another save changed, and of equal unique values.
  ///   - author: the author for persistent history; nil for the author in the options.
  ///   - body: the changes; its argument is only valid until it ends.
  /// - Throws: ``SaveError`` with every blocker, ``ObjectStoreError``, `StoreError`, and the errors of `body`; the
  ///   store is then unchanged.
  @discardableResult
  public func write<Value>(
    merging policy: MergePolicy = .error, author: String? = nil, _ body: (StoreTransaction) throws -> Value
  ) throws -> Value {
    try transaction(merging: policy, author: author, isKept: true, body).value
  }

  /// Returns the rows that `write(merging:author:_:)` would write, without writing them.
  public func plan(merging policy: MergePolicy = .error, _ body: (StoreTransaction) throws -> Void) throws -> Saving {
    try saving(merging: policy, isWritten: false, body)
  }

  /// Saves the changes of a closure, or only computes them.
  ///
  /// - Returns: the rows that were written or would be written.
  public func saving(
    merging policy: MergePolicy = .error, author: String? = nil, isWritten: Bool,
    _ body: (StoreTransaction) throws -> Void
  ) throws -> Saving {
    try transaction(merging: policy, author: author, isKept: isWritten, body).saving
  }

  private func transaction<Value>(
    merging policy: MergePolicy, author: String?, isKept: Bool, _ body: (StoreTransaction) throws -> Value
  ) throws -> (value: Value, saving: Saving) {
    try checkOpen()
    let outer = StoreUse.uses(of: self).all
    guard outer.isEmpty || !hasOneConnection && outer.allSatisfy({ $0.kind == .reading }) else {
      throw ObjectStoreError.nested(path: path)
    }
    let begins = StoreUse.isOutside
    return try translating {
      try connection.writeWithoutTransaction { database in
        try save(in: database, begins: begins, merging: policy, author: author, isKept: isKept, body)
      }
    }
  }

  /// Runs work on the SQLite file.
  ///
  /// Errors name the store or, if the file is temporary, the folder for temporary files.
  func translating<Value>(_ work: () throws -> Value) throws -> Value {
    try Self.translating(path: path, file: file, work)
  }

  private static func translating<Value>(path: String, file: String, _ work: () throws -> Value) throws -> Value {
    try StoreError.translating(path: path) {
      try file == path ? work() : StoreError.writingTemporaryStore(file, runsAppCode: true, work)
    }
  }

  /// Writes on a connection, in its own transaction.
  ///
  /// - Parameter begins: true if the connection is not used within another reading or save.
  func save<Value>(
    in database: Database, begins: Bool = true, merging policy: MergePolicy, author: String?, isKept: Bool,
    _ body: (StoreTransaction) throws -> Value
  ) throws -> (value: Value, saving: Saving) {
    try checkOpen()
    return try StoreUse.run(.saving, of: self, on: database, begins: begins) { use in
      try save(in: database, use, merging: policy, author: author, isKept: isKept, body)
    }
  }

  private func save<Value>(
    in database: Database, _ use: StoreUse, merging policy: MergePolicy, author: String?, isKept: Bool,
    _ body: (StoreTransaction) throws -> Value
  ) throws -> (value: Value, saving: Saving) {
    // A document is created from rows and the files that they name, even for a dry run.
    let files = ExternalFiles(
      ofStore: file, options.files, isKept: isKept || mirror != nil, names: options.externalName)
    var writer = options.author
    if let author { writer.name = author }
    var isCommitting = false
    var replacement: StoreMirror.Replacement?
    do {
      try database.execute(sql: "BEGIN IMMEDIATE")
      try check(database)
      if !options.writesMirrored, try StoreReader.isMirrored(database) {
        throw ObjectStoreError.mirrored(path: path)
      }
      let reading = RecordReading(store, path: file, in: database, plans: plans)
      let transaction = StoreTransaction(reading, model, policy, identity, use)
      use.beforeReading = { [weak transaction] in try transaction?.hide() }
      defer {
        use.beforeReading = nil
        transaction.end()
      }
      let value = try body(transaction)
      var saving = try transaction.saving()
      if mirror != nil { saving.rounded = [] }
      // Only written rows show the values that SQLite refuses, and the dangling links of a document.
      try RecordWriting(reading, files: files).write(saving.writes, keys: transaction.keys, author: writer)
      if let mirror, !saving.writes.isEmpty {
        let objects = try StoredObjects(reading, removesLinks: true)
        let content = try objects.content(StoreMetadata(reading: database, path: path))
        if isKept {
          replacement = try mirror.replace(with: content, model: hierarchy)
        } else {
          try mirror.check(content, model: hierarchy)
        }
        saving.linksToNothing = objects.linksToNothing
        try reading.empty(saving.linksToNothing)
        if let failure = replacement?.failure { throw failure }
      }
      if isKept {
        if try StoreWriter.hasMoved(database) { throw ObjectStoreError.replaced(path: path) }
        isCommitting = true
        try database.execute(sql: "COMMIT")
        StoreConnection.foldLog(whenClosing: database)
        if try StoreWriter.hasMoved(database) {
          try StoreConnection.emptyLog(in: database)
          throw ObjectStoreError.replaced(path: path)
        }
        replacement?.finish()
        replacement = nil
        let save = StoreSave(saving)
        if !save.isEmpty { news.tell(.save(save)) }
      } else {
        try database.execute(sql: "ROLLBACK")
        files.discard()
      }
      files.finish()
      return (value, saving)
    } catch {
      let isTakenBack = database.isInsideTransaction && (try? database.execute(sql: "ROLLBACK")) != nil
      // Only the next opening shows if a failed commit is on the disk; it removes the files that no row names.
      if isTakenBack || !isCommitting { files.discard() }
      if let replacement { try takeBack(replacement, after: error) }
      throw error
    }
  }

  /// Reverts the change that a failed save made to the file of an atomic store.
  private func takeBack(_ replacement: StoreMirror.Replacement, after failure: any Error) throws {
    do {
      try mirror?.takeBack(replacement)
    } catch let obstacle {
      throw ObjectStoreError.notTakenBack(
        path: path, failure: CaughtError(translated(failure)), obstacle: CaughtError(obstacle))
    }
  }

  /// Translates an error of work on the SQLite file for the user of the store.
  private func translated(_ error: any Error) -> any Error {
    do {
      try translating { () throws -> Void in throw error }
      return error
    } catch let translated {
      return translated
    }
  }

  func checkOpen() throws(ObjectStoreError) {
    if isClosed.withLock({ $0 }) { throw .closed(path: path) }
  }

  /// Checks that the file is the opened file and still has the same version.
  private func check(_ database: Database) throws {
    try checkOpen()
    guard try !StoreWriter.hasMoved(database), try StoreConnection.metadata(in: database) == metadata else {
      throw ObjectStoreError.replaced(path: path)
    }
    try proof.prove(database, path: path)
  }
}
