import Dispatch
import Foundation

/// Waits for the end of a process until the moment it comes; `waitUntilExit` looks every 50 milliseconds.
struct ProcessEnd {
  private let ended = DispatchSemaphore(value: 0)

  /// Takes a process that has not started yet.
  init(of process: Process) {
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
  }

  /// Waits for the end, once.
  func wait() { ended.wait() }
}
