import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A request for groups as one SQL statement, with the meaning of its rows.
struct GroupPlan {
  /// A value in the columns of a row.
  struct Column {
    /// The key path or the aggregate, as people write it.
    let name: String
    let content: RecordColumn.Content
    let position: Int32
    /// The column with the maximum of the added values.
    ///
    /// Texts and bytes, which SQLite adds as 0, are greater than all numbers.
    var greatest: Int32?
  }

  let statement: SQLStatement
  /// The values that the objects of a group have in common.
  private(set) var keys: [Column] = []
  /// The aggregates of the groups.
  private(set) var values: [Column] = []

  /// Plans groups.
  ///
  /// - Parameters:
  ///   - keyPaths: the values that the objects of a group have in common; empty for one group of all objects.
  ///   - request: the objects; its limit and offset apply to the groups.
  ///   - now: the value of `now()`, in seconds since 2001.
  init(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest, in store: StoreModel, now: Double
  ) throws(RecordRequestError) {
    if let sort = request.sort.first { throw .notAskable(text: sort.keyPath, .sortedGroups) }
    let planning = try RequestPlanning(request, store, nil, now: now)
    var selected: [SQLStatement] = []
    for keyPath in keyPaths {
      let (sql, type) = try planning.value(keyPath)
      keys.append(try planning.groupColumn(keyPath, sql, type, &selected))
    }
    for aggregate in aggregates { values.append(try planning.valueColumn(aggregate, &selected)) }
    if selected.isEmpty { selected.append("1") }
    let tail = try planning.tail()
    guard !keyPaths.isEmpty else {
      statement = "SELECT \(selected.joined()) \(tail)"
      return
    }
    // The number of a column must be written down: a bound value would be a constant.
    let numbers = SQLStatement(verbatim: keys.map { "\($0.position + 1)" }.joined(separator: ", "))
    statement = "SELECT \(selected.joined()) \(tail) GROUP BY \(numbers) ORDER BY \(numbers)\(planning.window)"
  }
}

extension RequestPlanning {
  fileprivate func value(_ keyPath: String) throws(RecordRequestError) -> (sql: SQLStatement, type: ExpressionType) {
    try request.asking(keyPath, in: store.hierarchy) { try compiler.value(ValueExpression(keyPath: keyPath)) }
  }

  fileprivate func groupColumn(
    _ keyPath: String, _ sql: SQLStatement, _ type: ExpressionType, _ selected: inout [SQLStatement]
  ) throws(RecordRequestError) -> GroupPlan.Column {
    let position = Int32(selected.count)
    selected.append(sql)
    switch type {
    case .value(let type) where type != .transformable:
      return GroupPlan.Column(name: keyPath, content: .value(type, isMarked: false), position: position)
    case .object(let entity):
      guard let table = store.table(ofEntity: entity) else { throw .noLinks(keyPath, entity: request.entity) }
      let numbers = store.familyNumbers(of: entity)
      selected.append(
        numbers.count == 1 ? .list(numbers) : "(SELECT d.Z_ENT FROM \(name: table.name) AS d WHERE d.Z_PK = \(sql))")
      return GroupPlan.Column(name: keyPath, content: .object(destination: entity), position: position)
    default: throw .notAskable(text: keyPath, .noGroups(type))
    }
  }

  /// The columns of an aggregate of the objects of a group.
  fileprivate func valueColumn(
    _ aggregate: RecordAggregate, _ selected: inout [SQLStatement]
  ) throws(RecordRequestError) -> GroupPlan.Column {
    let position = Int32(selected.count)
    guard let keyPath = aggregate.keyPath else {
      selected.append("COUNT(*)")
      return GroupPlan.Column(name: aggregate.text, content: .value(.integer64, isMarked: false), position: position)
    }
    let (sql, type) = try value(keyPath)
    let (made, content) = try self.aggregate(aggregate, of: sql, type, keyPath)
    selected.append(made)
    var column = GroupPlan.Column(name: aggregate.text, content: content, position: position)
    if [.sum, .average].contains(aggregate.function) {
      column.greatest = Int32(selected.count)
      // The text `NaN` is an exact number that is none.
      selected.append(type == .value(.decimal) ? "MAX(NULLIF(\(sql), 'NaN'))" : "MAX(\(sql))")
    }
    return column
  }

  private func aggregate(
    _ aggregate: RecordAggregate, of sql: SQLStatement, _ type: ExpressionType, _ keyPath: String
  ) throws(RecordRequestError) -> (SQLStatement, RecordColumn.Content) {
    let collecting = aggregate.function.collectionOperator
    let given = try request.asking(keyPath, in: store.hierarchy) {
      do {
        return try ResolvedKeyPath.aggregate(collecting, of: type)
      } catch let reason as ExpressionTypeError.Reason {
        throw ExpressionTypeError(expression: keyPath, reason: reason)
      }
    }
    let isExact = type == .value(.decimal)
    switch aggregate.function {
    case .count: return ("COUNT(\(sql))", .value(.integer64, isMarked: false))
    case .sum where type.isWholeNumber: return ("COALESCE(SUM(\(sql)), 0)", .value(.integer64, isMarked: false))
    case .sum where isExact:
      return ("CASE COUNT(\(sql)) WHEN 0 THEN 0 ELSE SUM(\(sql)) END", .value(.decimal, isMarked: false))
    case .sum: return ("TOTAL(\(sql))", .value(.double, isMarked: false))
    case .average: return ("AVG(\(sql))", .value(isExact ? .decimal : .double, isMarked: false))
    case .minimum: return ("MIN(\(sql))", .value(given, isMarked: false))
    case .maximum: return ("MAX(\(sql))", .value(given, isMarked: false))
    }
  }
}

extension RecordAggregate {
  /// The aggregate as people write it, such as `sum(rows.price)`.
  public var text: String { keyPath.map { "\(function.rawValue)(\($0))" } ?? function.rawValue }
}

extension RecordAggregate.Function {
  fileprivate var collectionOperator: CollectionOperator {
    switch self {
    case .count: .count
    case .sum: .sum
    case .average: .average
    case .minimum: .minimum
    case .maximum: .maximum
    }
  }
}

extension ValueExpression {
  /// The key path of an object, from keys with periods between them.
  init(keyPath: String) {
    self = .keyPath(keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init), of: .selfObject)
  }
}
