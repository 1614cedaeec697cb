import GRDB
import MigrationSQL
public import ModelDescription
import PersistentStores

/// How SQLite answers a request: the statement, and the steps that it takes.
public struct RequestExplanation: Hashable, Sendable {
  /// A step of SQLite's query plan.
  public struct Step: Hashable, Sendable {
    /// Its number.
    public let number: Int
    /// The step that this step is part of; nil for a step at the top level.
    public let parent: Int?
    /// The step in SQLite's words, such as `SEARCH o USING INTEGER PRIMARY KEY (rowid=?)`.
    public let detail: String
  }

  /// The statement with its values as literals; the real statement has bound values.
  public let sql: String
  /// The steps in their order.
  public let steps: [Step]
}

extension RecordReading {
  /// Returns the rows of a request one at a time: the key, the entity number and the version, followed by the columns,
  /// without attributes that lack a type.
  package func rowCursor(_ request: RecordRequest) throws -> (rows: StoredRowCursor, columns: [RecordColumn]) {
    let plan = try RecordPlan(request, of: store, now: now)
    let rows = try StoredRowCursor(plan.statement.text, arguments: plan.statement.databaseArguments, in: database)
    return (rows, plan.columns.compactMap(\.typed))
  }

  /// Returns all links of a to-many relationship by the keys of their source objects, in the order of the relationship.
  ///
  /// Each row has the source key, the destination key and the destination's entity number.
  ///
  /// - Parameter entity: the entity that declares or inherits the relationship.
  package func linkCursor(along relationship: String, of entity: String) throws -> StoredRowCursor {
    guard let address = store.address(ofRelationship: relationship, in: entity),
      let destination = store.relationship(address)?.destinationEntityName,
      let target = store.table(ofEntity: destination), let storage = store.linkStorage(of: address),
      let links = store.linkQuery(along: address, isForward: true)
    else { throw RecordRequestError.noLinks(relationship, entity: entity) }
    let sql: SQLStatement
    let family = store.familyNumbers(of: store.hierarchy.rootName(of: destination))
    if case .foreignColumn(let table, let column, nil) = storage, family.count == 1 {
      // The index of the column has all of it, in order.
      sql = """
        SELECT \(name: column), Z_PK, \(.number(family[0])) FROM \(name: table) WHERE \(name: column) IS NOT NULL \
        ORDER BY \(name: column), Z_PK
        """
    } else if case .foreignColumn(let table, let column, let order) = storage {
      // To look up each row of an index takes longer than to sort the rows.
      let place: SQLStatement = order.map { "\(name: $0), " } ?? ""
      sql = """
        SELECT \(name: column), Z_PK, Z_ENT FROM \(name: table) WHERE \(name: column) IS NOT NULL \
        ORDER BY +\(name: column), \(place)Z_PK
        """
    } else {
      sql = """
        SELECT l.near, l.far, d.Z_ENT FROM (\(links)) AS l JOIN \(name: target.name) AS d ON d.Z_PK = l.far \
        ORDER BY l.near, l.place, l.far
        """
    }
    return try StoredRowCursor(sql.text, arguments: sql.databaseArguments, in: database)
  }

  /// The store's model.
  public var hierarchy: EntityHierarchy { store.hierarchy }

  /// Explains how SQLite runs a request, without reading objects.
  ///
  /// - Parameter request: the request.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func explain(_ request: RecordRequest) throws -> RequestExplanation {
    try explain(RecordPlan(request, of: store, now: now).statement)
  }

  /// Explains how SQLite counts the objects of a request, without reading objects.
  public func explainCount(_ request: RecordRequest) throws -> RequestExplanation {
    try explain(RecordPlan.count(request, of: store, now: now))
  }

  /// Explains how SQLite runs a request for groups, without reading objects.
  public func explain(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> RequestExplanation {
    try explain(GroupPlan(aggregates, by: keyPaths, of: request, in: store, now: now).statement)
  }

  private func explain(_ statement: SQLStatement) throws -> RequestExplanation {
    let rows = try Row.fetchAll(
      database, sql: "EXPLAIN QUERY PLAN \(statement.text)", arguments: statement.databaseArguments)
    let steps = rows.map { row in
      RequestExplanation.Step(number: row[0], parent: row[1] == 0 ? nil : row[1], detail: row[3])
    }
    return RequestExplanation(sql: statement.shortened, steps: steps)
  }
}

extension RecordColumn {
  /// The column without elements that lack a type; nil if the column lacks a type itself.
  fileprivate var typed: RecordColumn? {
    switch content {
    case .value(.undefined, _): nil
    case .composite(let elements):
      RecordColumn(name: name, content: .composite(elements.compactMap(\.typed)), position: position)
    case .value, .object: self
    }
  }
}
