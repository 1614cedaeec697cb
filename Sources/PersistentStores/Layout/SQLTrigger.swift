/// A trigger that Core Data keeps in a store.
public struct SQLTrigger: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The table whose changes it follows.
  public var table: String
  /// The complete `CREATE TRIGGER` statement.
  public var sql: String

  /// Makes a trigger.
  public init(name: String, table: String, sql: String) {
    self.name = name
    self.table = table
    self.sql = sql
  }
}
