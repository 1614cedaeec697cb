import GRDB
import MappingModels
import MigrationSQL

extension MigrationPlan {
  /// The losses that an option brings with it and consents to, each with how much of it there is.
  ///
  /// - Parameter database: a connection to the store, before anything is done.
  /// - Returns: a note for each of which there is any.
  /// - Throws: `DatabaseError`, or an error that names the loss.
  func impliedLosses(in database: Database) throws -> [PlanNote] {
    try losses.filter(\.isImplied).compactMap { loss -> PlanNote? in
      let count = try attributing(.loss(of: loss.loss.element)) {
        let query = loss.countQuery
        return try Int.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
      }
      return count > 0 ? .impliedLoss(loss.loss, count: count) : nil
    }
  }
}
