import GRDB
public import MappingModels
import MigrationSQL
public import ModelDescription
import PersistentStores

/// The interface for policies during a migration, like `NSMigrationManager` in Core Data.
///
/// Nothing is kept in memory but compiled statements: objects and associations are rows of the store's copy and of
/// temporary tables.
public final class MigrationManager {
  let database: Database
  let work: PolicyWork
  var keys: DestinationKeys
  /// False once all links are written.
  var takesObjects = true
  /// The policy that runs, for the functions of its mapping's expressions.
  var current: (policy: any EntityMigrationPolicy, mapping: PolicyWork.Mapping)?
  /// The error that a function of a policy threw; SQLite passes only texts.
  var functionError: (any Error)?
  var sourceQueries: [SourceQuery.Key: SourceQuery] = [:]

  init(_ work: PolicyWork, in database: Database) throws {
    (self.work, self.database) = (work, database)
    keys = DestinationKeys(work.context)
  }

  var context: PlanningContext { work.context }

  /// Runs a statement with further arguments after its own.
  func execute(_ statement: SQLStatement, _ more: any DatabaseValueConvertible...) throws {
    try database.cachedStatement(sql: statement.text)
      .execute(arguments: statement.databaseArguments + StatementArguments(more))
  }

  /// Selects one column with further arguments after a statement's own.
  func column(_ statement: SQLStatement, _ more: any DatabaseValueConvertible...) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(sql: statement.text),
      arguments: statement.databaseArguments + StatementArguments(more))
  }
}

// MARK: Associations

extension MigrationManager {
  /// Creates an object of the destination, with the defaults of its attributes.
  ///
  /// - Parameter entity: an entity of the destination model that is not abstract.
  /// - Throws: ``PolicyError``.
  public func insertDestinationInstance(of entity: String) throws -> DestinationObject {
    guard takesObjects else { throw PolicyError.tooLate }
    let model = context.destination
    guard let description = model.hierarchy.entity(named: entity), !description.isAbstract,
      let table = model.table(ofEntity: entity), let number = model.number(of: entity)
    else { throw PolicyError.unknownEntity(entity) }
    let key = try keys.next(in: table, database)
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values: [SQLStatement] = ["\(.integer(key))", "\(.number(number))", "\(.number(1))"]
    for column in table.columns {
      guard case .attribute(let address) = column.role,
        model.address(ofAttribute: address.property, in: entity) == address,
        let attribute = model.attribute(at: address.property, of: entity), attribute.derivation == nil,
        let value = attribute.defaultValue
      else { continue }
      columns.append(column.name)
      values.append(AttributeMapping.Step.stored(value, in: attribute))
    }
    try execute("INSERT INTO \(name: table.name) (\(.names(columns))) VALUES (\(values.joined()))")
    return DestinationObject(entity: entity, key: key)
  }

  /// Associates a destination object with its source object, so that expressions find it.
  ///
  /// - Throws: ``PolicyError`` for an object that is not of the mapping's destination entity.
  public func associate(
    sourceInstance source: SourceObject, withDestinationInstance destination: DestinationObject,
    for mapping: EntityMapping
  ) throws {
    guard takesObjects else { throw PolicyError.tooLate }
    guard let entity = work.mappings[mapping.name]?.entity, case .table(let table) = entity.association else {
      throw PolicyError.unknownMapping(mapping.name)
    }
    guard context.destination.hierarchy.isEntity(destination.entity, kindOf: entity.destination) else {
      throw PolicyError.wrongObject(entity: mapping.name, relationship: "objects", object: destination.entity)
    }
    try execute(
      "INSERT OR IGNORE INTO \(name: "temp").\(name: table) (src, dst) VALUES (?, ?)", source.key, destination.key)
  }

  /// Creates the object that the mapping's expressions describe, and associates it with its source object.
  ///
  /// - Throws: ``PolicyError``, and errors of expressions.
  @discardableResult
  public func createDefaultDestinationInstance(
    forSource source: SourceObject, in mapping: EntityMapping
  ) throws -> DestinationObject {
    guard takesObjects else { throw PolicyError.tooLate }
    guard let planned = work.mappings[mapping.name] else { throw PolicyError.unknownMapping(mapping.name) }
    let entity = planned.entity
    let key = try plannedKey(of: source, in: entity) ?? keys.next(in: entity.destinationTable, database)
    let object = DestinationObject(entity: entity.destination, key: key)
    try associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
    try execute(planned.insertion, source.key, key)
    return object
  }

  /// The key set aside for the first object made of a source object, nil for a further one.
  private func plannedKey(of source: SourceObject, in entity: MappedEntity) throws -> Int64? {
    guard source.entity == entity.source else { return nil }
    let planned =
      try entity.keysTable.map {
        try column("SELECT dst FROM \(name: "temp").\(name: $0) WHERE src = ?", source.key).first
      } ?? source.key
    guard let planned, try !exists(planned, in: entity.destinationTable) else { return nil }
    return planned
  }

  private func exists(_ key: Int64, in table: SQLTable) throws -> Bool {
    try !column("SELECT 1 FROM \(name: table.name) WHERE \(name: "Z_PK") = ?", key).isEmpty
  }

  /// The objects that a mapping created from some source objects.
  ///
  /// - Throws: ``PolicyError/unknownMapping(_:)``.
  public func destinationInstances(
    forEntityMappingName name: String, sourceInstances sources: [SourceObject]
  ) throws -> [DestinationObject] {
    guard let entity = context.entities.first(where: { $0.mapping.name == name }) else {
      guard context.mapping.entityMapping(named: name) != nil else { throw PolicyError.unknownMapping(name) }
      return []
    }
    return try sources.flatMap { source in
      guard source.entity == entity.source else { return [] as [DestinationObject] }
      return try column("SELECT dst FROM \(entity.pairs) WHERE src = ? ORDER BY dst", source.key)
        .map { DestinationObject(entity: entity.destination, key: $0) }
    }
  }

  /// The source objects of some objects that a mapping created.
  ///
  /// - Throws: ``PolicyError/unknownMapping(_:)``.
  public func sourceInstances(
    forEntityMappingName name: String, destinationInstances objects: [DestinationObject]
  ) throws -> [SourceObject] {
    guard let entity = context.entities.first(where: { $0.mapping.name == name }) else {
      throw PolicyError.unknownMapping(name)
    }
    return try objects.flatMap { object in
      try column("SELECT src FROM \(entity.pairs) WHERE dst = ? ORDER BY src", object.key)
        .map { SourceObject(entity: entity.source, key: $0) }
    }
  }
}

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
  /// - Returns: the value, or nil.
  /// - Throws: `ExpressionTypeError` for a key path that does not end at a value, ``PolicyError``.
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

  /// The objects at the end of a key path, in their order if they are ordered.
  ///
  /// - Throws: `ExpressionTypeError` for a key path that does not end at objects.
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

/// Gives out keys for objects that policies make: above every key that any row of a table has or may get.
struct DestinationKeys {
  private let context: PlanningContext
  private var highest: [String: Int64] = [:]

  init(_ context: PlanningContext) { self.context = context }

  mutating func next(in table: SQLTable, _ database: Database) throws -> Int64 {
    let last = try highest[table.name] ?? highestKey(of: table, database)
    let (key, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw DatabaseError(resultCode: .SQLITE_FULL, message: "\(table.name) has no free key") }
    highest[table.name] = key
    return key
  }

  private func highestKey(of table: SQLTable, _ database: Database) throws -> Int64 {
    var parts: [SQLStatement] = ["SELECT MAX(\(name: "Z_PK")) AS highest FROM \(name: table.name)"]
    for entity in context.entities(filling: table) {
      parts.append("SELECT MAX(\(name: "Z_PK")) FROM \(name: entity.sourceTable.name)")
      if let keys = entity.keysTable { parts.append("SELECT MAX(dst) FROM \(name: "temp").\(name: keys)") }
    }
    let query: SQLStatement = "SELECT MAX(highest) FROM (\(parts.joined(" UNION ALL ")))"
    return try Int64.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
  }
}
