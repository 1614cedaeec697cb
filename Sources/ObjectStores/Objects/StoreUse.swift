import Dispatch
import Foundation
import GRDB

/// One read or save that a thread is in, by which a read or save within it is found before it waits for itself.
///
/// GRDB ends the process where a connection is asked from within itself, and where it is used on another queue than its
/// own. Who uses a store gets an ``ObjectStoreError`` in place of both.
final class StoreUse {
  /// The kind of the use.
  enum Kind {
    case reading, saving
  }

  let kind: Kind
  let database: Database
  /// Takes what a save has in the rows out of them, before they are read as they were.
  var beforeReading: (() throws -> Void)?
  private let store: ObjectIdentifier
  /// True where it began on no store's queue, so that the uses before it cannot be asked.
  private let begins: Bool

  private init(_ kind: Kind, of store: ObjectStore, _ database: Database, begins: Bool) {
    (self.kind, self.database, self.begins) = (kind, database, begins)
    self.store = ObjectIdentifier(store)
  }

  /// The uses that a thread is in, outermost first.
  private final class Stack {
    var uses: [StoreUse] = []
  }

  private static let mark = DispatchSpecificKey<Bool>()
  private static let key = "modelctl.uses"

  /// The queue that the queues of all connections lead to, which shows that code runs on one of them.
  static let queue = {
    let queue = DispatchQueue(label: "modelctl.objects", qos: .userInitiated, attributes: .concurrent)
    queue.setSpecific(key: mark, value: true)
    return queue
  }()

  private static var isOnQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

  private static var stack: Stack? { Thread.current.threadDictionary[key] as? Stack }

  /// True where the use may be asked here: its closure runs, on the thread and the queue that it was given.
  var isHere: Bool { Self.isOnQueue && Self.reachable.contains { $0 === self } }

  /// The uses that may be asked here, innermost first.
  private static var reachable: [StoreUse] {
    var found: [StoreUse] = []
    for use in stack?.uses.reversed() ?? [] {
      found.append(use)
      if use.begins { break }
    }
    return found
  }

  /// The uses of a store that this thread is in, innermost first.
  ///
  /// - Returns: all, and those that may be asked here.
  static func uses(of store: ObjectStore) -> (all: [StoreUse], here: [StoreUse]) {
    let id = ObjectIdentifier(store)
    let all = stack?.uses.reversed().filter { $0.store == id } ?? []
    return (all, all.isEmpty || !isOnQueue ? [] : reachable.filter { $0.store == id })
  }

  /// Whether the use that begins next begins on no store's queue; asked before the connection is.
  static var isOutside: Bool { !isOnQueue }

  /// Runs a closure as a use.
  ///
  /// - Parameter begins: what ``isOutside`` was before the connection was asked.
  static func run<Value>(
    _ kind: Kind, of store: ObjectStore, on database: Database, begins: Bool, _ body: (StoreUse) throws -> Value
  ) rethrows -> Value {
    let use = StoreUse(kind, of: store, database, begins: begins)
    let stack = stack ?? Stack()
    Thread.current.threadDictionary[key] = stack
    stack.uses.append(use)
    defer {
      stack.uses.removeLast()
      if stack.uses.isEmpty { Thread.current.threadDictionary.removeObject(forKey: key) }
    }
    return try body(use)
  }
}
