import Foundation
import GRDB
import MigrationSQL
import PersistentStores

/// Reads a store on a different core while its rows are counted and its copy is migrated.
///
/// Sound parts of the original are sound in the copy unless a statement wrote them; written parts are checked there.
final class OriginalChecks: @unchecked Sendable {
  let reader: DatabaseQueue
  private let group = DispatchGroup()
  private let lock = NSLock()
  private var isChecking = false
  private var pages: Result<[StoreFinding], any Error> = .success([])
  private var idle: [Int: Bool] = [:]
  private var rows: Result<MigrationBlocked, any Error> = .success(MigrationBlocked(blockers: [], losses: []))

  private init(_ reader: DatabaseQueue) { self.reader = reader }

  /// Opens a connection; nil if the store cannot be read beside the one that holds it.
  static func open(beside writer: StoreWriter) -> OriginalChecks? {
    (try? writer.furtherReader()).map { OriginalChecks($0) }
  }

  func checkPages() {
    guard !isChecking else { return }
    isChecking = true
    start(failure: { [self] error in
      lock.withLock { self.pages = .failure(error) }
    }) { [self] database in
      let pages = Result { try IntegrityCheck.pageProblems(in: database) }
      lock.withLock { self.pages = pages }
    }
  }

  /// The smallest store whose rows are counted on two connections, in bytes.
  static let worthwhileSize: Int64 = 1 << 20

  /// Starts to look for blockers of a plan, and for steps that have nothing to do.
  func ask(_ inspection: PlanInspection, _ functions: ConversionFunctions) {
    start(failure: { [self] error in
      lock.withLock { self.rows = .failure(error) }
    }) { [self] database in
      functions.register(in: database)
      let rows = Result { try inspection.blocked(in: database) }
      lock.withLock { self.rows = rows }
      guard case .success = rows else { return }
      for (position, step) in inspection.plan.steps.enumerated() {
        guard let condition = step.runIf, condition.asksOriginal else { continue }
        let question = condition.question
        let isIdle = try Row.fetchOne(database, sql: question.text, arguments: question.databaseArguments) == nil
        lock.withLock { self.idle[position] = isIdle }
      }
    }
  }

  /// Waits until nothing is being asked.
  ///
  /// - Returns: whether it has nothing to do, nil if that was not asked.
  func isIdle(_ position: Int) -> Bool? {
    group.wait()
    return lock.withLock { idle[position] }
  }

  /// True as soon as a blocker is known.
  var isBlocked: Bool { lock.withLock { (try? rows.get().isEmpty) != true } }

  private func start(
    failure: @escaping @Sendable (any Error) -> Void, _ work: @escaping @Sendable (Database) throws -> Void
  ) {
    group.enter()
    // A thread of its own: those of a pool may all be waiting when many stores are migrated at once.
    Thread.detachNewThread { [self] in
      do { try reader.read(work) } catch { failure(error) }
      group.leave()
    }
  }

  /// Waits until nothing is being asked.
  func problems() throws -> [StoreFinding] {
    group.wait()
    return try lock.withLock { try pages.get() }
  }

  /// Waits until all queries are finished.
  ///
  /// - Returns: the blockers of the plan; empty if there were no queries.
  func blocked() throws -> MigrationBlocked {
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

extension OriginalChecks? {
  /// Runs `work`; if it fails, throws the plan's blockers in place of its error, if there are any.
  func tellingBlockers<Value>(path: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch {
      let blocked = try StoreError.translating(path: path) { try self?.blocked() }
      if let blocked, !blocked.isEmpty { throw blocked }
      throw error
    }
  }
}

/// A second connection to a copy that no other process uses, for queries of its rows on two cores at the same time.
struct SideConnection {
  /// The copy's file.
  let file: MadeFile
  /// Asked often while SQLite works.
  let interruption: Interruption?
  /// The reader of the original store; nil if only the copy can be checked.
  let original: OriginalChecks?
  /// False for a copy so small that opening the second connection takes longer than asking on the first.
  let isWorthwhile: Bool

  /// The check of the pages of a copy, depending on the written tables.
  func pageQuestions(_ scope: VerificationScope?) -> [RowQuestion] {
    guard let original, let scope else { return [{ try IntegrityCheck.problems(in: $0) }] }
    return scope.tables.map { table in { try IntegrityCheck.problems(ofTable: table, in: $0) } }
      + [{ _ in try original.problems() }]
  }

  /// Asks questions whose order does not matter.
  ///
  /// Of a large copy, the transaction that the connection is in is committed before, and another one is open afterwards:
  /// a copy that is found wrong is thrown away.
  ///
  /// - Returns: the answers in the questions' order.
  func ask<Answer: Sendable>(
    _ questions: [@Sendable (Database) throws -> Answer], beside database: Database
  ) throws -> [Answer] {
    guard isWorthwhile else { return try questions.map { try $0(database) } }
    try database.execute(sql: "COMMIT")
    try lock("NORMAL", database)
    // Nothing is written while questions are asked, and mostly nothing afterwards.
    let answers = try beginningToWrite(file.path) {
      var configuration = PairedQueries.configuration(interruption: interruption)
      configuration.prepareDatabase { try file.check($0.sqliteConnection) }
      let side = try DatabaseQueue(path: file.path, configuration: configuration)
      let answers = Result { try PairedQueries.answers(to: questions, in: database, beside: side) }
      try side.close()
      return answers
    }
    try lock("EXCLUSIVE", database)
    try database.execute(sql: "BEGIN IMMEDIATE")
    return try answers.get()
  }

  /// A change of the mode takes effect when the file is used next.
  private func lock(_ mode: String, _ database: Database) throws {
    _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = \(mode)")
    _ = try Int.fetchOne(database, sql: "PRAGMA schema_version")
  }
}
