import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport

/// Random expressions over one random store, in SQL and by the reference evaluator.
struct ExpressionTrial {
  let seed: UInt64

  struct Tally: CustomStringConvertible {
    var values = 0
    var conditions = 0
    var links = 0
    var rows = 0
    var failures = 0
    var unasked = 0

    var description: String {
      """
      \(values) values, \(conditions) conditions and \(links) sets of links over \(rows) rows; \(failures) stopped at a \
      row, \(unasked) stop only the reference
      """
    }
  }

  /// Compares as many expressions; every difference in one line.
  func run(_ count: Int, _ tally: inout Tally) throws -> [String] {
    var models = RandomModel(random: SeededGenerator(seed: seed))
    let model = models.model()
    let store = try VersionedStore([model], rows: 7, seed: seed)
    let hierarchy = try EntityHierarchy(model)
    let source = StoreModel(hierarchy: hierarchy, layout: SQLStoreLayout(of: hierarchy))
    let writer = try StoreWriter(path: store.path)
    defer { writer.discard() }
    var found: [String] = []
    try writer.access { database in
      ConversionFunctions(store: store.path).register(in: database)
      ExpressionFunctions.register(in: database)
      var rows = RandomRows(random: SeededGenerator(seed: seed &+ 1), hierarchy: hierarchy, layout: source.layout)
      try database.execute(sql: "BEGIN")
      defer { try? database.execute(sql: "ROLLBACK") }
      try rows.fill(database)
      let graph = try ObjectGraphReader(database, hierarchy).read()
      let reference = ReferenceEvaluator(graph: graph, model: hierarchy, now: 7.5)
      var random = SeededGenerator(seed: seed &+ 2)
      for number in 0..<count {
        guard let entity = model.entities.randomElement(using: &random)?.name else { continue }
        var expressions = RandomCompiledExpression(
          random: SeededGenerator(seed: random.next()), hierarchy: hierarchy, entity: entity)
        let comparison = ExpressionTrialCase(
          source: source, entity: entity, reference: reference, database: database)
        let differences = try comparison.compare(number, &expressions, &tally)
        found += differences.map { "seed \(seed), expression \(number) of \(entity): \($0)" }
      }
    }
    return found
  }
}

/// One expression, evaluated for every row of its entity.
struct ExpressionTrialCase {
  let source: StoreModel
  let entity: String
  let reference: ReferenceEvaluator
  let database: Database

  private var compiler: ExpressionCompiler {
    ExpressionCompiler(source: source, entity: entity, row: "row", now: reference.now)
  }

  private var objects: [ReferenceObject] {
    (reference.graph.rows[entity] ?? [:]).keys.sorted().map { ReferenceObject(entity: entity, key: $0) }
  }

  func compare(
    _ number: Int, _ expressions: inout RandomCompiledExpression, _ tally: inout ExpressionTrial.Tally
  ) throws -> [String] {
    tally.rows += objects.count
    switch number % 10 {
    case 0, 1:
      let expression = expressions.condition(3)
      tally.conditions += 1
      return try compareScalars(expression, compiler.condition(expression), &tally) {
        (try reference.condition(expression, of: $0) ? 1 : 0).databaseValue
      }
    case 2:
      tally.links += 1
      return try compareLinks(expressions.objects())
    default:
      guard let (expression, attribute) = value(number % 10, &expressions) else { return [] }
      guard let sql = try sql(expression, for: attribute) else { return [] }
      tally.values += 1
      return try compareScalars(expression, sql, &tally) {
        try reference.stored(expression, for: attribute, of: $0)
      }
    }
  }

  /// Nil for a constant beyond the attribute's bounds, which is reported before the statement runs.
  private func sql(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement? {
    do {
      return try compiler.value(expression, for: attribute)
    } catch let error as ExpressionTypeError {
      guard case .outOfRange = error.reason else { throw error }
      return nil
    }
  }

  private func value(
    _ kind: Int, _ expressions: inout RandomCompiledExpression
  ) -> (ValueExpression, AttributeDescription)? {
    func made(_ expression: ValueExpression, _ types: AttributeType...) -> (ValueExpression, AttributeDescription) {
      (expression, .optional("value", types[Int.random(in: types.indices, using: &expressions.random)]))
    }
    switch kind {
    case 3, 4: return made(expressions.number(3), .integer64, .integer16, .integer32, .double, .boolean)
    case 5, 6: return made(expressions.fraction(3), .double, .decimal, .integer64, .float)
    case 7: return made(expressions.text(3), .string)
    case 8: return made(expressions.date(3), .date)
    default:
      let type: AttributeType = [.uuid, .uri, .binary, .boolean][Int.random(in: 0..<4, using: &expressions.random)]
      guard let plain = expressions.plain(type) else { return nil }
      var attribute = AttributeDescription.optional("value", type)
      attribute.allowsExternalBinaryDataStorage = type == .binary && Bool.random(using: &expressions.random)
      return (plain, attribute)
    }
  }

  private func compareScalars(
    _ expression: ValueExpression, _ sql: SQLStatement, _ tally: inout ExpressionTrial.Tally,
    _ expected: (ReferenceObject) throws -> DatabaseValue
  ) throws -> [String] {
    var wanted: [Int64: DatabaseValue] = [:]
    var failure: ReferenceFailure?
    for object in objects {
      do {
        wanted[object.key] = try expected(object)
      } catch let error as ReferenceFailure {
        if case .unsupported = error { throw error }
        failure = error
      }
    }
    let query: SQLStatement = """
      SELECT row."Z_PK", \(sql) FROM \(name: source.layout.table(ofEntity: entity)?.name ?? "") AS row \
      WHERE row."Z_ENT" = \(.integer(Int64(source.number(of: entity) ?? 0)))
      """
    let rows: [Row]
    do {
      rows = try Row.fetchAll(database, sql: query.rendered)
    } catch let error as DatabaseError {
      if failure != nil {
        tally.failures += 1
        return []
      }
      return ["\(expression): \(error.message ?? "") in \(sql.rendered)"]
    }
    if failure != nil { tally.unasked += 1 }
    return rows.compactMap { row in
      let key: Int64 = row[0]
      let found: DatabaseValue = row[1]
      guard let value = wanted[key], !isEqual(value, found) else { return nil }
      return "\(expression) of \(key): \(value) expected, \(found) found by \(sql.rendered)"
    }
  }

  /// Whole numbers beyond 53 bits may have been floating point in the reference, where a store keeps exact numbers whole.
  private func isEqual(_ first: DatabaseValue, _ second: DatabaseValue) -> Bool {
    if let one = number(first), let two = number(second) {
      return one == two || abs(one - two) <= 1e-12 * max(abs(one), abs(two))
    }
    return first == second
  }

  private func number(_ value: DatabaseValue) -> Double? {
    switch value.storage {
    case .int64(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  private func compareLinks(_ expression: ValueExpression) throws -> [String] {
    let sql = try compiler.links(expression)
    var found: [Int64: [ReferenceObject]] = [:]
    let rows = try Row.fetchAll(database, sql: "SELECT owner, target, number, position FROM (\(sql.rendered))")
    let typing = ExpressionTyping(source: source.hierarchy, entity: entity, role: .relationship)
    let type = try typing.type(of: expression)
    let isPlaced = if case .objects(_, isOrdered: true) = type { true } else { false }
    for row in rows.sorted(by: { ($0["position"] as Int64? ?? 0) < ($1["position"] as Int64? ?? 0) }) {
      let target = ReferenceObject(entity: source.layout.entity(number: row["number"]) ?? "", key: row["target"])
      found[row["owner"], default: []].append(target)
      if isPlaced, row["position"] as Int64? == nil { return ["\(expression): no position in \(sql.rendered)"] }
    }
    return try objects.compactMap { object in
      let wanted = try reference.targets(expression, of: object)
      let links = found[object.key] ?? []
      let isSame = isPlaced ? links == wanted : links.count == wanted.count && Set(links) == Set(wanted)
      return isSame ? nil : "\(expression) of \(object.key): \(wanted) expected, \(links) found by \(sql.rendered)"
    }
  }
}
