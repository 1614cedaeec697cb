import MigrationSQL
import ModelDescription
import StoreRows

/// A table that is written as SQL, and where its rows come from.
struct RelationalTable {
  /// Columns that an index is made of.
  struct Index {
    let name: String
    let columns: [(name: String, isAscending: Bool)]
    var isUnique = false
    /// The entities whose rows are in it; empty for all.
    var entities: [String] = []
  }

  let name: String
  let keyName: String
  /// The root entity whose objects are its rows; nil for a table of links.
  let root: String?
  /// The names of the columns that are its primary key.
  let key: [String]
  var columns: [RelationalColumn]
  /// The tables of the store that its rows come from, and which of them.
  let rows: SQLStatement
  let order: SQLStatement
  var indexes: [Index] = []
  /// The column of the entity's name, and the entities that an object can be of.
  var entities: (column: String, names: [String])?
  /// What the database does not check because rows of the store break it.
  var remarks: [String] = []
  /// The number of its rows, where it has objects.
  var count = 0
}

/// A column of a table that is written as SQL.
struct RelationalColumn {
  enum Content {
    /// The key of an object, or a place in an order.
    case number
    /// The name of the entity, by its number.
    case entity([Int64: String])
    /// A value of an attribute's type.
    case value(AttributeType, isMarked: Bool)
    /// Moments, some of which the database has none for: seconds since 2001.
    case seconds
  }

  /// What happens to a row when the one is deleted that it refers to.
  enum Deletion: String {
    case cascade = "CASCADE"
    case clear = "SET NULL"
    case refuse = "RESTRICT"
    case nothing = "NO ACTION"
  }

  /// A row of another table that a value is the key of.
  struct Reference {
    let root: String
    let deletion: Deletion
  }

  let name: String
  var content: Content
  /// What is selected of the store for it.
  var source: SQLStatement
  var type: String
  /// The property, for messages; empty for a column that is none.
  var property = ""
  /// True when the model demands a value.
  var isMandatory = false
  var reference: Reference?
  /// How many bytes its longest text has, where that was asked.
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
