import Foundation
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

/// Gives the stores of a journal's list to workers and records the results.
struct FleetWork {
  let journal: FleetJournal
  let goal: String
  let jobs: Int
  let total: Int
  var summary: FleetSummary
  let isInterrupted: () -> Bool
  let report: (FleetEvent) throws -> Void
  private let queue = FleetQueue()
  private let begin = Date()
  private var lastKey: String?
  /// Stores that were handed out and have not come back.
  private var outstanding = 0
  private var unwritten: [FleetResult] = []
  private var done = 0
  private var lastProgress = Date()
  private var lastWrite = Date()
  private var isExhausted = false

  init(
    journal: FleetJournal, goal: String, jobs: Int, total: Int, summary: FleetSummary,
    isInterrupted: @escaping () -> Bool, report: @escaping (FleetEvent) throws -> Void
  ) {
    (self.journal, self.goal, self.jobs, self.total) = (journal, goal, jobs, total)
    (self.summary, self.isInterrupted, self.report) = (summary, isInterrupted, report)
  }

  /// Works until every store of the list is done, or the user interrupts.
  ///
  /// - Throws: ``FleetJournalError``, and what the report throws, when all workers have stopped.
  mutating func run(_ migrate: @escaping @Sendable (FleetStore) throws -> MigrationOutcome) throws {
    guard total > 0 else { return }
    let worker = FleetWorker(queue: queue, migrate: migrate)
    for _ in 0..<min(jobs, total) { worker.start() }
    do {
      try handOut()
      while outstanding > 0 {
        try take(queue.collect(within: 0.1))
        if isInterrupted() { break }
        try handOut()
      }
    } catch {
      try? stop()
      throw error
    }
    try stop()
  }

  /// Enough is handed out to keep everybody busy, and not more, so that a crash leaves few marked as running.
  private mutating func handOut() throws {
    let isShort = outstanding <= jobs * 2 && !isExhausted
    let isLate = !unwritten.isEmpty && Date().timeIntervalSince(lastWrite) > 0.25
    guard isShort || isLate else { return }
    let count = isExhausted ? 0 : max(0, jobs * 8 - outstanding)
    let stores = try journal.exchange(unwritten, goal: goal, after: lastKey, count: count)
    (unwritten, lastWrite) = ([], Date())
    isExhausted = isExhausted || stores.count < count
    lastKey = stores.last?.key ?? lastKey
    outstanding += stores.count
    queue.add(stores)
  }

  private mutating func take(_ results: [FleetResult]) throws {
    outstanding -= results.count
    unwritten += results
    for result in results {
      summary.count(result.ending)
      done += 1
      if case .interrupted = result.ending { continue }
      try report(.ended(result))
    }
    let now = Date()
    guard now.timeIntervalSince(lastProgress) >= 0.1 else { return }
    lastProgress = now
    try report(
      .progress(
        FleetProgress(done: done, total: total, failed: summary.failed, seconds: now.timeIntervalSince(begin))))
  }

  /// Takes back the stores that are not started, waits for the others, and records everything.
  private mutating func stop() throws {
    let rest = queue.close()
    outstanding -= rest.count
    var failure: (any Error)?
    while outstanding > 0 {
      do {
        try take(queue.collect(within: 0.5))
      } catch {
        failure = error
      }
    }
    try journal.giveBack(rest)
    _ = try journal.exchange(unwritten, goal: goal, after: nil, count: 0)
    unwritten = []
    summary.remaining += total - done
    summary.isInterrupted = isInterrupted() && summary.remaining > 0
    if let failure { throw failure }
  }
}

/// Migrates one store after another on a thread of its own.
struct FleetWorker: Sendable {
  let queue: FleetQueue
  let migrate: @Sendable (FleetStore) throws -> MigrationOutcome

  /// As deep as that of the main thread, on which a single store is migrated.
  private static let stackSize = 8 << 20

  /// Starts the thread, which ends when the queue is closed.
  func start() {
    let isSpoken = TextWidth.isSpoken
    let thread = Thread {
      TextWidth.$isSpoken.withValue(isSpoken) {
        while let store = queue.take() {
          draining { queue.put(result(of: store)) }
        }
      }
    }
    thread.stackSize = Self.stackSize
    thread.name = "modelctl.worker"
    thread.start()
  }

  private func result(of store: FleetStore) -> FleetResult {
    let begin = DispatchTime.now().uptimeNanoseconds
    let realPath = StoreFiles.existingPath(of: store.path)
    let identity = realPath.flatMap { FileStatus($0) }.map {
      FleetQueue.FileIdentity(device: $0.device, inode: $0.number)
    }
    if let identity { queue.occupy(identity) }
    let ending = ending(of: store)
    if let identity { queue.release(identity) }
    let stamp = realPath.flatMap { StoreLog.isBeside($0) ? nil : FileStatus($0) }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
    return FleetResult(store: store, ending: ending, seconds: seconds, stamp: stamp)
  }

  private func ending(of store: FleetStore) -> FleetResult.Ending {
    do {
      return .finished(try migrate(store))
    } catch let error as StoreError {
      switch error {
      case .interrupted: return .interrupted
      case .notSQLite, .notCoreData: return store.isNamed ? .failed(error) : .passedOver(error)
      default: return .failed(error)
      }
    } catch {
      return .failed(error)
    }
  }
}
