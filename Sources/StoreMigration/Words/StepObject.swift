import MigrationSQL

extension PlanStep {
  /// The table, column, index, view or trigger of the statement, such as `index Z_Todo_byDueDate`.
  ///
  /// It is nil if the cause alone says it.
  public var object: String? {
    guard cause.needsObject, case .sql(let statement) = action, let match = statement.text.prefixMatch(of: Self.target)
    else { return nil }
    let name = Self.unquoted(match.output.name)
    if let column = match.output.column { return "column \(Self.unquoted(column)) of \(name)" }
    return "\(match.output.kind?.lowercased() ?? "table") \(name)"
  }

  /// The beginning of a statement, up to the name of its table, index, view or trigger, or to the column.
  private static var target: Regex<(Substring, kind: Substring?, name: Substring, column: Substring?)> {
    /(?:(?:CREATE|DROP|ALTER)(?:\s+(?:UNIQUE|VIRTUAL|TEMP|TEMPORARY))?\s+(?<kind>TABLE|INDEX|VIEW|TRIGGER)(?:\s+IF(?:\s+NOT)?\s+EXISTS)?|UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+(?<name>"(?:[^"]|"")*"|[^\s\(;]+)(?:\s+RENAME\s+COLUMN\s+(?<column>"(?:[^"]|"")*"|[^\s\(;]+))?/
      .ignoresCase()
  }

  private static func unquoted(_ name: Substring) -> String {
    guard name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") else { return String(name) }
    return String(name.dropFirst().dropLast().replacing("\"\"", with: "\""))
  }
}

extension PlanCause {
  /// True if its words do not name a table, an index, a column or a property.
  fileprivate var needsObject: Bool {
    switch self {
    case .rowsCopied, .copiedTableGoes, .tableRenamed, .tableGivesWay, .joinTableMade, .columnRenamed, .columnRetyped,
      .columnNameReturns, .values, .misnumberedRowsNumbered, .indexMade, .indexReplaced, .indexOfSameNameReplaced,
      .indexNotInModel, .indexOfAppGoes, .indexNameNeeded, .indexOfAppMade, .spatialIndexMade, .madeAnew, .triggerMade,
      .triggerOfAppMade, .unreadableViewDropped, .unreadableViewMade, .entitiesRenumbered, .tableReadFrom,
      .tableHasBeenRead, .tableMade, .linksMirrored:
      true
    default: false
    }
  }
}
