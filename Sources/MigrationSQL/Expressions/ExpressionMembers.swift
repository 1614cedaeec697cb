package import MappingModels

/// The members of a collection as the rows of a query.
struct ExpressionMembers {
  var tables: [SQLStatement] = []
  var conditions: [SQLStatement] = []
  /// The row of the present member; while there are no tables, the row that the keys start from.
  var row: RowScope
  /// The member, when it is a value rather than an object.
  var value: ExpressionPiece?
  /// True when a member can be found several times and counts once.
  var repeats = false
  /// True once a to-many relationship was followed.
  var isCollection = false
  /// For each to-many relationship on the way the place in it; nil for one without order.
  var positions: [SQLStatement?] = []
  /// How many relationships were followed.
  var hops = 0
  /// True where a member without a value counts too, as it does for a quantifier.
  var keepsMissing = false
  /// False where members that come again do no harm, as in a set of links.
  var settles = true
  /// True when asking can stop the statement.
  var canFail = false

  init(of row: RowScope) { self.row = row }

  /// The member as one value, an object by its key.
  var member: ExpressionPiece {
    value ?? ExpressionPiece(sql: row.key, type: .object(entity: row.entity), isSimple: true)
  }

  /// The query's end, from its tables on.
  ///
  /// - Parameter more: what else must hold.
  /// - Returns: `FROM` and `WHERE`.
  func tail(_ more: SQLStatement...) -> SQLStatement {
    let isPresent = keepsMissing ? nil : value.map { "\($0.sql) IS NOT NULL" as SQLStatement }
    let all = conditions + [isPresent].compactMap { $0 } + more
    let filter: SQLStatement = all.isEmpty ? "" : " WHERE \(all.joined(" AND "))"
    return tables.isEmpty ? filter : " FROM \(tables.joined())\(filter)"
  }
}

extension ResolvedKeyPath {
  /// True when a collection operator makes the members, and leaves out missing ones.
  package var collects: Bool { steps.contains { if case .union = $0 { true } else { false } } }
}

/// A row of the source that SQL can name.
struct RowScope {
  let alias: String
  /// The entity it is known to be of, or below.
  let entity: String

  func column(_ name: String) -> SQLStatement { "\(name: alias).\(name: name)" }

  var key: SQLStatement { column("Z_PK") }
}
