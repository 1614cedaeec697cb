import Foundation

/// Tries something again and again while another process is in the way, up to a time.
package struct BusyWait {
  private let path: String
  private let end: Date
  private let interruption: Interruption?
  private var pause = 0.001

  /// Starts the clock.
  ///
  /// - Parameters:
  ///   - path: the store, for messages.
  ///   - seconds: how long to go on.
  ///   - interruption: asked before every try but the first.
  package init(path: String, seconds: Double, interruption: Interruption?) {
    self.path = path
    self.interruption = interruption
    end = Date(timeIntervalSinceNow: seconds)
  }

  /// A number of seconds that SQLite can count in milliseconds: from 0 to a day.
  static func bounded(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 86_400) : 0 }

  /// Tries until it works, something else is wrong, or the time is up.
  ///
  /// A store that changed while it was read without a lock is tried once more even when no time is left, because that
  /// is the first try that waits.
  ///
  /// - Parameter attempt: the work; it is told whether it was tried before.
  /// - Returns: what the work gives.
  /// - Throws: what the work throws.
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
