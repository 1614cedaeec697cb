import MigrationSQL

/// The question which rows break a requirement.
enum RequirementQuery {
  case rows(EntityRows)
  case other(SQLStatement)

  /// The rows of some entities of one table, those that meet a condition where there is one.
  struct EntityRows {
    /// What entities have in common of which one question can ask.
    struct Family: Hashable {
      let table: String
      let condition: SQLStatement?
    }

    let table: String
    let numbers: [Int]
    let condition: SQLStatement?

    var family: Family { Family(table: table, condition: condition) }

    func asked(of numbers: [Int]) -> Self {
      Self(table: table, numbers: Set(numbers).sorted(), condition: condition)
    }

    var statement: SQLStatement {
      let entities: SQLStatement = numbers.count == 1 ? "= \(.number(numbers[0]))" : "IN (\(.list(numbers)))"
      let more: SQLStatement = condition.map { " AND (\($0))" } ?? ""
      return """
        SELECT \(name: "Z_PK") FROM \(name: table) WHERE \(name: "Z_ENT") \(entities)\(more) ORDER BY \(name: "Z_PK")
        """
    }
  }

  /// The rows of entities that meet a condition, nil where every row is meant.
  var conditionalRows: EntityRows? {
    if case .rows(let rows) = self, rows.condition != nil { rows } else { nil }
  }

  var statement: SQLStatement {
    switch self {
    case .rows(let rows): rows.statement
    case .other(let statement): statement
    }
  }
}
