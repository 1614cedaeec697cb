import MappingModels
import ModelDescription
import PersistentStores

extension ExpressionCompilation {
  typealias Steps = ArraySlice<ResolvedKeyPath.Step>

  mutating func keyPath(
    _ keys: [String], of base: ValueExpression, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    let path = try typing.resolve(keys, of: base, in: expression)
    if path.base.isCollection { return try aggregated(members(of: base), path.steps[...], expression) }
    switch base {
    case .selfObject, .variable: return try value(path.steps[...], of: row(of: base), expression)
    default: return try value(path.steps[...], of: piece(base), expression)
    }
  }

  mutating func value(_ steps: Steps, of row: RowScope, _ expression: ValueExpression) throws -> ExpressionPiece {
    let rest = steps.dropFirst()
    switch steps.first {
    case .attribute(let path, let attribute, let entity):
      return try value(rest, of: column(path, attribute, entity, of: row, expression), expression)
    case .relationship(let relationship, let entity) where !relationship.isToMany:
      let address = PropertyAddress(entity: entity, property: relationship.name)
      guard let place = source.place(.toOne(address)) else {
        throw ExpressionCompilationError.notStored(property: "\(address)")
      }
      let target = ExpressionType.object(entity: relationship.destinationEntityName ?? row.entity)
      let key = ExpressionPiece(sql: row.column(place.column.name), type: target, isSimple: true)
      return try value(rest, of: key, expression)
    case .relationship, .union, .aggregate:
      var members = ExpressionMembers(of: row)
      let taken = steps.prefix { if case .aggregate = $0 { false } else { true } }
      try follow(taken, in: &members, expression)
      return try aggregated(members, steps.dropFirst(taken.count), expression)
    case .member, nil: return ExpressionPiece(sql: row.key, type: .object(entity: row.entity), isSimple: true)
    }
  }

  /// Returns the value of keys for a value or an object.
  mutating func value(
    _ steps: Steps, of piece: ExpressionPiece, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    guard let first = steps.first else { return piece }
    if case .member(let member, let type) = first {
      return try value(steps.dropFirst(), of: self.member(member, type, of: piece), expression)
    }
    guard case .object(let entity) = piece.type else { return piece }
    let target = newRow(of: entity)
    var found = try value(steps, of: target, expression)
    found.sql = """
      (SELECT \(found.sql) FROM \(name: try table(of: entity)) AS \(name: target.alias) \
      WHERE \(target.key) = \(piece.sql))
      """
    found.isSimple = false
    found.canFail = found.canFail || piece.canFail
    return found
  }

  private func column(
    _ path: String, _ attribute: AttributeDescription, _ entity: String, of row: RowScope,
    _ expression: ValueExpression
  ) throws(ExpressionCompilationError) -> ExpressionPiece {
    let address = PropertyAddress(entity: entity, property: path)
    guard let place = source.place(.attribute(address)) else { throw .notStored(property: "\(address)") }
    var piece = ExpressionPiece(
      sql: row.column(place.column.name), type: .value(attribute.type), isSimple: true,
      isMarked: attribute.allowsExternalBinaryDataStorage)
    if piece.isMarked { piece.place = self.place(expression) }
    switch attribute.type {
    case .boolean: piece.range = 0...1
    case .integer16, .integer32:
      piece.range = attribute.type.bounds.map { Double($0.lowerBound)...Double($0.upperBound) }
    default: break
    }
    return piece
  }

  /// Returns a member of a value, such as its length.
  private func member(_ member: ValueMember, _ type: AttributeType, of piece: ExpressionPiece) -> ExpressionPiece {
    let value = piece.unmarked
    func made(_ sql: SQLStatement, _ type: AttributeType, _ range: ClosedRange<Double>? = nil) -> ExpressionPiece {
      ExpressionPiece(sql: sql, type: .value(type), range: range, canFail: value.canFail)
    }
    switch member {
    case .itself: return piece
    case .length where type == .string: return made("modelctl_length(\(value.sql))", .integer64, 0...1e10)
    case .length: return made("length(\(value.sql))", .integer64, 0...1e10)
    case .uppercaseString: return made("modelctl_uppercase(\(value.sql))", .string)
    case .lowercaseString: return made("modelctl_lowercase(\(value.sql))", .string)
    case .absoluteString: return made(value.sql, .string)
    case .uuidString: return made("modelctl_cast(\(value.sql), 'NSString', 'UUID', NULL, '', '')", .string)
    case .timeIntervalSinceReferenceDate: return made("CAST(\(value.sql) AS REAL)", .double)
    case .timeIntervalSince1970: return made("(\(value.sql) + 978307200.0)", .double)
    }
  }

  /// A query of the links to the objects that an expression gives.
  mutating func links(_ expression: ValueExpression) throws -> SQLStatement {
    var parts: [SQLStatement] = []
    try collectLinks(expression, where: [], in: &parts)
    if parts.isEmpty { return "SELECT NULL AS owner, NULL AS target, NULL AS number, NULL AS position WHERE 0" }
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
    default: members = try self.members(of: expression)
    }
    guard members.value == nil else { throw ExpressionCompilationError.noCollection(expression: expression.shortText) }
    parts.append(try query(members, where: conditions))
  }

  private func query(_ members: ExpressionMembers, where conditions: [SQLStatement]) throws -> SQLStatement {
    let mayRepeat = members.isCollection && members.relationshipCount != 1
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
