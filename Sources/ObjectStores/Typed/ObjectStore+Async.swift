import Dispatch
import GRDB
public import ModelDescription
import PersistentStores
public import StoreMigration

extension ObjectStore {
  /// Opens a store of a model that lacks an older versions, without blocking a thread of Swift's cooperative pool.
  ///
  /// - Throws: the errors of the synchronous method.
  public static func open(
    _ path: String, model: ManagedObjectModel, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(path, model: model, options: options) }
  }

  /// Opens a store without blocking a thread of Swift's cooperative pool: creates a missing store, opens a current one,
  /// migrates an older one.
  ///
  /// - Throws: the errors of the synchronous method.
  public static func open(
    _ request: MigrationRequest, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(request, options: options) }
  }

  /// Runs long work on a thread of Dispatch, because Swift's cooperative pool has only as many threads as there are
  /// cores.
  package static func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Reads the store at one moment, on a thread of the store.
  ///
  /// - Parameter body: the reading; its argument is only valid until it ends.
  /// - Throws: the errors of the synchronous method, and `CancellationError` if the task was cancelled before.
  public func read<Value: Sendable>(_ body: @escaping @Sendable (StoreReading) throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    try checkOpen()
    return try await withCheckedThrowingContinuation { continuation in
      connection.asyncRead { database in
        continuation.resume(with: Result { try self.translating { try self.read(in: database.get(), body) } })
      }
    }
  }

  /// Changes objects on a thread of the store, and saves them atomically when the closure ends.
  ///
  /// - Parameters:
  ///   - policy: the handling of an object that another save changed, and of equal unique values.
  ///   - author: the author for persistent history; nil for the author in the options.
  ///   - body: the changes; its argument is only valid until it ends.
  /// - Throws: the errors of the synchronous method, and `CancellationError` if the task was cancelled before. A save
  ///   that has begun is completed.
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
