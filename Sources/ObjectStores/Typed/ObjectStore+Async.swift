import Dispatch
import GRDB
public import ModelDescription
import PersistentStores
public import StoreMigration

extension ObjectStore {
  /// Opens a store of a model that has no older versions; nothing waits on a thread of Swift's meanwhile.
  ///
  /// - Throws: as the form that is not asynchronous.
  public static func open(
    _ path: String, model: ManagedObjectModel, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(path, model: model, options: options) }
  }

  /// Opens a store: makes a missing one, opens a current one, migrates an older one; nothing waits on a thread of Swift's
  /// meanwhile.
  ///
  /// - Throws: as the form that is not asynchronous.
  public static func open(
    _ request: MigrationRequest, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(request, options: options) }
  }

  /// Runs what takes long on a thread of Dispatch's: Swift has no more threads than cores.
  package static func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Reads the store as it is at one moment, on a thread of the store's.
  ///
  /// - Parameter body: reads; what it is given ends with it.
  /// - Throws: as the form that is not asynchronous, and `CancellationError` when the task was cancelled before.
  public func read<Value: Sendable>(_ body: @escaping @Sendable (StoreReading) throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    try checkOpen()
    return try await withCheckedThrowingContinuation { continuation in
      connection.asyncRead { database in
        continuation.resume(with: Result { try self.translating { try self.read(in: database.get(), body) } })
      }
    }
  }

  /// Changes objects, on a thread of the store's; the end of the closure is the save, which writes everything or nothing.
  ///
  /// - Parameters:
  ///   - policy: what happens where somebody else saved the same object, or has the same unique values.
  ///   - author: who saves, for persistent history; nil for the one of the options.
  ///   - body: says what changes; what it is given ends with it.
  /// - Throws: as the form that is not asynchronous, and `CancellationError` when the task was cancelled before; a save
  ///   that began is not cut off.
  @discardableResult
  public func write<Value: Sendable>(
    merging policy: MergePolicy = .error, author: String? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await written(merging: policy, author: author, body).value
  }

  func written<Value: Sendable>(
    merging policy: MergePolicy, author: String?, _ body: @escaping @Sendable (StoreTransaction) throws -> Value
  ) async throws -> (value: Value, saving: Saving) {
    // Not GRDB's asynchronous form: a task that is cancelled there lets no statement run any more, ROLLBACK among them.
    try Task.checkCancellation()
    try checkOpen()
    return try await withCheckedThrowingContinuation { continuation in
      connection.asyncWriteWithoutTransaction { database in
        continuation.resume(
          with: Result {
            try self.translating {
              try self.save(in: database, merging: policy, author: author, isKept: true, body)
            }
          })
      }
    }
  }
}
