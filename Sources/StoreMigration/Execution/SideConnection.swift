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
  /// False for a copy so small that opening the second connection takes longer than asking on the first.
  let isWorthwhile: Bool

  /// What is asked about the pages of a copy of which some tables were written, or any.
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
  /// - Throws: the first error, which ends the asking.
  func ask<Answer: Sendable>(
    _ questions: [@Sendable (Database) throws -> Answer], beside database: Database
  ) throws -> [Answer] {
    guard isWorthwhile else { return try questions.map { try $0(database) } }
    try database.execute(sql: "COMMIT")
    try lock("NORMAL", database)
    // Nothing is written while questions are asked, and mostly nothing afterwards.
    let answers = try beginningToWrite(path) {
      let side = try DatabaseQueue(path: path, configuration: PairedReading.configuration(interruption: interruption))
      let answers = Result { try PairedReading.answers(to: questions, in: database, beside: side) }
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
