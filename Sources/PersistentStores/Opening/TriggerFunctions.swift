public import GRDB

/// The SQL functions that Core Data's triggers call and plain SQLite lacks.
///
/// Source: spec/sqlite-store-layout.md §11.4. Their work, telling a live context about the change, has no meaning here.
public enum TriggerFunctions {
  private static let names = [
    "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  /// Registers the functions, which do nothing and take any number of arguments.
  ///
  /// - Parameter database: the connection that will write rows.
  public static func register(in database: Database) {
    for name in names { database.add(function: DatabaseFunction(name) { _ in nil }) }
  }
}
