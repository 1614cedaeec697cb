import Foundation

/// The queue between the thread that writes the journal and the workers.
final class FleetQueue: @unchecked Sendable {
  /// Which file it is, whatever its name.
  struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let condition = NSCondition()
  private var waiting: [FleetStore] = []
  private var results: [FleetResult] = []
  private var busyFiles: Set<FileIdentity> = []
  private var isClosed = false

  func add(_ stores: [FleetStore]) {
    condition.lock()
    waiting.append(contentsOf: stores)
    condition.broadcast()
    condition.unlock()
  }

  /// Ends the work: workers that request a store get nil from now on.
  func close() -> [FleetStore] {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    defer { waiting = [] }
    return waiting
  }

  /// Waits for a store to work on; nil if there will be no more.
  func take() -> FleetStore? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isClosed { condition.wait() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Waits until no worker uses a file that has several names, and takes it.
  func occupy(_ file: FileIdentity) {
    condition.lock()
    while busyFiles.contains(file) { condition.wait() }
    busyFiles.insert(file)
    condition.unlock()
  }

  func release(_ file: FileIdentity) {
    condition.lock()
    busyFiles.remove(file)
    condition.broadcast()
    condition.unlock()
  }

  func put(_ result: FleetResult) {
    condition.lock()
    results.append(result)
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for results, not longer than some seconds.
  func collect(within seconds: Double) -> [FleetResult] {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: seconds)
    while results.isEmpty, condition.wait(until: end) {}
    defer { results = [] }
    return results
  }
}
