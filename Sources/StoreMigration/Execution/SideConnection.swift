import Foundation
import GRDB
import PersistentStores

/// A second connection to a copy that nobody else uses, so that questions to its rows are asked on two cores at once.
struct SideConnection {
  /// The copy's file.
  let path: String
  /// Asked often while SQLite works.
  let interruption: Interruption?
  /// What reads the store that was copied, nil when only the copy can be checked.
  let original: OriginalReading?

  /// What is asked about the pages of a copy of which some tables were written, or any.
  func pageQuestions(_ scope: VerificationScope?) -> [RowQuestion] {
    guard let original, let scope else { return [{ try IntegrityCheck.problems(in: $0) }] }
    return scope.tables.map { table in { try IntegrityCheck.problems(ofTable: table, in: $0) } }
      + [{ _ in try original.problems() }]
  }

  /// Asks questions whose order does not matter, the dearest first.
  ///
  /// The transaction that the connection is in is committed before, and another one is open afterwards: a copy that is
  /// found wrong is thrown away.
  ///
  /// - Returns: the answers in the questions' order.
  /// - Throws: the first error, which ends the asking.
  func ask<Answer: Sendable>(
    _ questions: [@Sendable (Database) throws -> Answer], beside database: Database
  ) throws -> [Answer] {
    try database.execute(sql: "COMMIT")
    try lock("NORMAL", database)
    // Nothing is written while questions are asked, and mostly nothing afterwards.
    beginWriting(path)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.label = "modelctl.side"
    configuration.prepareDatabase { [interruption] side in
      try side.execute(sql: "PRAGMA temp_store = FILE")
      try side.execute(sql: "PRAGMA cache_size = -1000")
      interruption?.install(on: side)
    }
    let side = try DatabaseQueue(path: path, configuration: configuration)
    let list = QuestionList(questions)
    let group = DispatchGroup()
    // A thread of its own: those of a pool may all be waiting here when many stores are migrated at once.
    group.enter()
    Thread.detachNewThread {
      list.collect { question in try side.read(question) }
      group.leave()
    }
    list.collect { question in try question(database) }
    group.wait()
    try side.close()
    try lock("EXCLUSIVE", database)
    try database.execute(sql: "BEGIN IMMEDIATE")
    return try list.answers()
  }

  /// A change of the mode takes effect when the file is used next.
  private func lock(_ mode: String, _ database: Database) throws {
    _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = \(mode)")
    _ = try Int.fetchOne(database, sql: "PRAGMA schema_version")
  }
}

/// Questions that several threads take one after the other.
private final class QuestionList<Answer: Sendable>: @unchecked Sendable {
  typealias Question = @Sendable (Database) throws -> Answer

  private let questions: [Question]
  private let lock = NSLock()
  private var next = 0
  private var found: [Int: Answer] = [:]
  private var failure: (any Error)?

  init(_ questions: [Question]) {
    self.questions = questions
  }

  /// Asks what is not asked yet until nothing is left or one question fails.
  func collect(_ ask: (Question) throws -> Answer) {
    while let (position, question) = take() {
      do {
        let answer = try ask(question)
        lock.withLock { found[position] = answer }
      } catch {
        lock.withLock { failure = failure ?? error }
      }
    }
  }

  private func take() -> (Int, Question)? {
    lock.withLock {
      guard failure == nil, next < questions.count else { return nil }
      defer { next += 1 }
      return (next, questions[next])
    }
  }

  /// What was found.
  ///
  /// - Throws: what a question threw.
  func answers() throws -> [Answer] {
    try lock.withLock {
      if let failure { throw failure }
      return found.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
