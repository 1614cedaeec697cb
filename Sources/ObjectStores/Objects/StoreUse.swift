import Dispatch
import Foundation
import GRDB

/// A read or save of the current thread.
///
/// It is used to detect a nested read or save before that waits for itself.
///
/// GRDB ends the process if a connection is used from within itself or on another queue than its own. The user of the
/// store gets an ``ObjectStoreError`` instead.
final class StoreUse {
  /// The kind of the use.
  enum Kind {
    case reading, saving
  }

  let kind: Kind
  let database: Database
  /// Removes the changes of a save from the rows, before they are read in their previous state.
  var beforeReading: (() throws -> Void)?
  private let store: ObjectIdentifier
  /// True if it began outside all queues of stores, so that earlier uses cannot be used.
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

  /// The target queue of all connections' queues, which shows if code runs on one of them.
  static let queue = {
    let queue = DispatchQueue(label: "modelctl.objects", qos: .userInitiated, attributes: .concurrent)
    queue.setSpecific(key: mark, value: true)
    return queue
  }()

  private static var isOnQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

  private static var stack: Stack? { Thread.current.threadDictionary[key] as? Stack }

  /// True if the use is valid here: its closure is running, on the thread and the queue that it received.
  var isHere: Bool { Self.isOnQueue && Self.reachable.contains { $0 === self } }

  /// The uses that are valid here, innermost first.
  private static var reachable: [StoreUse] {
    var found: [StoreUse] = []
    for use in stack?.uses.reversed() ?? [] {
      found.append(use)
      if use.begins { break }
    }
    return found
  }

  /// The uses of a store on this thread, innermost first.
  ///
  /// - Returns: all uses, and the uses that are valid here.
  static func uses(of store: ObjectStore) -> (all: [StoreUse], here: [StoreUse]) {
    let id = ObjectIdentifier(store)
    let all = stack?.uses.reversed().filter { $0.store == id } ?? []
    return (all, all.isEmpty || !isOnQueue ? [] : reachable.filter { $0.store == id })
  }

  /// True if the next use begins outside all queues of stores; read this before the connection is used.
  static var isOutside: Bool { !isOnQueue }

  /// Runs a closure as a use.
  ///
  /// - Parameter begins: the value of ``isOutside`` before the connection was used.
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
