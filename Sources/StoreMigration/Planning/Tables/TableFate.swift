import PersistentStores

/// What becomes of a table.
enum TableFate {
  /// A source table stays and becomes one of the destination.
  case alter(TableAlteration)
  /// A table of the destination is made, and gets the rows of source tables.
  case copy(TableTransfer)
  /// A join table of the destination is made, and gets links.
  case make(SQLTable)
  /// A source table goes, when its rows have been read.
  case drop(SQLTable)
}
