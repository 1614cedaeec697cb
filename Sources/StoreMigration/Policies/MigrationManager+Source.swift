import GRDB
import MappingModels
import MigrationSQL
public import ModelDescription
import PersistentStores

/// A compiled key path of a source entity.
struct SourceQuery {
  struct Key: Hashable {
    let entity: String
    let keyPath: String
  }

  let statement: SQLStatement
  let type: ExpressionType
}

extension MigrationManager {
  /// The value at the end of a key path, such as `name` or `customer.name`.
  ///
  /// - Returns: nil for no value.
  /// - Throws: `ExpressionTypeError` for a key path that leads to no value, ``PolicyError``.
  public func value(_ keyPath: String, of source: SourceObject) throws -> AttributeValue? {
    let query = try query(keyPath, of: source.entity)
    let statement = try database.cachedStatement(sql: query.statement.text)
    let arguments = query.statement.databaseArguments + [source.key]
    guard let found = try DatabaseValue.fetchOne(statement, arguments: arguments), !found.isNull else { return nil }
    guard case .value(let type) = query.type else {
      return query.type == .truth ? AttributeValue(stored: found, as: .boolean) : AttributeValue(untyped: found)
    }
    guard let value = AttributeValue(stored: found, as: type) else {
      throw PolicyError.unreadable(entity: source.entity, property: keyPath)
    }
    return value
  }

  /// The objects that a key path leads to, in their order where they have one.
  ///
  /// - Throws: `ExpressionTypeError` for a key path that leads to no objects.
  public func objects(_ keyPath: String, of source: SourceObject) throws -> [SourceObject] {
    let key = SourceQuery.Key(entity: source.entity, keyPath: "objects " + keyPath)
    let query: SourceQuery
    if let known = sourceQueries[key] {
      query = known
    } else {
      let links = try compiler(of: source.entity).links(Self.expression(keyPath))
      query = SourceQuery(
        statement: "SELECT target, number FROM (\(links)) WHERE owner = ? ORDER BY position, target", type: .unknown)
      sourceQueries[key] = query
    }
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: query.statement.text), arguments: query.statement.databaseArguments + [source.key])
    return rows.compactMap { row in
      guard let key: Int64 = row[0], let number: Int = row[1],
        let entity = context.source.layout.entity(number: number)
      else { return nil }
      return SourceObject(entity: entity, key: key)
    }
  }

  private func query(_ keyPath: String, of entity: String) throws -> SourceQuery {
    let key = SourceQuery.Key(entity: entity, keyPath: keyPath)
    if let known = sourceQueries[key] { return known }
    let expression = Self.expression(keyPath)
    let type = try ExpressionTyping(source: context.source.hierarchy, entity: entity, role: .attribute)
      .type(of: expression)
    var attribute = AttributeDescription(name: keyPath, type: .undefined)
    if case .value(let valueType) = type { attribute.type = valueType }
    let value = try compiler(of: entity).value(expression, for: attribute)
    guard let table = context.staged.table(ofEntity: entity) else { throw PolicyError.unknownEntity(entity) }
    let query = SourceQuery(
      statement: """
        SELECT \(value) FROM \(name: table.name) AS \(name: "source") WHERE \(name: "source").\(name: "Z_PK") = ?
        """, type: type)
    sourceQueries[key] = query
    return query
  }

  private func compiler(of entity: String) -> ExpressionCompiler {
    ExpressionCompiler(source: context.staged, entity: entity, row: "source", now: context.now)
  }

  private static func expression(_ keyPath: String) -> ValueExpression {
    .keyPath(keyPath.split(separator: ".").map(String.init), of: .variable("source"))
  }
}
