import MigrationSQL
import ModelDescription
import StoreRows

/// A table of the SQL dump, and the source of its rows.
struct RelationalTable {
  /// Columns that an index is made of.
  struct Index {
    let name: String
    let columns: [(name: String, isAscending: Bool)]
    var isUnique = false
    /// The entities of its rows; empty for all.
    var entities: [String] = []
  }

  let name: String
  let keyName: String
  /// The root entity of its rows; nil for a table of links.
  let root: String?
  /// The names of the columns that are its primary key.
  let key: [String]
  var columns: [RelationalColumn]
  /// The tables of the store that its rows are read from, with conditions.
  let rows: SQLStatement
  let order: SQLStatement
  var indexes: [Index] = []
  /// The column of the entity's name, and the entities that an object can be of.
  var entities: (column: String, names: [String])?
  /// The constraints that the database does not check, because rows of the store violate them.
  var remarks: [String] = []
  /// The number of its rows that are objects.
  var count = 0
}

/// A column of a table that is written as SQL.
struct RelationalColumn {
  enum Content {
    /// The key of an object, or a position in an order.
    case number
    /// The name of the entity, by its number.
    case entity([Int64: String])
    /// A value of an attribute's type.
    case value(AttributeType, isMarked: Bool)
    /// Seconds since 2001, because the database cannot represent some of the dates.
    case seconds
  }

  /// The effect on a row if the row that it refers to is deleted.
  enum Deletion: String {
    case cascade = "CASCADE"
    case clear = "SET NULL"
    case refuse = "RESTRICT"
    case nothing = "NO ACTION"
  }

  /// The row of a different table that a value refers to.
  struct Reference {
    let root: String
    let deletion: Deletion
  }

  let name: String
  var content: Content
  /// The expression that is selected from the store.
  var source: SQLStatement
  var type: String
  /// The property, for messages; empty if the column does not belong to one.
  var property = ""
  /// Whether the model requires a value.
  var isMandatory = false
  var reference: Reference?
  /// The number of bytes of its longest text, if it was measured.
  var longest = 0
}

extension RelationalTable {
  /// The same with all digits of decimal numbers that a store has.
  func exact(in store: StoreModel) -> RelationalTable {
    guard store.keepsExactValues, let root else { return self }
    var table = self
    for position in columns.indices {
      let column = columns[position]
      guard case .value(.decimal, _) = column.content else { continue }
      let value = store.exactValue(of: RelationalPlanning.row, at: column.property, in: root, near: column.source)
      table.columns[position].content = .value(.decimal, isMarked: true)
      table.columns[position].source = "COALESCE(\(value), \(column.source))"
    }
    return table
  }
}
