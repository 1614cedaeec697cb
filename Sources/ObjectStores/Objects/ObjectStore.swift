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

/// A store that is open: its objects are read and written as values.
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
  /// What opening it did.
  public let opening: StoreOpening
  /// The model of its objects.
  public var hierarchy: EntityHierarchy { store.hierarchy }
  private let store: StoreModel
  private let plans = WholeRecordPlans()
  private let model: SavingModel
  private let options: OpeningOptions
  let connection: any DatabaseWriter
  /// What identifiers and types of its objects are held against.
  public let identity: StoreIdentity
  let news: StoreNews
  /// What says that no index answers wrongly.
  private let proof: IndexProof
  /// The bytes of the metadata when the store was opened.
  private let metadata: Data
  /// The SQLite file, which is in a temporary folder where the store is of another kind.
  let file: String
  /// The store of another kind that the SQLite file stands for.
  private let mirror: StoreMirror?
  /// What lasts as long as the store, as the folder of a store in memory.
  private let keeper: (any AnyObject & Sendable)?
  private let isClosed = Mutex(false)

  // MARK: Opening

  /// A connection to a store's SQLite file, and what was read on it.
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
    // A migration has looked at the indexes, and what stands for a store of another kind was just made.
    proof = IndexProof(isNeeded: opening == .opened && mirror == nil)
    news = StoreNews { try StoreConnection.reader(file) }
  }

  /// Connects to the SQLite file of a store that is there and has the model.
  ///
  /// - Parameters:
  ///   - opening: what was done to it before.
  ///   - options: what opening may do.
  ///   - file: the SQLite file where it is another than the store.
  ///   - mirror: the store of another kind that the file stands for.
  ///   - keeper: what lasts as long as the store.
  ///   - request: the version that the store must have; nil where that was seen to.
  /// - Returns: the store.
  /// - Throws: `StoreError`, and ``ObjectStoreError/older(path:version:wanted:)`` for a store of another version.
  static func connect(
    _ path: String, _ hierarchy: EntityHierarchy, _ opening: StoreOpening, _ options: OpeningOptions,
    file: String? = nil, mirror: StoreMirror? = nil, keeper: (any AnyObject & Sendable)? = nil,
    having request: MigrationRequest? = nil
  ) throws -> ObjectStore {
    let file = file ?? path
    let connected: Connected = try translating(path: path, file: file) {
      let connection = try StoreConnection.open(
        file, busyTimeout: options.busyTimeout, readsBesideWriter: options.readsBesideWriter)
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

  /// Removes what saves that never ended left of their external data; where somebody writes, the next opening does it.
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
    // The last connection to close must be the one that writes, or the log stays.
    (connection as? DatabasePool)?.releaseMemory()
    try connection.close()
  }

  // MARK: Reading and writing

  /// Reads the store as it is at one moment.
  ///
  /// A reading within a reading sees the same moment. One within a save sees the store as it was before the save.
  ///
  /// - Parameter body: reads; what it is given ends with it.
  /// - Throws: ``ObjectStoreError``, `StoreError`, and what the body throws.
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

  /// True where the store has no readers beside the writer.
  private var hasOneConnection: Bool { !(connection is DatabasePool) }

  /// Reads on a connection, in the transaction that it is in.
  ///
  /// - Parameters:
  ///   - outer: the reading or save whose connection it is.
  ///   - begins: true where the connection was not asked from within another reading or save.
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

  /// Changes objects; the end of the closure is the save, which writes everything or nothing.
  ///
  /// Deletes are propagated, inverses set, everything new or changed is validated, uniqueness and versions are looked at,
  /// history is written, as in a save of Core Data. A save within a save is refused, as ``insert(_:merging:)`` and its like
  /// are there: use the transaction.
  ///
  /// - Parameters:
  ///   - policy: what happens where somebody else saved the same object, or has the same unique values.
  ///   - author: who saves, for persistent history; nil for the one of the options.
  ///   - body: says what changes; what it is given ends with it.
  /// - Throws: ``SaveError`` with every blocker, ``ObjectStoreError``, `StoreError`, and what the body throws; the
  ///   store is as it was then.
  @discardableResult
  public func write<Value>(
    merging policy: MergePolicy = .error, author: String? = nil, _ body: (StoreTransaction) throws -> Value
  ) throws -> Value {
    try transaction(merging: policy, author: author, isKept: true, body).value
  }

  /// Says what `write(merging:author:_:)` would write, and writes nothing.
  public func plan(merging policy: MergePolicy = .error, _ body: (StoreTransaction) throws -> Void) throws -> Saving {
    try saving(merging: policy, isWritten: false, body)
  }

  /// Writes what a closure says, or only works it out.
  ///
  /// - Returns: what was written, or would be.
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

  /// Does something with the SQLite file; errors name the store, and where the file is a temporary one, the folder of such.
  func translating<Value>(_ work: () throws -> Value) throws -> Value {
    try Self.translating(path: path, file: file, work)
  }

  private static func translating<Value>(path: String, file: String, _ work: () throws -> Value) throws -> Value {
    try StoreError.translating(path: path) {
      try file == path ? work() : StoreError.writingTemporaryStore(file, runsAppCode: true, work)
    }
  }

  /// Writes on a connection, in a transaction of its own.
  ///
  /// - Parameter begins: true where the connection was not asked from within another reading or save.
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
    // A document is made of rows and the files that they name, also where it is only tried.
    let files = ExternalFiles(
      ofStore: file, options.files, isKept: isKept || mirror != nil, names: options.externalName)
    var writer = options.author
    if let author { writer.name = author }
    var isCommitting = false
    var replacement: StoreMirror.Replacement?
    do {
      try database.execute(sql: "BEGIN IMMEDIATE")
      try check(database)
      if !options.writesMirrored, try StoreConnection.isMirrored(database) {
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
      // Only the rows that are written show what SQLite refuses, and which links of a document lead to nothing.
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
        isCommitting = true
        try database.execute(sql: "COMMIT")
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
      // Whether a commit that failed is on the disk only the next opening knows; it removes the files that no row names.
      if isTakenBack || !isCommitting { files.discard() }
      if let replacement { try takeBack(replacement, after: error) }
      throw error
    }
  }

  /// Takes back what a save that failed put into the file of another kind.
  private func takeBack(_ replacement: StoreMirror.Replacement, after failure: any Error) throws {
    do {
      try mirror?.takeBack(replacement)
    } catch let obstacle {
      throw ObjectStoreError.notTakenBack(
        path: path, failure: CaughtError(translated(failure)), obstacle: CaughtError(obstacle))
    }
  }

  /// The error of work on the SQLite file, as it is thrown to who uses the store.
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

  /// Checks that the file is the one that was opened, of the same version.
  private func check(_ database: Database) throws {
    try checkOpen()
    guard try !StoreWriter.hasMoved(database), try StoreConnection.metadata(in: database) == metadata else {
      throw ObjectStoreError.replaced(path: path)
    }
    try proof.prove(database, path: path)
  }
}
