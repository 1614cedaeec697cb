import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Finds blockers between the objects of a bulk insertion: SQL selects rows, and ``RecordValidation`` checks them.
struct BulkChecks {
  typealias Relation = SavingModel.Relation

  private let rows: BulkRows
  private let model: SavingModel
  private let limit: Int
  private let expressions = RegularExpressions()

  private var store: StoreModel { rows.reading.store }

  init(_ reading: RecordReading, _ model: SavingModel, limit: Int) {
    (rows, self.model, self.limit) = (BulkRows(reading, model), model, limit)
  }

  func run() throws -> [SaveBlocker] {
    var blockers: [SaveBlocker] = []
    for relation in rows.relations {
      blockers += try relation.isToMany ? counts(relation) : links(relation) + missing(relation)
    }
    for entity in model.hierarchy.model.entities.sorted(by: { $0.name < $1.name }) {
      for properties in entity.uniquenessConstraints where !properties.isEmpty {
        blockers += try collisions(of: entity.name, properties)
      }
    }
    return blockers
  }

  // MARK: Relationships

  /// Checks to-one relationships for dangling links; a link to an existing object gets the entity of that object.
  private func links(_ relation: Relation) throws -> [SaveBlocker] {
    guard case .toOne(let table, let column, let number, _)? = storage(of: relation),
      let other = store.table(ofEntity: relation.destination)?.name
    else { return [] }
    let family: SQLStatement = .list(store.familyNumbers(of: relation.owner))
    let usual = store.number(of: relation.destination) ?? 0
    let named: SQLStatement =
      number.map { "own.\(name: $0) NOT IN (\(.number(usual)), other.Z_ENT)" } ?? "0"
    let said: SQLStatement = number.map { "own.\(name: $0)" } ?? "NULL"
    let found = try rows.blockers(
      """
      SELECT own.Z_ENT, own.Z_PK, own.\(name: column), other.Z_ENT, \(said) FROM \(name: table) AS own
      LEFT JOIN \(name: other) AS other ON other.Z_PK = own.\(name: column)
      WHERE own.\(name: column) IS NOT NULL AND own.Z_ENT IN (\(family)) AND (other.Z_PK IS NULL
      OR other.Z_ENT NOT IN (\(.list(store.familyNumbers(of: relation.destination)))) OR \(named))
      LIMIT \(.number(limit))
      """
    ) { object, row in rows.dangling(relation, object, row) }
    if let number {
      let sql: SQLStatement = """
        UPDATE \(name: table) SET \(name: number) = (SELECT Z_ENT FROM \(name: other) AS other
        WHERE other.Z_PK = \(name: table).\(name: column))
        WHERE \(name: column) IS NOT NULL AND Z_ENT IN (\(family))
        """
      try sql.execute(in: rows.reading.database)
    }
    return found
  }

  private func missing(_ relation: Relation) throws -> [SaveBlocker] {
    guard case .toOne(let table, let column, _, _)? = storage(of: relation) else { return [] }
    let strict = entities(having: relation) { !$0.description.isOptional }
    guard !strict.isEmpty else { return [] }
    return try rows.blockers(
      """
      SELECT Z_ENT, Z_PK FROM \(name: table) WHERE \(name: column) IS NULL AND Z_ENT IN (\(.list(strict)))
      LIMIT \(.number(limit))
      """
    ) { object, _ in judged(relation, object) { $0.check($1, toOne: .null) } }
  }

  private func counts(_ relation: Relation) throws -> [SaveBlocker] {
    let counted = entities(having: relation, \.isCounted)
    guard !counted.isEmpty, let table = store.table(ofEntity: relation.owner)?.name,
      let links = store.linkQuery(along: relation.address, isForward: true)
    else { return [] }
    return try rows.blockers(
      """
      SELECT own.Z_ENT, own.Z_PK, IFNULL(counted.number, 0) FROM \(name: table) AS own
      LEFT JOIN (SELECT near, COUNT(*) AS number FROM (\(links)) GROUP BY near) AS counted ON counted.near = own.Z_PK
      WHERE own.Z_ENT IN (\(.list(counted))) AND \(isOdd(relation))
      LIMIT \(.number(limit))
      """
    ) { object, row in
      judged(relation, object) { $0.check($1, count: Int.fromDatabaseValue(row[2]) ?? 0) }
    }
  }

  /// Selects the objects that break the rule of their own entity, because subentities may have other rules.
  private func isOdd(_ relation: Relation) -> SQLStatement {
    var entities: [RelationshipDescription.Counts: [Int]] = [:]
    for entity in model.hierarchy.family(of: relation.owner) {
      guard let counts = model.entity(entity.name)?.relationsByName[relation.name]?.description.counts,
        counts.isLimited,
        let number = store.number(of: entity.name)
      else { continue }
      entities[counts, default: []].append(number)
    }
    let breaches = entities.sorted { $0.value[0] < $1.value[0] }.map { counts, numbers -> SQLStatement in
      let present: SQLStatement = counts.allowsNone ? "counted.number IS NOT NULL AND " : ""
      let few: SQLStatement = "\(present)IFNULL(counted.number, 0) < \(.number(counts.least))"
      let many: SQLStatement = counts.most.map { " OR counted.number > \(.number($0))" } ?? ""
      return "own.Z_ENT IN (\(.list(numbers))) AND (\(few)\(many))"
    }
    return "(\(breaches.joined(" OR ")))"
  }

  private func entities(having relation: Relation, _ rule: (Relation) -> Bool) -> [Int] {
    model.hierarchy.family(of: relation.owner).compactMap { entity in
      guard let own = model.entity(entity.name)?.relationsByName[relation.name], rule(own) else { return nil }
      return store.number(of: entity.name)
    }
  }

  private func judged(
    _ relation: Relation, _ object: RecordID, _ judge: (inout RecordValidation, Relation) -> Void
  ) -> [SaveBlocker] {
    guard let entity = model.entity(object.entity), let own = entity.relationsByName[relation.name] else { return [] }
    var validation = RecordValidation(entity, object, isNew: true, expressions: expressions)
    judge(&validation, own)
    return validation.blockers
  }

  private func storage(of relation: Relation) -> RelationshipStorage? {
    store.layout.storage(ofRelationship: relation.address, in: store.hierarchy)
  }

  // MARK: Uniqueness

  /// Finds objects with the same values as an object with a lower key.
  private func collisions(of entity: String, _ properties: [String]) throws -> [SaveBlocker] {
    guard let table = store.table(ofEntity: entity)?.name else { return [] }
    let columns = properties.compactMap { name -> String? in
      if let address = store.address(ofAttribute: name, in: entity) {
        return store.place(.attribute(address))?.column.name
      }
      return store.address(ofRelationship: name, in: entity).flatMap { store.place(.toOne($0))?.column.name }
    }
    guard columns.count == properties.count else { return [] }
    let family: SQLStatement = .list(store.familyNumbers(of: entity))
    let isThere = columns.map { "\(name: $0) IS NOT NULL" as SQLStatement }.joined(" AND ")
    let isSame = columns.map { "own.\(name: $0) = first.\(name: $0)" as SQLStatement }.joined(" AND ")
    return try rows.blockers(
      """
      SELECT own.Z_ENT, own.Z_PK, other.Z_PK, other.Z_ENT FROM (
      SELECT \(.names(columns)), MIN(Z_PK) AS other FROM \(name: table) WHERE \(isThere) AND Z_ENT IN (\(family))
      GROUP BY \(.names(columns)) HAVING COUNT(*) > 1) AS first
      JOIN \(name: table) AS own ON \(isSame) AND own.Z_PK <> first.other AND own.Z_ENT IN (\(family))
      JOIN \(name: table) AS other ON other.Z_PK = first.other
      LIMIT \(.number(limit))
      """
    ) { object, row in
      guard let other = rows.id(entity: row[3], key: row[2]) else { return [] }
      return [
        SaveBlocker(
          .notUnique(properties, other: other), object, isNew: true,
          property: properties.count == 1 ? properties.first : nil)
      ]
    }
  }
}
