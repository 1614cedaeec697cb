import Foundation
import GRDB
import PersistentStores

/// Reads a store on another core while its rows are counted and its copy is migrated.
///
/// What is sound in the original is sound in the copy where no statement wrote; what was written is checked there.
final class OriginalReading: @unchecked Sendable {
  /// The connection to the store.
  let reader: DatabaseQueue
  private let group = DispatchGroup()
  private let lock = NSLock()
  private var pages: Result<[StoreProblem], any Error> = .success([])
  private var idle: [Int: Bool] = [:]
  private var rows: Result<MigrationBlocked, any Error> = .success(MigrationBlocked(blockers: [], losses: []))

  /// Opens a connection; nil where the store cannot be read beside the one that holds it.
  ///
  /// - Parameter writer: what holds the store.
  init?(of writer: StoreWriter) {
    guard let reader = try? writer.furtherReader() else { return nil }
    self.reader = reader
  }

  /// Starts to check the pages.
  func checkPages() {
    start { [self] database in
      let pages = Result { try IntegrityCheck.problems(in: database) }
      lock.withLock { self.pages = pages }
    }
  }

  /// The smallest store whose rows are counted on two connections, in bytes.
  static let worthwhileSize: Int64 = 1 << 20

  /// Starts to ask what stands in the way of a plan, and which of its steps have nothing to do.
  func ask(_ inspection: PlanInspection, _ functions: ConversionFunctions) {
    start { [self] database in
      functions.register(in: database)
      let rows = Result { try inspection.obstacles(in: database) }
      lock.withLock { self.rows = rows }
      for (position, step) in inspection.plan.steps.enumerated() where step.asksOriginal {
        guard let question = step.question else { continue }
        let isIdle = try Row.fetchOne(database, sql: question.text, arguments: question.databaseArguments) == nil
        lock.withLock { self.idle[position] = isIdle }
      }
    }
  }

  /// Waits until nothing is being asked.
  ///
  /// - Parameter position: a step of the plan.
  /// - Returns: whether it has nothing to do, nil where that was not asked.
  func isIdle(_ position: Int) -> Bool? {
    group.wait()
    return lock.withLock { idle[position] }
  }

  /// True as soon as something is known to stand in the way.
  var isBlocked: Bool { lock.withLock { (try? rows.get().isEmpty) != true } }

  private func start(_ work: @escaping @Sendable (Database) throws -> Void) {
    group.enter()
    // A thread of its own: those of a pool may all be waiting when many stores are migrated at once.
    Thread.detachNewThread { [self] in
      try? reader.read(work)
      group.leave()
    }
  }

  /// Waits until nothing is being asked.
  ///
  /// - Returns: what is damaged.
  /// - Throws: what reading the store throws.
  func problems() throws -> [StoreProblem] {
    group.wait()
    return try lock.withLock { try pages.get() }
  }

  /// Waits until nothing is being asked.
  ///
  /// - Returns: what stands in the way of the plan, nothing where none was asked about.
  /// - Throws: what reading the store throws.
  func obstacles() throws -> MigrationBlocked {
    group.wait()
    return try lock.withLock { try rows.get() }
  }

  /// Ends what is being asked and lets go of the store.
  func end() {
    reader.interrupt()
    group.wait()
    try? reader.close()
  }
}
