import MigrationSQL

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

  /// Its name.
  let name: String
  /// The name of the constraint of its primary key.
  let keyName: String
  /// The root entity whose objects are its rows; nil for a table of links.
  let root: String?
  /// The names of the columns that are its primary key.
  let key: [String]
  var columns: [RelationalColumn]
  /// The tables of the store that its rows come from, and which of them.
  let rows: SQLStatement
  /// What its rows are ordered by.
  let order: SQLStatement
  var indexes: [Index] = []
  /// The column of the entity's name, and the entities that an object can be of.
  var entities: (column: String, names: [String])?
  /// What the database does not check because rows of the store break it.
  var remarks: [String] = []
  /// The number of its rows, where it has objects.
  var count = 0
}
