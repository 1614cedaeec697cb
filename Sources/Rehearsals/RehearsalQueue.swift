import Foundation
import MappingModels
import PersistentStores

/// Hands versions out to threads, and gives what came of them in the order of the versions.
final class RehearsalQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let count: Int
  private var next = 0
  private var working = 0
  private var isClosed = false
  private var known: [Int: Result<RehearsedVersion, any Error>] = [:]
  private var progress: RehearsalProgress?

  /// As deep as that of the main thread.
  private static let stackSize = 8 << 20

  init(count: Int) {
    self.count = count
  }

  /// Starts a thread for some work.
  static func startThread(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread(block: work)
    thread.stackSize = stackSize
    thread.name = "modelctl.rehearsal"
    thread.start()
  }

  /// The position of the next version to work on; nil when there is none.
  func take() -> Int? {
    locked {
      guard !isClosed, next < count else { return nil }
      (next, working) = (next + 1, working + 1)
      return next - 1
    }
  }

  /// Says how far one version is.
  func tell(_ progress: RehearsalProgress) {
    locked { self.progress = progress }
  }

  /// Hands over what came of a version; an error ends the work.
  func put(_ result: Result<RehearsedVersion, any Error>, at position: Int) {
    locked {
      known[position] = result
      working -= 1
      if case .failure = result { isClosed = true }
    }
  }

  /// Waits until nobody works any more; no version is handed out from now on.
  func close() {
    condition.lock()
    isClosed = true
    while working > 0 { condition.wait() }
    condition.unlock()
  }

  /// Gives the results in order as they come; after an error, those that are known of later versions too.
  ///
  /// - Throws: the error of the first version that has one, and what `finished` throws.
  func results(
    report: (RehearsalProgress) -> Void, finished: (RehearsedVersion) throws -> Void
  ) throws -> [RehearsedVersion] {
    var results: [RehearsedVersion] = []
    while results.count < count {
      let (result, progress) = wait(for: results.count)
      if let progress { report(progress) }
      guard let result else { continue }
      guard case .success(let version) = result else { break }
      results.append(version)
      try finished(version)
    }
    guard results.count < count else { return results }
    close()
    let later = known.filter { $0.key > results.count }.sorted { $0.key < $1.key }.map(\.value)
    for case .success(let version) in later { try finished(version) }
    let errors = known.sorted { $0.key < $1.key }.compactMap { result -> (any Error)? in
      if case .failure(let error) = result.value { error } else { nil }
    }
    throw errors.first ?? StoreError.interrupted(path: "")
  }

  /// Waits for a result or for news.
  private func wait(for position: Int) -> (Result<RehearsedVersion, any Error>?, RehearsalProgress?) {
    condition.lock()
    defer { condition.unlock() }
    while known[position] == nil, progress == nil, !(isClosed && working == 0) { condition.wait() }
    defer { progress = nil }
    let isOver = isClosed && working == 0
    return (known[position] ?? (isOver ? .failure(StoreError.interrupted(path: "")) : nil), progress)
  }

  private func locked<Value>(_ work: () -> Value) -> Value {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return work()
  }
}
