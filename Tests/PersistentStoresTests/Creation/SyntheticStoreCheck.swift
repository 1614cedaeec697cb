import GRDB
import ModelDescription
import PersistentStores

/// Looks for anything in a filled store that its model does not allow.
struct SyntheticStoreCheck {
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let rowsPerEntity: Int

  /// One line a problem.
  func problems(in database: Database) throws -> [String] {
    var problems: [String] = []
    let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
    if integrity != ["ok"] { problems += integrity }
    let snapshot = try StoreSnapshot(reading: database, counting: true)
    problems += layout.differences(from: snapshot).map(\.description)
    for entity in hierarchy.numberedEntities {
      problems += try rowProblems(of: entity, snapshot)
      for attribute in entity.attributes where !attribute.isTransient && !attribute.isOptional {
        problems += try requiredProblems(attribute, of: entity, database)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        problems += try relationshipProblems(relationship, of: entity, database)
      }
    }
    return problems
  }

  private func rowProblems(of entity: EntityDescription, _ snapshot: StoreSnapshot) throws -> [String] {
    guard let table = layout.table(ofEntity: entity.name), let number = layout.number(of: entity.name) else {
      return ["\(entity.name) has no table"]
    }
    let count = snapshot.rowCounts[table.name]?[number] ?? 0
    var problems: [String] = []
    // Where links are required that there would be too few of, rows are fewer.
    let allowed = entity.isAbstract ? 0...0 : 1...max(1, rowsPerEntity)
    if !allowed.contains(count) { problems.append("\(entity.name) has \(count) rows") }
    let row = snapshot.entityRows.first { $0.name == entity.name }
    let wanted = entity.superentityName == nil ? snapshot.rowCounts[table.name]?.values.reduce(0, +) ?? 0 : 0
    if row?.maximumPrimaryKey != Int64(wanted) {
      problems.append("Z_MAX of \(entity.name) is \(row?.maximumPrimaryKey ?? -1)")
    }
    return problems
  }

  private func requiredProblems(
    _ attribute: AttributeDescription, of entity: EntityDescription, _ database: Database
  ) throws -> [String] {
    guard let table = layout.table(ofEntity: entity.name),
      let column = layout.column(ofAttribute: PropertyAddress(entity: entity.name, property: attribute.name))
    else { return [] }
    return try problems(
      "\(entity.name).\(attribute.name) is absent", database,
      "FROM \(SQLIdentifier(table.name)) WHERE \(SQLIdentifier(column.name)) IS NULL AND Z_ENT IN \(family(entity.name))"
    )
  }

  private func relationshipProblems(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ database: Database
  ) throws -> [String] {
    let address = PropertyAddress(entity: entity.name, property: relationship.name)
    guard let destination = relationship.destinationEntityName, let target = layout.table(ofEntity: destination),
      let storage = layout.storage(ofRelationship: address, in: hierarchy)
    else { return ["\(address) is stored nowhere"] }
    let name = "\(address)"
    switch storage {
    case .toOne(let table, let column, let entityColumn, let orderColumn):
      var problems = try referenceProblems(
        name, database, table: table, column: column, target: target.name, destination: destination)
      if let entityColumn {
        problems += try self.problems(
          "\(name) says a wrong entity", database,
          """
          FROM \(SQLIdentifier(table)) AS s LEFT JOIN \(SQLIdentifier(target.name)) AS t \
          ON t.Z_PK = s.\(SQLIdentifier(column)) WHERE s.\(SQLIdentifier(entityColumn)) IS NOT t.Z_ENT
          """)
      }
      if let orderColumn {
        problems += try orderProblems(name, database, table: table, parent: column, order: orderColumn)
      }
      return problems + (try inverseProblems(relationship, of: entity, table: table, column: column, database))
    case .inverseOfToOne: return []
    case .owner(let table, let column, let orderColumn):
      guard let source = layout.table(ofEntity: entity.name) else { return [] }
      var problems = try referenceProblems(
        name, database, table: table, column: column, target: source.name, destination: entity.name)
      if let orderColumn {
        problems += try orderProblems(name, database, table: table, parent: column, order: orderColumn)
      }
      return problems
    case .join(let table, let source, let other, _, let order):
      var problems = try referenceProblems(
        name, database, table: table, column: other, target: target.name, destination: destination)
      if let order { problems += try orderProblems(name, database, table: table, parent: source, order: order) }
      if rowsPerEntity > 2, try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(SQLIdentifier(table))") == 0,
        !hierarchy.family(of: entity.name).allSatisfy(\.isAbstract),
        !hierarchy.family(of: destination).allSatisfy(\.isAbstract)
      {
        problems.append("\(name) has no links")
      }
      if relationship.maxCount > 1 {
        problems += try self.problems(
          "\(name) has too many", database,
          "FROM (SELECT 1 FROM \(SQLIdentifier(table)) GROUP BY \(SQLIdentifier(source)) HAVING COUNT(*) > \(relationship.maxCount))"
        )
      }
      return problems
    }
  }

  private func referenceProblems(
    _ name: String, _ database: Database, table: String, column: String, target: String, destination: String
  ) throws -> [String] {
    try problems(
      "\(name) dangles", database,
      """
      FROM \(SQLIdentifier(table)) AS s WHERE s.\(SQLIdentifier(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 \
      FROM \(SQLIdentifier(target)) AS t WHERE t.Z_PK = s.\(SQLIdentifier(column)) AND t.Z_ENT IN \(family(destination)))
      """)
  }

  private func orderProblems(
    _ name: String, _ database: Database, table: String, parent: String, order: String
  ) throws -> [String] {
    let (parent, order) = (SQLIdentifier(parent), SQLIdentifier(order))
    return try problems(
      "\(name) is badly ordered", database,
      """
      FROM (SELECT 1 FROM \(SQLIdentifier(table)) WHERE \(parent) IS NOT NULL GROUP BY \(parent), \(order) \
      HAVING COUNT(*) > 1 OR \(order) IS NULL OR \(order) % 1024 <> 0)
      """)
  }

  private func inverseProblems(
    _ relationship: RelationshipDescription, of entity: EntityDescription, table: String, column: String,
    _ database: Database
  ) throws -> [String] {
    guard let destination = relationship.destinationEntityName else { return [] }
    let name = "\(entity.name).\(relationship.name)"
    let inverse = relationship.inverseName.flatMap { hierarchy.allRelationships(of: destination)[$0]?.property }
    let hasTargets = hierarchy.family(of: destination).contains { !$0.isAbstract } && rowsPerEntity > 0
    var problems: [String] = []
    if !relationship.isOptional, hasTargets, inverse?.isToMany != false {
      problems += try self.problems(
        "\(name) is absent", database,
        "FROM \(SQLIdentifier(table)) WHERE \(SQLIdentifier(column)) IS NULL AND Z_ENT IN \(family(entity.name))")
    }
    guard let inverse else { return problems }
    if inverse.isToMany, inverse.maxCount > 0, relationship.isOptional {
      problems += try self.problems(
        "\(destination).\(inverse.name) has too many", database,
        """
        FROM (SELECT 1 FROM \(SQLIdentifier(table)) WHERE \(SQLIdentifier(column)) IS NOT NULL \
        GROUP BY \(SQLIdentifier(column)) HAVING COUNT(*) > \(inverse.maxCount))
        """)
    }
    let back = PropertyAddress(entity: destination, property: inverse.name)
    if !inverse.isToMany,
      case .toOne(let other, let otherColumn, _, _)? = layout.storage(ofRelationship: back, in: hierarchy)
    {
      problems += try self.problems(
        "\(name) is not answered", database,
        """
        FROM \(SQLIdentifier(table)) AS s JOIN \(SQLIdentifier(other)) AS t ON t.Z_PK = s.\(SQLIdentifier(column)) \
        WHERE t.\(SQLIdentifier(otherColumn)) IS NOT s.Z_PK
        """)
    }
    return problems
  }

  private func problems(_ name: String, _ database: Database, _ clause: String) throws -> [String] {
    let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) \(clause)") ?? 0
    return count == 0 ? [] : ["\(name) \(count) times"]
  }

  private func family(_ entity: String) -> String {
    "(\(layout.numbers(ofFamily: entity).map(String.init).joined(separator: ", ")))"
  }
}
