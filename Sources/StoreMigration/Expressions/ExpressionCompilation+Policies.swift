import MappingModels
import ModelDescription

extension ExpressionCompilation {
  /// A function of the entity mapping's policy: the SQL in its place, or a call of the policy itself.
  mutating func policyCall(
    _ selector: String, _ arguments: [ValueExpression], for wanted: AttributeType?
  ) throws -> ExpressionPiece {
    guard let policy = compiler.policy else { throw ExpressionCompilationError.noPolicy(selector: selector) }
    if let standIn = policy.standIn?.functions[selector] {
      var pieces: [SQLStatement] = []
      for argument in arguments { pieces.append(checked(try piece(argument), argument).unmarked.sql) }
      return try snippet(SQLSnippet(standIn), arguments: pieces)
    }
    var kinds: [String] = []
    var values: [SQLStatement] = []
    for argument in arguments {
      let (kind, value) = try policyArgument(argument)
      kinds.append(kind)
      values.append(value)
    }
    let result = SQLValue.text(wanted?.name ?? "")
    let fixed: [SQLStatement] = [
      "\(.text(policy.className))", "\(.text(selector))", "\(result)", "\(.text(kinds.joined(separator: ",")))",
    ]
    return ExpressionPiece(
      sql: "\(name: ExpressionPolicy.functionName)(\((fixed + values).joined()))", type: .unknown, canFail: true)
  }

  private mutating func policyArgument(_ argument: ValueExpression) throws -> (String, SQLStatement) {
    let type = try typing.type(of: argument)
    switch type {
    case .objects, .nested:
      let members = try members(of: argument)
      let query: SQLStatement = "SELECT DISTINCT \(reference(to: members.row)) AS member\(members.tail())"
      return ("Objects", "(SELECT group_concat(member, ',') FROM (\(query)))")
    case .object(let entity):
      if argument == .variable("source") || argument == .selfObject {
        return ("Object", "(\(.text(compiler.entity + ":")) || \(row.key))")
      }
      let piece = try piece(argument)
      let object = newRow(of: entity)
      return (
        "Object",
        """
        (SELECT \(reference(to: object)) FROM \(name: try table(of: entity)) AS \(name: object.alias) \
        WHERE \(object.key) = \(piece.sql))
        """
      )
    case .values, .destinationObjects:
      throw ExpressionCompilationError.noCollection(expression: argument.shortText)
    case .value(let type): return (type.name, checked(try piece(argument), argument).unmarked.sql)
    case .truth: return (AttributeType.boolean.name, try piece(argument).sql)
    case .null, .unknown: return ("Unknown", try piece(argument).sql)
    }
  }

  /// An object as `Entity:Z_PK`.
  private func reference(to object: RowScope) -> SQLStatement {
    let names = source.hierarchy.family(of: source.hierarchy.rootName(of: object.entity)).compactMap { entity in
      source.number(of: entity.name).map { "WHEN \(.number($0)) THEN \(.text(entity.name + ":"))" as SQLStatement }
    }
    return "CASE \(object.column("Z_ENT")) \(names.joined(" ")) END || \(object.key)"
  }
}
