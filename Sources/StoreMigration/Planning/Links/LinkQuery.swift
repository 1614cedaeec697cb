import MigrationSQL

/// Links as the rows of a query, wherever they come from, for ``LinkWriter`` to write where the destination keeps them.
struct LinkQuery {
  /// What becomes of a link that the query gives more than once, and of several links of one row.
  enum Repetition {
    /// The first is written, by place and keys.
    case ignored
    /// They are written as one, with the lowest place.
    case grouped
  }

  /// What follows `FROM`.
  let rows: SQLStatement
  /// The key of the near object.
  var near: SQLStatement = "near"
  /// The key of the far object.
  var far: SQLStatement = "far"
  /// The far object's place among those of the near one, nil where it has none yet.
  var place: SQLStatement? = "place"
  /// The near object's place among those of the far one, nil where it has none yet.
  var inversePlace: SQLStatement? = "inversePlace"
  /// The entity numbers of the near objects, nil where the query gives no others.
  var nearNumbers: [Int]?
  let repetition: Repetition
  /// How many links there are at the most.
  let count: Int
  /// Why they are written.
  let cause: PlanCause
}
