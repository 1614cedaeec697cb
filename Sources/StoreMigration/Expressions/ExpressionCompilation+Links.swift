import MappingModels
import ModelDescription

extension ExpressionCompilation {
  /// A query of the links to the objects that an expression gives.
  mutating func links(_ expression: ValueExpression) throws -> SQLStatement {
    var parts: [SQLStatement] = []
    try collectLinks(expression, where: [], in: &parts)
    if parts.isEmpty {
      return "SELECT NULL AS owner, NULL AS target, NULL AS number, NULL AS position WHERE 0"
    }
    guard parts.count > 1 else { return parts[0] }
    return """
      SELECT owner, target, number, MIN(position) AS position FROM (\(parts.joined(" UNION ALL "))) \
      GROUP BY owner, target
      """
  }

  private mutating func collectLinks(
    _ expression: ValueExpression, where conditions: [SQLStatement], in parts: inout [SQLStatement]
  ) throws {
    var members = ExpressionMembers(of: row)
    members.settles = false
    switch expression {
    case .null: return
    case .conditional(let condition, let value, let other):
      let test = try self.condition(condition).sql
      try collectLinks(value, where: conditions + [test], in: &parts)
      try collectLinks(other, where: conditions + ["NOT \(test)"], in: &parts)
      return
    case .collection(let list):
      for part in list { try collectLinks(part, where: conditions, in: &parts) }
      return
    case .selfObject, .variable: break
    case .keyPath(let keys, .variable), .keyPath(let keys, .selfObject):
      let path = try typing.resolve(keys, of: .variable("source"), in: expression)
      try follow(path.steps[...], in: &members, expression)
    default:
      members = try self.members(of: expression)
    }
    guard members.value == nil else {
      throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    parts.append(try query(members, where: conditions))
  }

  private func query(_ members: ExpressionMembers, where conditions: [SQLStatement]) throws -> SQLStatement {
    let mayRepeat = members.isCollection && members.hops != 1
    let place = (members.positions.count == 1 ? members.positions[0] : nil) ?? "NULL"
    let position: SQLStatement = mayRepeat ? "MIN(\(place))" : place
    let numbers: SQLStatement =
      source.number(of: compiler.entity).map { "\(.number($0))" } ?? "NULL"
    let all = ["\(row.column("Z_ENT")) = \(numbers)" as SQLStatement] + members.conditions + conditions
    let tables = ["\(name: try table(of: compiler.entity)) AS \(name: row.alias)" as SQLStatement] + members.tables
    let grouping: SQLStatement = mayRepeat ? " GROUP BY \(row.key), \(members.row.key)" : ""
    return """
      SELECT \(row.key) AS owner, \(members.row.key) AS target, \(members.row.column("Z_ENT")) AS number, \
      \(position) AS position FROM \(tables.joined()) WHERE \(all.joined(" AND "))\(grouping)
      """
  }
}
