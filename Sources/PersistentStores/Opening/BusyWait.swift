import Foundation
package import GRDB
import GRDBSQLite

/// Repeats an attempt until it works or the time is up, while another process uses the store.
package struct BusyWait {
  private let path: String
  private let end: Date
  private let interruption: Interruption?
  private var pause = 0.001

  /// Starts the timer.
  ///
  /// - Parameter interruption: called before every attempt except the first.
  package init(path: String, seconds: Double, interruption: Interruption?) {
    (self.path, self.interruption) = (path, interruption)
    end = Date(timeIntervalSinceNow: seconds)
  }

  /// A number of seconds that SQLite can count in milliseconds: from 0 to a day.
  package static func bounded(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 86_400) : 0 }

  /// Repeats the attempt until it works, fails for another reason, or the time is up.
  ///
  /// If a store changed while it was read without a lock, one more attempt follows even if the time is up. That attempt
  /// is the first that waits.
  ///
  /// - Parameter attempt: the work; its argument is true for a repeated attempt.
  /// - Returns: the result of the work.
  package mutating func repeating<Value>(_ attempt: (_ isRepeated: Bool) throws -> Value) throws -> Value {
    var isRepeated = false
    while true {
      do {
        return try attempt(isRepeated)
      } catch let error as StoreError {
        switch error {
        case .changedWhileReading where !isRepeated: break
        case .heldByAnotherProcess, .openElsewhere, .changedWhileReading:
          if Date() >= end { throw error.namingUsers }
          try rest()
        default: throw error
        }
      }
      isRepeated = true
    }
  }

  /// The same for work that fails only as a store.
  mutating func repeating<Value>(
    _ attempt: (_ isRepeated: Bool) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try repeating { (isRepeated: Bool) throws in try attempt(isRepeated) }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .inputOutput(path: path, error: .other(CaughtError(error)))
    }
  }

  private mutating func rest() throws(StoreError) {
    if interruption?.isRaised == true { throw .interrupted(path: path) }
    Thread.sleep(forTimeInterval: max(0.001, min(pause, end.timeIntervalSinceNow)))
    pause = min(pause * 2, 0.05)
  }
}

/// Calls a closure regularly while SQLite works on a connection, and stops the work if it returns true.
package final class Interruption: Sendable {
  private let isWanted: @Sendable () -> Bool

  /// Creates an interruption; it must outlive its connections.
  package init(when isWanted: @escaping @Sendable () -> Bool) { self.isWanted = isWanted }

  var isRaised: Bool { isWanted() }

  /// Makes SQLite call the function after every 4,000 instructions, which is well below a millisecond.
  package func install(on database: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      database.sqliteConnection, 4_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isWanted() ? 1 : 0
      }, context)
  }

  /// Removes the function from a connection, so that the final steps are completed.
  package static func remove(from database: Database) {
    sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
  }
}
