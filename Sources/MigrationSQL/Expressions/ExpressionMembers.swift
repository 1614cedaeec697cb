package import MappingModels

/// The members of a collection as the rows of a query.
struct ExpressionMembers {
  var tables: [SQLStatement] = []
  var conditions: [SQLStatement] = []
  /// The row of the current member; if there are no tables, the row at which the keys start.
  var row: RowScope
  /// The member, when it is a value rather than an object.
  var value: ExpressionPiece?
  /// True if the same member can be found several times and counts once.
  var repeats = false
  /// True once a to-many relationship was followed.
  var isCollection = false
  /// The position in each to-many relationship of the path; nil for an unordered relationship.
  var positions: [SQLStatement?] = []
  /// The number of relationships on the path.
  var relationshipCount = 0
  /// True if a member without a value counts too, as for a quantifier.
  var keepsMissing = false
  /// False if repeated members do no harm, as in a set of links.
  var settles = true
  /// True if the evaluation can stop the statement.
  var canFail = false

  init(of row: RowScope) { self.row = row }

  /// The member as one value; an object is its key.
  var member: ExpressionPiece {
    value ?? ExpressionPiece(sql: row.key, type: .object(entity: row.entity), isSimple: true)
  }

  /// Returns the end of the query, from its tables.
  ///
  /// - Parameter more: further conditions.
  /// - Returns: `FROM` and `WHERE`.
  func tail(_ more: SQLStatement...) -> SQLStatement {
    let isPresent = keepsMissing ? nil : value.map { "\($0.sql) IS NOT NULL" as SQLStatement }
    let all = conditions + [isPresent].compactMap { $0 } + more
    let filter: SQLStatement = all.isEmpty ? "" : " WHERE \(all.joined(" AND "))"
    return tables.isEmpty ? filter : " FROM \(tables.joined())\(filter)"
  }
}

extension ResolvedKeyPath {
  /// True if a collection operator gives the members, and leaves out missing members.
  package var collects: Bool { steps.contains { if case .union = $0 { true } else { false } } }
}

/// A row of the source that SQL can name.
struct RowScope {
  let alias: String
  /// The entity of the row, or an ancestor of it.
  let entity: String

  func column(_ name: String) -> SQLStatement { "\(name: alias).\(name: name)" }

  var key: SQLStatement { column("Z_PK") }
}
