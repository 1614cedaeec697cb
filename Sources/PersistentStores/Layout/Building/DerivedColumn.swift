/// The column of a derived attribute, and the triggers that fill it.
struct DerivedColumn {
  let table: String
  let column: String
  let entity: String
  let attribute: String
  /// The entity numbers whose rows have the attribute; nil when all rows of the table do.
  let range: ClosedRange<Int>?

  /// What the attribute is computed from.
  enum Input {
    /// The rows of a table whose reference is this row.
    case count(reference: String, table: String)
    /// A column of the row of another table that this row refers to.
    case value(column: String, table: String, reference: String)
  }

  /// The statement that computes the attribute in all rows.
  func refreshStatement(from input: Input) -> String {
    let key = "\(SQLIdentifier(table).quoted).\(SQLIdentifier("Z_PK").quoted)"
    let value =
      switch input {
      case .count(let reference, let source):
        "SELECT COUNT(*) FROM \(SQLIdentifier(source).quoted) AS source "
          + "WHERE source.\(SQLIdentifier(reference).quoted) = \(key)"
      case .value(let column, let source, let reference):
        "SELECT source.\(SQLIdentifier(column).quoted) FROM \(SQLIdentifier(source).quoted) AS source "
          + "WHERE source.Z_PK = \(SQLIdentifier(table).quoted).\(SQLIdentifier(reference).quoted)"
      }
    let rows = range.map { " WHERE Z_ENT BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
    return "UPDATE \(SQLIdentifier(table).quoted) SET \(SQLIdentifier(column).quoted) = (\(value))\(rows)"
  }

  private var quotedTable: String { SQLIdentifier(table).asCoreDataWrites }
  private var quotedColumn: String { SQLIdentifier(column).asCoreDataWrites }

  /// The triggers of a count of the rows in a table that refer to this one.
  func countTriggers(of reference: String, in destination: String) -> [SQLTrigger] {
    let reference = SQLIdentifier(reference).asCoreDataWrites
    let source = SQLIdentifier(destination).asCoreDataWrites
    func step(_ suffix: String, _ event: String, row: String, to value: String) -> SQLTrigger {
      trigger(
        on: destination, "PARAMETER_\(suffix)", event, when: "(\(row).\(reference) NOT NULL)",
        set: value, where: "Z_PK = \(row).\(reference)", isInsert: false)
    }
    return [
      step("INSERT", "INSERT", row: "NEW", to: "IFNULL(\(quotedColumn), 0) + 1"),
      step("UPDATE_INCREMENT", "UPDATE OF \(reference)", row: "NEW", to: "\(quotedColumn) + 1"),
      step("UPDATE_DECREMENT", "UPDATE OF \(reference)", row: "OLD", to: "\(quotedColumn) - 1"),
      step("DELETE", "DELETE", row: "OLD", to: "\(quotedColumn) - 1"),
      sourceTrigger(
        "INSERT", "INSERT",
        set: "(SELECT IFNULL(COUNT(\(reference)), 0) FROM \(source) WHERE \(reference) = NEW.Z_PK)"),
    ]
  }

  /// The triggers of a value at the other end of a to-one relationship.
  func valueTriggers(of value: String, in destination: String, through reference: String) -> [SQLTrigger] {
    let reference = SQLIdentifier(reference).asCoreDataWrites
    let value = SQLIdentifier(value).asCoreDataWrites
    let reading = "(SELECT \(value) FROM \(SQLIdentifier(destination).asCoreDataWrites) WHERE Z_PK = NEW.\(reference))"
    func parameter(_ suffix: String, _ event: String) -> SQLTrigger {
      trigger(
        on: destination, "PARAMETER_\(suffix)", event, when: nil, set: "NEW.\(value)",
        where: "\(reference) = NEW.Z_PK", isInsert: false)
    }
    return [
      sourceTrigger("INSERT", "INSERT", set: reading),
      sourceTrigger("UPDATE", "UPDATE OF \(reference)", set: reading),
      parameter("INSERT", "INSERT"),
      parameter("UPDATE", "UPDATE OF \(value)"),
    ]
  }

  private func sourceTrigger(_ suffix: String, _ event: String, set value: String) -> SQLTrigger {
    let when = range.map { "\($0.lowerBound) <= NEW.Z_ENT AND NEW.Z_ENT <= \($0.upperBound)" }
    return trigger(
      on: table, "SOURCE_\(suffix)", event, when: when, set: value, where: "Z_PK = NEW.Z_PK",
      isInsert: suffix == "INSERT",
      isRanged: false)
  }

  private func trigger(
    on eventTable: String, _ suffix: String, _ event: String, when: String?, set value: String, where rows: String,
    isInsert: Bool, isRanged: Bool = true
  ) -> SQLTrigger {
    let name = "Z_DA_\(eventTable)_\(entity)_\(attribute)_\(suffix)"
    let ranged = isRanged ? range.map { " AND \($0.lowerBound) <= Z_ENT AND Z_ENT <= \($0.upperBound)" } ?? "" : ""
    let function = "NSCoreDataDATrigger\(isInsert ? "Insert" : "")UpdatedAffectedObjectValue"
    let arguments = "\(SQLLiteral.text(table).sql), Z_ENT, Z_PK, \(SQLLiteral.text(attribute).sql), \(quotedColumn)"
    return SQLTrigger(
      name: name,
      table: eventTable,
      sql: "CREATE TRIGGER \(SQLIdentifier(name).asCoreDataWrites) AFTER \(event) "
        + "ON \(SQLIdentifier(eventTable).asCoreDataWrites) FOR EACH ROW\(when.map { " WHEN \($0)" } ?? "") "
        + "BEGIN UPDATE \(quotedTable) SET \(quotedColumn) = \(value) WHERE \(rows)\(ranged); "
        + "SELECT \(function)(\(arguments)) FROM \(quotedTable) WHERE \(rows)\(ranged); END"
    )
  }
}
