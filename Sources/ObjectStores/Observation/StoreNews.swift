import Foundation
import GRDB
import PersistentStores

/// Tells those who observe a store that it changed.
///
/// A save of the same `ObjectStore` says what it changed. Of others only that there was one is seen, by SQLite's count of
/// commits by other connections, which is looked at four times a second while somebody observes.
final class StoreNews: @unchecked Sendable {
  /// One thing to tell.
  enum Item: Sendable {
    /// The store's own save.
    case save(StoreSave)
    /// Another connection or another process committed something.
    case elsewhere
  }

  /// What is looked at; where another file has the store's name the next reading says so.
  private struct Look: Hashable {
    let version: Int64?
    let hasMoved: Bool
  }

  private static let interval = Duration.milliseconds(250)

  private let lock = NSLock()
  private var listeners: [Int: @Sendable (Item) -> Void] = [:]
  private var count = 0
  private var watch: Task<Void, Never>?
  private let open: @Sendable () throws -> DatabaseQueue

  /// - Parameter open: opens a connection that only reads, for looking after others.
  init(_ open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

  /// Begins to tell somebody.
  ///
  /// - Returns: a number by which it ends.
  func begin(_ listener: @escaping @Sendable (Item) -> Void) -> Int {
    lock.withLock {
      count += 1
      listeners[count] = listener
      if watch == nil {
        let tell: @Sendable () -> Void = { [weak self] in self?.tell(.elsewhere) }
        watch = Task { [open] in await Self.look(open, tell) }
      }
      return count
    }
  }

  /// Ends telling somebody.
  func end(_ number: Int) {
    lock.withLock {
      listeners[number] = nil
      guard listeners.isEmpty else { return }
      watch?.cancel()
      watch = nil
    }
  }

  func tell(_ item: Item) {
    for listener in lock.withLock({ Array(listeners.values) }) { listener(item) }
  }

  /// Looks whether another connection committed something, until the task is cancelled or the store cannot be read, which
  /// the next reading reports.
  private static func look(_ open: @Sendable () throws -> DatabaseQueue, _ changed: @Sendable () -> Void) async {
    guard let queue = try? open() else { return }
    defer { try? queue.close() }
    var known: Look?
    while !Task.isCancelled {
      let look = try? await queue.unsafeRead { database in
        Look(
          version: try Int64.fetchOne(database, sql: "PRAGMA data_version"),
          hasMoved: try StoreWriter.hasMoved(database))
      }
      // What was committed before the first look may have come after the first reading.
      if look != known { changed() }
      known = look
      try? await Task.sleep(for: interval)
    }
  }
}
