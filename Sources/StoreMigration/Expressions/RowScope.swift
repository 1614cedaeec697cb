/// A row of the source that SQL can name.
struct RowScope {
  /// The alias of its table.
  let alias: String
  /// The entity it is known to be of, or below.
  let entity: String

  /// A column of the row.
  func column(_ name: String) -> SQLStatement { "\(name: alias).\(name: name)" }

  /// Its primary key.
  var key: SQLStatement { column("Z_PK") }
}
