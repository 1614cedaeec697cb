import GRDB

/// SQLite's own check of the file.
enum IntegrityCheck {
  /// The most lines of SQLite's report that are kept.
  private static let limit = 20

  static func problems(in database: Database) throws -> [StoreProblem] {
    let report = try Row.fetchAll(database, sql: "PRAGMA quick_check(\(limit))").compactMap { $0.text(0) }
    return report.filter { $0 != "ok" }.map { StoreProblem(.damage, sentence: "SQLite reports: \($0)") }
  }
}
