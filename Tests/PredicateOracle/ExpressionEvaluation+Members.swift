import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

extension ExpressionEvaluation {
  /// The members that an expression gives.
  ///
  /// - Parameters:
  ///   - expression: a collection.
  ///   - keepsMissing: whether members without a value count, unless a collection operator left them out.
  /// - Returns: the members, each at least once.
  /// - Throws: `ExpressionTypeError` or ``ExpressionCompilationError``.
  func members(
    of expression: ValueExpression, keepingMissing keepsMissing: Bool = false
  ) throws -> EvaluatedMembers {
    switch expression {
    case .keyPath(let keys, let base):
      let path = try typing.resolve(keys, of: base, in: expression)
      let keepsMissing = keepsMissing && !path.collects
      var members: EvaluatedMembers
      switch (base, path.base) {
      case (.selfObject, .object(let entity)), (.variable, .object(let entity)):
        members = start(at: subject(base), entity)
      case (_, .object(let entity)):
        let object = try piece(base)
        let root = hierarchy.rootName(of: entity)
        members = start(
          at: { scope in
            Int64.fromDatabaseValue(try object.value(scope)).map { EvaluatedObject(root: root, key: $0) }
          }, entity)
      default: members = try self.members(of: base, keepingMissing: keepsMissing)
      }
      members.keepsMissing = keepsMissing
      try follow(path.steps[...], in: &members, expression)
      return members
    case .subquery(let collection, let variable, let condition):
      let members = try self.members(of: collection)
      guard case .object(let entity) = members.type else {
        throw ExpressionCompilationError.noCollection(expression: expression.shortText)
      }
      let test = try binding(variable, to: entity).condition(condition)
      let root = hierarchy.rootName(of: entity)
      var kept = members
      kept.items = { scope in
        try members.items(scope)?.filter { item in
          guard let key = Int64.fromDatabaseValue(item) else { return false }
          var inner = scope
          inner.variables[variable] = EvaluatedObject(root: root, key: key)
          return try test(inner) == true
        }
      }
      return kept
    case .collection(let parts):
      return try list(parts, typing.type(of: expression), keepingMissing: keepsMissing, expression)
    default: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
  }

  /// The members to be found from an object; none where the object is missing.
  func start(at object: @escaping Subject, _ entity: String) -> EvaluatedMembers {
    EvaluatedMembers(
      items: { scope in try object(scope).map { [$0.key.databaseValue] } }, type: .object(entity: entity))
  }

  /// The members that are written down one by one, each as often as it is there.
  private func list(
    _ parts: [ValueExpression], _ type: ExpressionType, keepingMissing keepsMissing: Bool,
    _ expression: ValueExpression
  ) throws -> EvaluatedMembers {
    let pieces = try parts.map { unmarked(checked(try piece($0), $0)) }
    let member: ExpressionType
    var present: (DatabaseValue) -> Bool = { _ in true }
    switch type {
    case .objects(let entity, _):
      let root = hierarchy.rootName(of: entity)
      member = .object(entity: entity)
      present = { value in
        keepsMissing
          || Int64.fromDatabaseValue(value).map { objects.contains(EvaluatedObject(root: root, key: $0)) } ?? false
      }
    case .values(let type): member = type == .undefined ? .null : .value(type)
    default: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    return EvaluatedMembers(
      items: { scope in try pieces.map { try $0.value(scope) }.filter(present) }, type: member, isCollection: true,
      keepsMissing: keepsMissing)
  }

  /// Follows keys from members to their values.
  func follow(_ steps: Steps, in members: inout EvaluatedMembers, _ expression: ValueExpression) throws {
    for step in steps {
      let before = members
      switch step {
      case .relationship(let relationship, _)
      where before.keepsMissing && before.isCollection && !relationship.isToMany:
        let value = try each([step], of: before.type, expression)
        members.items = { scope in try before.items(scope)?.map { try value.value(scope.looking(at: $0)) } }
        members.type = value.type
      case .relationship(let relationship, _):
        guard case .object(let entity) = before.type, let destination = relationship.destinationEntityName else {
          throw ExpressionCompilationError.noCollection(expression: expression.shortText)
        }
        let (near, far) = (hierarchy.rootName(of: entity), hierarchy.rootName(of: destination))
        members.items = { scope in
          try before.items(scope)?.flatMap { item -> [DatabaseValue] in
            guard let key = Int64.fromDatabaseValue(item) else { return [] }
            return try objects.keys(along: relationship, of: EvaluatedObject(root: near, key: key))
              .filter { objects.contains(EvaluatedObject(root: far, key: $0)) }.map(\.databaseValue)
          }
        }
        members.type = .object(entity: destination)
        members.repeats = before.repeats || before.isCollection
        members.isCollection = before.isCollection || relationship.isToMany
      case .attribute, .member:
        let value = unmarked(try each([step], of: before.type, expression))
        members.items = { scope in try before.items(scope)?.map { try value.value(scope.looking(at: $0)) } }
        members.type = value.type
        if case .attribute = step { members.repeats = true }
      case .union(let collecting, let each):
        if !collecting.isDistinct { members.settle() }
        try follow(each.steps[...], in: &members, expression)
        members.repeats = collecting.isDistinct
      case .aggregate: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
      }
    }
  }

  /// Follows keys from the current member.
  private func each(_ steps: Steps, of type: ExpressionType, _ expression: ValueExpression) throws -> EvaluatedPiece {
    guard case .object(let entity) = type else { return try value(steps, of: .member(type), expression) }
    let root = hierarchy.rootName(of: entity)
    return try value(
      steps, of: { Int64.fromDatabaseValue($0.member).map { EvaluatedObject(root: root, key: $0) } }, entity, expression
    )
  }

  /// One value made of members: the first step is the aggregate.
  func aggregated(
    _ found: EvaluatedMembers, _ steps: Steps, _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    var members = found
    let taken = steps.prefix { if case .aggregate = $0 { false } else { true } }
    try follow(taken, in: &members, expression)
    guard case .aggregate(let collecting, let keys) = steps.dropFirst(taken.count).first else {
      throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
    members.settle()
    let settled = members
    let value = unmarked(
      keys.steps.isEmpty ? .member(settled.type) : try each(keys.steps[...], of: settled.type, expression))
    let result = try ResolvedKeyPath.aggregate(collecting, of: value.type)
    let aggregate = EvaluatedAggregate(
      collecting: collecting, isFloating: result == .double, isWide: value.type == .value(.integer64))
    let place = place(expression)
    return EvaluatedPiece(.value(result)) { scope in
      guard let items = try settled.found(scope) else { return .null }
      return try aggregate.value(
        of: items.map { try value.value(scope.looking(at: $0)) }, RowLocation(place(scope)[...]))
    }
  }
}

extension EvaluationScope {
  /// The same with a member that is looked at.
  func looking(at member: DatabaseValue) -> EvaluationScope {
    var scope = self
    scope.member = member
    return scope
  }
}

/// A collection operator over values: the counterpart of ``SQLAggregate``.
struct EvaluatedAggregate {
  let collecting: CollectionOperator
  /// True for a sum of floating point numbers.
  let isFloating: Bool
  /// True for 64-bit integers, whose sum may overflow.
  let isWide: Bool

  /// The result of the operator; missing values are among the values.
  func value(of values: [DatabaseValue], _ place: RowLocation) throws -> DatabaseValue {
    let numbers = values.compactMap(\.operand)
    switch collecting {
    case .count: return values.count.databaseValue
    case .sum where isFloating: return numbers.reduce(0) { $0 + $1.double }.databaseValue.settled
    case .sum where isWide:
      var sum = WholeSum()
      for value in values { try sum.add(value, place) }
      return sum.sum.databaseValue
    case .sum: return try sum(numbers, place)
    case .average:
      return values.isEmpty
        ? 0.0.databaseValue : (numbers.reduce(0) { $0 + $1.double } / Double(values.count)).databaseValue.settled
    case .minimum: return extreme(values, .orderedAscending)
    case .maximum: return extreme(values, .orderedDescending)
    default: return .null
    }
  }

  /// An integer if all numbers are integers: a sum that overflows 64 bits is an error, as in SQLite.
  private func sum(_ numbers: [StoredNumber], _ place: RowLocation) throws -> DatabaseValue {
    var whole: Int64 = 0
    for number in numbers {
      guard case .whole(let next) = number else {
        return numbers.reduce(0) { $0 + $1.double }.databaseValue.settled
      }
      let (sum, overflows) = whole.addingReportingOverflow(next)
      guard !overflows else { throw place.overflow }
      whole = sum
    }
    return whole.databaseValue
  }

  private func extreme(_ values: [DatabaseValue], _ wanted: ComparisonResult) -> DatabaseValue {
    values.reduce(.null) { found, value in
      guard let order = value.order(found) else { return found.isNull ? value : found }
      return order == wanted ? value : found
    }
  }
}
