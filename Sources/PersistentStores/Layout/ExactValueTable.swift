/// The table of values that columns have no room for, in a SQLite store that stands for a store of another kind.
///
/// An object has a value in it for each decimal number of which a column keeps fewer digits, beside what the column makes of
/// the number, and for each value of an attribute without a type. Core Data's tables begin with other letters.
package enum ExactValueTable {
  package static let name = "modelctl_exact"

  /// The statement that makes it.
  package static let creation = """
    CREATE TABLE modelctl_exact (key INTEGER NOT NULL, path TEXT NOT NULL, entity TEXT NOT NULL, near DECIMAL, \
    value BLOB NOT NULL, PRIMARY KEY (key, path, entity)) WITHOUT ROWID
    """
}
