/// A table of a store: one for every root entity, one for every many-to-many pair.
public struct SQLTable: Hashable, Sendable {
  /// Whose rows it holds.
  public enum Content: Hashable, Sendable {
    /// The rows of a root entity and everything below it.
    case hierarchy(root: String)
    /// The links of a many-to-many pair, named after this relationship.
    case join(PropertyAddress)
  }

  /// The table's name.
  public var name: String
  /// Whose rows it holds.
  public var content: Content
  /// The columns in the order of a fresh store.
  public var columns: [SQLColumn]

  /// Makes a table.
  public init(name: String, content: Content, columns: [SQLColumn]) {
    self.name = name
    self.content = content
    self.columns = columns
  }

  /// The column of this role.
  public func column(_ role: SQLColumn.Role) -> SQLColumn? {
    columns.first { $0.role == role }
  }
}
