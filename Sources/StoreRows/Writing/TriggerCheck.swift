import GRDB
import PersistentStores

/// Looks for functions of Core Data's connection that triggers call and this program does not have.
enum TriggerCheck {
  private static let begin = "NSCoreData"

  /// - Throws: ``RecordWritingError`` with the trigger's name, before a row is written.
  static func run(in database: Database) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%NSCoreData%'")
    while let row = try rows.next() {
      guard let name = String.fromDatabaseValue(row[0]), let sql = String.fromDatabaseValue(row[1]) else { continue }
      for function in functions(in: sql) where !TriggerFunctions.names.contains(function) {
        throw RecordWritingError.unknownFunction(trigger: name, function: function)
      }
    }
  }

  private static func functions(in sql: String) -> Set<String> {
    var found: Set<String> = []
    for part in sql.ranges(of: begin) {
      let name = sql[part.lowerBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if sql[name.endIndex...].drop(while: \.isWhitespace).first == "(" { found.insert(String(name)) }
    }
    return found
  }
}
