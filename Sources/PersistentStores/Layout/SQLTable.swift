/// A table of a store, for a root entity or a many-to-many pair.
public struct SQLTable: Hashable, Sendable {
  /// The content of a table.
  public enum Content: Hashable, Sendable {
    /// The rows of a root entity and everything below it.
    case hierarchy(root: String)
    /// The links of a many-to-many pair, named after this relationship.
    case join(PropertyAddress)
  }

  /// The table's name.
  public var name: String
  /// The content of the table.
  public var content: Content
  /// The columns in the order of a fresh store.
  public var columns: [SQLColumn]

  /// Creates a table.
  public init(name: String, content: Content, columns: [SQLColumn]) {
    (self.name, self.content, self.columns) = (name, content, columns)
  }

  /// The column of this role.
  public func column(_ role: SQLColumn.Role) -> SQLColumn? { columns.first { $0.role == role } }

  /// The `CREATE TABLE` statement as Core Data writes it.
  ///
  /// Source: the statements of 198 stores that Core Data created.
  public var createStatement: String { createStatement(named: name) }

  /// The same statement for a table with a different name, for a rebuild.
  public func createStatement(named name: String) -> String {
    var parts = columns.map { "\(SQLIdentifier($0.name).asCoreDataWrites) \($0.type.rawValue)" }
    if case .join = content {
      let key = primaryKeyColumns.map { SQLIdentifier($0.name).asCoreDataWrites }.joined(separator: ", ")
      parts.append("PRIMARY KEY (\(key))")
    }
    return "CREATE TABLE \(SQLIdentifier(name).asCoreDataWrites) ( \(parts.joined(separator: ", ")) )"
  }

  /// The columns of the primary key: `Z_PK`, or both sides of a join table.
  public var primaryKeyColumns: [SQLColumn] {
    columns.filter { column in
      switch column.role {
      case .primaryKey, .joinSource, .joinDestination: true
      default: false
      }
    }
  }
}
