import Foundation
package import GRDB

/// Runs independent queries in parallel on two connections to one file.
package enum PairedQueries {
  /// The configuration of the second connection: it only reads, and uses little memory.
  package static func configuration(interruption: Interruption?) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.label = "modelctl.beside"
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      try database.execute(sql: "PRAGMA temp_store = FILE")
      try database.execute(sql: "PRAGMA cache_size = -1000")
      interruption?.install(on: database)
    }
    return configuration
  }

  /// Runs all queries, in their order of start.
  ///
  /// - Parameters:
  ///   - questions: the queries; each runs on one of the connections.
  ///   - other: a connection that another thread may use.
  /// - Returns: the results in the order of the queries.
  package static func answers<Answer: Sendable>(
    to questions: [@Sendable (Database) throws -> Answer], in database: Database, beside other: DatabaseQueue
  ) throws -> [Answer] {
    let list = QuestionList(questions)
    let group = DispatchGroup()
    // A thread of its own: those of a pool may all be waiting here when many stores are migrated at once.
    group.enter()
    Thread.detachNewThread {
      list.collect { question in try other.read(question) }
      group.leave()
    }
    list.collect { question in try question(database) }
    group.wait()
    return try list.answers()
  }
}

/// A list of queries that several threads work on.
private final class QuestionList<Answer: Sendable>: @unchecked Sendable {
  typealias Question = @Sendable (Database) throws -> Answer

  private let questions: [Question]
  private let lock = NSLock()
  private var next = 0
  private var found: [Int: Answer] = [:]
  private var failure: (any Error)?

  init(_ questions: [Question]) { self.questions = questions }

  /// Runs the remaining queries until the list is empty or a query fails.
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

  /// The results.
  func answers() throws -> [Answer] {
    try lock.withLock {
      if let failure { throw failure }
      return found.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
