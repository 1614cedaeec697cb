import MappingModels
import ModelDescription
import PersistentStores

extension ExpressionCompilation {
  /// The members that an expression gives.
  ///
  /// - Parameter keepsMissing: whether members without a value count, unless a collection operator left them out.
  /// - Returns: the members, each at least once.
  mutating func members(
    of expression: ValueExpression, keepingMissing keepsMissing: Bool = false
  ) throws -> ExpressionMembers {
    switch expression {
    case .keyPath(let keys, let base):
      let path = try typing.resolve(keys, of: base, in: expression)
      let keepsMissing = keepsMissing && !path.collects
      var members: ExpressionMembers
      switch base {
      case .selfObject, .variable: members = ExpressionMembers(of: row(of: base))
      case _ where path.base.isCollection: members = try self.members(of: base, keepingMissing: keepsMissing)
      default: members = try start(at: piece(base), expression)
      }
      members.keepsMissing = keepsMissing
      try follow(path.steps[...], in: &members, expression)
      return members
    case .subquery(let collection, let variable, let condition):
      var members = try self.members(of: collection)
      guard members.value == nil else {
        throw ExpressionCompilationError.noCollection(expression: expression.shortText)
      }
      let test = try self.condition(condition, where: variable, is: members.row)
      members.conditions.append(test.sql)
      members.canFail = members.canFail || test.canFail
      return members
    case .collection(let parts):
      return try list(parts, typing.type(of: expression), keepingMissing: keepsMissing, expression)
    default: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
  }

  private mutating func start(at piece: ExpressionPiece, _ expression: ValueExpression) throws -> ExpressionMembers {
    guard case .object(let entity) = piece.type else {
      throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    let object = newRow(of: entity)
    var members = ExpressionMembers(of: object)
    members.tables = ["\(name: try table(of: entity)) AS \(name: object.alias)"]
    members.conditions = ["\(object.key) = \(piece.sql)"]
    members.canFail = piece.canFail
    return members
  }

  /// Returns the members of a list, with repetitions.
  private mutating func list(
    _ parts: [ValueExpression], _ type: ExpressionType, keepingMissing keepsMissing: Bool,
    _ expression: ValueExpression
  ) throws -> ExpressionMembers {
    var members = ExpressionMembers(of: row)
    members.keepsMissing = keepsMissing
    var rows: [SQLStatement] = []
    for part in parts {
      let piece = checked(try self.piece(part), part).unmarked
      members.canFail = members.canFail || piece.canFail
      rows.append("(\(piece.sql))")
    }
    let alias = newAlias()
    let more: SQLStatement = rows.count > 1 ? " UNION ALL VALUES \(rows.dropFirst().joined())" : ""
    let first: SQLStatement = rows.first.map { "SELECT \($0)" } ?? "SELECT NULL"
    let none: SQLStatement = rows.isEmpty ? " WHERE 0" : ""
    members.tables = ["(\(first) AS \(name: "value")\(none)\(more)) AS \(name: alias)"]
    members.isCollection = true
    let value: SQLStatement = "\(name: alias).\(name: "value")"
    switch type {
    case .objects(let entity, _) where keepsMissing:
      members.value = ExpressionPiece(sql: value, type: .object(entity: entity), isSimple: true)
    case .objects(let entity, _):
      let object = newRow(of: entity)
      members.row = object
      members.tables.append("\(name: try table(of: entity)) AS \(name: object.alias)")
      members.conditions = ["\(object.key) = \(value)"]
    case .values(let type):
      members.value = ExpressionPiece(sql: value, type: type == .undefined ? .null : .value(type), isSimple: true)
    default: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    return members
  }

  /// Follows keys from members to their values.
  mutating func follow(_ steps: Steps, in members: inout ExpressionMembers, _ expression: ValueExpression) throws {
    for step in steps {
      switch step {
      case .relationship(let relationship, _)
      where members.keepsMissing && members.isCollection && !relationship.isToMany:
        members.value = try each(step, of: members, expression)
      case .relationship(let relationship, let entity): try join(relationship, entity, in: &members)
      case .attribute, .member:
        members.value = try each(step, of: members, expression).unmarked
        if case .attribute = step { members.repeats = true }
      case .union(let collecting, let each):
        if !collecting.isDistinct { settle(&members) }
        try follow(each.steps[...], in: &members, expression)
        members.repeats = collecting.isDistinct
      case .aggregate: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
      }
    }
  }

  /// Follows a key from the current member.
  private mutating func each(
    _ step: ResolvedKeyPath.Step, of members: ExpressionMembers, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    if let value = members.value { return try self.value([step], of: value, expression) }
    return try self.value([step], of: members.row, expression)
  }

  /// Returns the row of the current member, and joins it if only its key is known.
  private mutating func near(_ members: inout ExpressionMembers) throws -> RowScope {
    guard let key = members.value, case .object(let entity) = key.type else { return members.row }
    let object = newRow(of: entity)
    members.tables.append("\(name: try table(of: entity)) AS \(name: object.alias)")
    members.conditions.append("\(object.key) = \(key.sql)")
    members.canFail = members.canFail || key.canFail
    members.row = object
    members.value = nil
    return object
  }

  private mutating func join(
    _ relationship: RelationshipDescription, _ entity: String, in members: inout ExpressionMembers
  ) throws {
    let address = PropertyAddress(entity: entity, property: relationship.name)
    guard let storage = source.linkStorage(of: address), let destination = relationship.destinationEntityName else {
      throw ExpressionCompilationError.notStored(property: "\(address)")
    }
    let near = try near(&members)
    let far = newRow(of: destination)
    var position: SQLStatement?
    switch storage {
    case .column(_, let column): members.conditions.append("\(far.key) = \(near.column(column))")
    case .foreignColumn(_, let column, let order):
      members.conditions.append("\(far.column(column)) = \(near.key)")
      position = order.map(far.column)
    case .join(let table, let nearColumn, let farColumn, let order, _):
      let link = RowScope(alias: newAlias(), entity: entity)
      members.tables.append("\(name: compiler.table(table)) AS \(name: link.alias)")
      members.conditions.append("\(link.column(nearColumn)) = \(near.key)")
      members.conditions.append("\(far.key) = \(link.column(farColumn))")
      position = order.map(link.column)
    }
    members.tables.append("\(name: try table(of: destination)) AS \(name: far.alias)")
    members.row = far
    members.relationshipCount += 1
    members.repeats = members.repeats || members.isCollection
    if relationship.isToMany {
      members.isCollection = true
      members.positions.append(position)
    }
  }

  private mutating func settle(_ members: inout ExpressionMembers) {
    guard members.repeats, members.settles else { return }
    var settled = ExpressionMembers(of: members.row)
    settled.canFail = members.canFail
    settled.isCollection = true
    if let value = members.value {
      let alias = newAlias()
      settled.tables = ["(SELECT DISTINCT \(value.sql) AS \(name: "value")\(members.tail())) AS \(name: alias)"]
      settled.value = ExpressionPiece(
        sql: "\(name: alias).\(name: "value")", type: value.type, range: value.range, isSimple: true)
    } else if let table = try? table(of: members.row.entity) {
      let object = newRow(of: members.row.entity)
      settled.row = object
      settled.tables = ["\(name: table) AS \(name: object.alias)"]
      settled.conditions = ["\(object.key) IN (SELECT \(members.row.key)\(members.tail()))"]
    }
    members = settled
  }

  /// Returns one value for members: the first step is the aggregate.
  mutating func aggregated(
    _ found: ExpressionMembers, _ steps: Steps, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    var members = found
    let taken = steps.prefix { if case .aggregate = $0 { false } else { true } }
    try follow(taken, in: &members, expression)
    guard case .aggregate(let collecting, let each) = steps.dropFirst(taken.count).first else {
      throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    settle(&members)
    var value = members.member
    if !each.steps.isEmpty {
      value =
        if let known = members.value {
          try self.value(each.steps[...], of: known, expression)
        } else {
          try self.value(each.steps[...], of: members.row, expression)
        }
    }
    value = value.unmarked
    let result = try ResolvedKeyPath.aggregate(collecting, of: value.type)
    let sql = SQLAggregate(collecting, of: value, giving: result, place: place(expression), logic: compiler.logic).sql
    return ExpressionPiece(
      sql: "(SELECT \(sql)\(members.tail()))", type: .value(result),
      range: collecting == .count ? 0...1e15 : nil,
      canFail: members.canFail || value.canFail || collecting == .sum && result != .double)
  }
}

/// A collection operator as an aggregate function.
///
/// As in key-value coding, a missing value counts as 0 in a sum and in an average. Both are 0 for an empty collection.
/// A missing value does not count in a minimum or a maximum. A sum or an average that is not a number, as of infinities
/// of both signs, is missing.
struct SQLAggregate {
  let sql: SQLStatement

  init(
    _ collecting: CollectionOperator, of value: ExpressionPiece, giving type: AttributeType, place: SQLStatement,
    logic: PredicateLogic
  ) {
    switch collecting {
    case .sum where type == .double: sql = "TOTAL(\(value.sql))"
    case .sum where value.type == .value(.integer64): sql = "modelctl_sum(\(value.sql), \(place))"
    case .sum: sql = "CASE COUNT(\(value.sql)) WHEN 0 THEN 0 ELSE SUM(\(value.sql)) END"
    case .average: sql = "CASE COUNT(*) WHEN 0 THEN 0.0 ELSE TOTAL(\(value.sql)) / COUNT(*) END"
    case .minimum: sql = "MIN(\(Self.collated(value, logic)))"
    case .maximum: sql = "MAX(\(Self.collated(value, logic)))"
    default: sql = "COUNT(*)"
    }
  }

  private static func collated(_ value: ExpressionPiece, _ logic: PredicateLogic) -> SQLStatement {
    guard value.type == .value(.string), logic == .twoValued else { return value.sql }
    return "\(value.sql) COLLATE \(name: StringCollation().name)"
  }
}
