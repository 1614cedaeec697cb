import GRDB
import ModelDescription
public import StoreRows

/// Changes objects of a store, and saves them when it ends.
///
/// Its reads see the store before the transaction with the changes of the transaction so far.
public final class StoreTransaction {
  private var current: RecordReading?
  private let use: StoreUse
  private let model: SavingModel
  private let policy: MergePolicy
  private var pending: PendingRows
  private var changes = RecordChanges()
  private(set) var keys = RecordKeys()
  /// The properties that changes named and the store has room for, by entity.
  private var kept: [String: Set<String>] = [:]
  /// The identity that object identifiers and types are checked against.
  public let identity: StoreIdentity

  init(
    _ reading: RecordReading, _ model: SavingModel, _ policy: MergePolicy, _ identity: StoreIdentity,
    _ use: StoreUse
  ) {
    self.use = use
    (current, self.model, self.policy, self.identity) = (reading, model, policy, identity)
    pending = PendingRows(model, policy)
  }

  func end() { current = nil }

  private var reading: RecordReading {
    get throws(ObjectStoreError) {
      guard let current else { throw .ended }
      guard use.isHere else { throw .elsewhere }
      return current
    }
  }

  /// Removes the changes so far from the rows, until the next read of the transaction.
  func hide() throws { try pending.takeBack(reading) }

  func saving() throws -> Saving {
    let reading = try reading
    try pending.takeBack(reading)
    return try Saving(changes, of: reading, model, merging: policy)
  }

  // MARK: Changing

  /// Inserts an object; missing properties get their defaults.
  ///
  /// - Throws: `RecordRequestError` for a name that the model does not have, `RecordWritingError`, `DatabaseError`.
  @discardableResult
  public func insert(_ entity: String, _ values: [String: RecordValue] = [:]) throws -> RecordID {
    let reading = try reading
    try check(values.keys, of: entity)
    let id = RecordID(entity: entity, key: try keys.next(for: entity, reading: reading))
    changes.operations.append(.insert(id, values))
    return id
  }

  /// Inserts an object with a key that no object of its table has.
  package func insert(_ id: RecordID, _ values: [String: RecordValue]) throws {
    _ = try reading
    try check(values.keys, of: id.entity)
    keys.raise(model.hierarchy.rootName(of: id.entity), to: id.key)
    changes.operations.append(.insert(id, values))
  }

  /// A key that no object has had, for an object that is inserted later.
  ///
  /// - Parameter key: a key that it must be above.
  package func newKey(for entity: String, above key: Int64) throws -> Int64 {
    var next = try keys.next(for: entity, reading: reading)
    if next <= key {
      keys.raise(model.hierarchy.rootName(of: entity), to: key)
      next = try keys.next(for: entity, reading: reading)
    }
    return next
  }

  /// Computes the save so far, to check it.
  package func check() throws { _ = try saving() }

  /// The objects as they were before the transaction.
  package var saved: RecordReading { get throws(ObjectStoreError) { try reading } }

  /// Saves the changes of a record since it was read.
  public func update(_ record: ObjectRecord) throws {
    let changed = record.values.filter { $0.value != record.read[$0.key] ?? .null }
    try update(RecordUpdate(record.id, version: record.version, read: record.read, values: changed))
  }

  /// Changes an object, even if another save changed it since it was read.
  public func update(_ id: RecordID, _ values: [String: RecordValue]) throws {
    try update(RecordUpdate(id, values: values))
  }

  /// Changes an object.
  public func update(_ update: RecordUpdate) throws {
    let reading = try reading
    let names = Array(update.values.keys) + Array(update.edits.keys)
    try check(names, of: update.id.entity)
    for name in names where kept[update.id.entity]?.contains(name) != true {
      try reading.checkIsKept(name, of: update.id.entity)
      kept[update.id.entity, default: []].insert(name)
    }
    changes.operations.append(.update(update))
  }

  /// Adds an object to a to-many relationship, at the end or at a position of an ordered one.
  public func add(_ id: RecordID, to relationship: String, of owner: RecordID, at place: Int? = nil) throws {
    try update(RecordUpdate(owner, edits: [relationship: [.insert(id, at: place)]]))
  }

  /// Removes an object from a to-many relationship.
  public func remove(_ id: RecordID, from relationship: String, of owner: RecordID) throws {
    try update(RecordUpdate(owner, edits: [relationship: [.remove(id)]]))
  }

  /// Deletes an object and applies its delete rules.
  ///
  /// - Parameter version: the version that was read; nil to delete any version.
  /// - Throws: ``ObjectStoreError/ended``.
  public func delete(_ id: RecordID, version: Int64? = nil) throws {
    _ = try reading
    changes.operations.append(.delete(id, version: version))
  }

  /// Deletes the objects of a request.
  ///
  /// - Returns: the number of objects, without those deleted by delete rules.
  @discardableResult
  public func delete(_ request: RecordRequest) throws -> Int {
    var request = request
    request.properties = []
    let found = try fetch(request)
    for record in found { changes.operations.append(.delete(record.id, version: nil)) }
    return found.count
  }

  private func check(_ names: some Sequence<String>, of entity: String) throws(RecordRequestError) {
    guard let known = model.entity(entity) else {
      let names = model.hierarchy.model.entities.map(\.name)
      throw .unknownEntity(entity, near: NearNames.nearest(to: entity, among: names))
    }
    for name in names where !known.settable.contains(name) {
      throw .unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: known.settable.sorted()))
    }
  }

  // MARK: Reading

  /// Returns the objects of a request.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``SaveError`` if the changes so far are invalid,
  ///   `DatabaseError`.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try seeing { try $0.fetch(request) } }

  /// Returns the number of objects of a request.
  public func count(_ request: RecordRequest) throws -> Int { try seeing { try $0.count(request) } }

  /// Returns one object; nil if it does not exist.
  public func object(_ id: RecordID) throws -> ObjectRecord? {
    try seeing { try $0.records(of: id.entity, keys: [id.key]).first }
  }

  /// Reads with the changes so far in the rows.
  func seeing<Value>(_ body: (RecordReading) throws -> Value) throws -> Value {
    let reading = try reading
    try pending.show(changes, keys: keys, reading)
    return try body(reading)
  }
}

/// The rows of a transaction's changes so far, which its reads see.
///
/// They are reverted before the save is computed.
///
/// Only the changes since the last read are written, so a loop of reads and inserts writes each change once, not once
/// for each read. Versions are kept and no history is written, so that the read objects can be saved.
struct PendingRows {
  private let model: SavingModel
  private let policy: MergePolicy
  private var writing: RecordWriting?
  private var files: ExternalFiles?
  /// The number of changes in the rows.
  private var count = 0
  /// The existing objects that replaced new ones because of a merge policy.
  private var merged: [RecordID: RecordID] = [:]

  init(_ model: SavingModel, _ policy: MergePolicy) { (self.model, self.policy) = (model, policy) }

  /// Writes the changes that are not in the rows yet.
  ///
  /// - Throws: ``SaveError`` for values that are to be unique and are not, `RecordWritingError`, `DatabaseError`; the
  ///   rows are as they were before the transaction then.
  mutating func show(_ changes: RecordChanges, keys: RecordKeys, _ reading: RecordReading) throws {
    guard count < changes.operations.count else { return }
    do {
      let writing = try self.writing ?? begin(reading)
      let new = RecordChanges(Array(changes.operations[count...])).merging(merged, policy)
      let saving = try Saving(new, of: reading, model, merging: policy, isFinal: false)
      try writing.write(saving.writes, keys: keys, author: nil)
      merged = merged.mapValues { saving.merged[$0] ?? $0 }.merging(saving.merged) { _, new in new }
      count = changes.operations.count
    } catch {
      try? takeBack(reading)
      throw error
    }
  }

  /// Restores the rows to the state before the transaction.
  mutating func takeBack(_ reading: RecordReading) throws {
    guard writing != nil else { return }
    try reading.database.execute(sql: "ROLLBACK TO modelctl_pending; RELEASE modelctl_pending")
    files?.discard()
    (writing, files, count, merged) = (nil, nil, 0, [:])
  }

  private mutating func begin(_ reading: RecordReading) throws -> RecordWriting {
    let files = ExternalFiles(ofStore: reading.path)
    let writing = try RecordWriting(reading, files: files)
    try reading.database.execute(sql: "SAVEPOINT modelctl_pending")
    (self.files, self.writing) = (files, writing)
    return writing
  }
}
