import Foundation
public import GRDB

/// The SQL functions that Core Data's triggers call and plain SQLite lacks.
///
/// Source: the triggers in stores that Core Data wrote. Those that notify a live context of a change have nothing to do here.
public enum TriggerFunctions {
  /// The moment at which a row is saved, in seconds since 2001.
  private static let now = "NSCoreDataNow"

  /// The names of the functions that tell Core Data's row cache of a change, and do nothing here.
  private static let notices = [
    "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  /// The names of all functions.
  package static let names = notices + [now]

  /// Registers the functions, which do nothing and take any number of arguments.
  ///
  /// - Parameter database: the connection that will write rows.
  public static func register(in database: Database) {
    for name in notices { database.add(function: DatabaseFunction(name) { _ in nil }) }
    database.add(function: DatabaseFunction(now, argumentCount: 0) { _ in Date().timeIntervalSinceReferenceDate })
  }
}
