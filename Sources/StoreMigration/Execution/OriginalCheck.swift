import Foundation
import GRDB
import PersistentStores

/// SQLite's check of all pages of a store, made on another core while its copy is migrated.
///
/// What is sound in the original is sound in the copy where no statement wrote; what was written is checked there.
final class OriginalCheck: @unchecked Sendable {
  private let group = DispatchGroup()
  private let lock = NSLock()
  private var outcome: Result<[StoreProblem], any Error> = .success([])

  /// Starts the check; nil where the store cannot be read beside the connection that holds it.
  ///
  /// - Parameter writer: what holds the store.
  init?(of writer: StoreWriter) {
    guard let reader = try? writer.furtherReader() else { return nil }
    group.enter()
    Thread.detachNewThread { [self] in
      let outcome = Result { try reader.read { try IntegrityCheck.problems(in: $0) } }
      try? reader.close()
      lock.withLock { self.outcome = outcome }
      group.leave()
    }
  }

  /// Waits for the check.
  ///
  /// - Returns: what is damaged.
  /// - Throws: what reading the store throws.
  func problems() throws -> [StoreProblem] {
    group.wait()
    return try lock.withLock { try outcome.get() }
  }
}
