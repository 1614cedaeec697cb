import GRDB

extension MigrationPlan {
  /// Runs a piece of work; where an expression of the mapping model fails in it, the error says that, and not the SQL.
  ///
  /// Interruptions, full disks and damaged stores stay what they are.
  ///
  /// - Parameters:
  ///   - part: what is asked or done.
  ///   - work: what is run.
  /// - Returns: what the work gives.
  /// - Throws: ``MigrationError/expressionFailed(mapping:work:detail:)`` and what the work throws.
  func attributing<Value>(_ part: MigrationError.FailedWork, _ work: () throws -> Value) throws -> Value {
    guard let mappingPath else { return try work() }
    do {
      return try work()
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
    {
      throw MigrationError.expressionFailed(mapping: mappingPath, work: part, detail: error.message ?? "no message")
    }
  }
}
