import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension PlanningContext {
  /// The questions behind the mapping's requirements, without those that the options answer.
  func checks() -> (asked: [PlanCheck], answered: [PlanCheck]) {
    let conditions = conditions()
    return (
      planChecks(conditions.filter { !isAnswered($0.requirement) }),
      planChecks(conditions.filter { isAnswered($0.requirement) })
    )
  }

  private func planChecks(_ conditions: [(requirement: MappingRequirement, query: SQLStatement)]) -> [PlanCheck] {
    conditions.map { PlanCheck(blocker: .requirement($0.requirement), query: $0.query) }
  }

  /// The mapping's requirements that rows can break, each with the question which rows do.
  func conditions() -> [(requirement: MappingRequirement, query: SQLStatement)] {
    requirementQueries().map { ($0.requirement, $0.query.statement) }
  }

  /// The same, each question about rows of an entity asking for those of its relatives that lack the same as well.
  func familyConditions() -> [(requirement: MappingRequirement, query: SQLStatement)] {
    let queries = requirementQueries()
    let families = Dictionary(grouping: queries.compactMap(\.query.conditionalRows), by: \.family)
      .mapValues { rows in rows[0].asked(of: rows.flatMap(\.numbers)).statement }
    return queries.map { requirement, query in
      (requirement, query.conditionalRows.flatMap { families[$0.family] } ?? query.statement)
    }
  }

  private func requirementQueries() -> [(requirement: MappingRequirement, query: RequirementQuery)] {
    requirements.compactMap { requirement in query(for: requirement).map { (requirement, $0) } }
  }

  /// The requirements of the mapping, including those that a missing unique index would guarantee.
  var requirements: [MappingRequirement] {
    let required = mapping.requirements(source: source.hierarchy, destination: destination.hierarchy)
    let constraints = source.hierarchy.numberedEntities.flatMap(\.uniquenessConstraints).filter { !$0.isEmpty }
    guard source.layout.indexes.filter(\.isUnique).count < constraints.count else { return required }
    let unguarded = destination.hierarchy.numberedEntities.flatMap { entity in
      entity.uniquenessConstraints.map { MappingRequirement.unique(entity: entity.name, properties: $0) }
    }
    return required + unguarded.filter { !required.contains($0) }
  }

  private func isAnswered(_ requirement: MappingRequirement) -> Bool {
    switch requirement {
    case .unique(let entity, _): options.duplicatePolicies[entity] != nil
    case .atMostOne(let entity, let relationship), .oneOwner(let entity, let relationship):
      destination.hierarchy.lineage(of: entity).contains { options.keepsFirst.contains("\($0.name).\(relationship)") }
    case .fits(let entity, let attribute, _): allowsConverting(attribute, of: entity)
    default: false
    }
  }

  /// True if changes of an attribute's unsuitable values are allowed, by the name of an entity that has the attribute.
  func allowsConverting(_ attribute: String, of entity: String) -> Bool {
    destination.hierarchy.lineage(of: entity).contains { options.allowedLosses.contains("\($0.name).\(attribute)") }
  }

  /// The same of an attribute of the objects that a custom mapping makes, which may state it by the source's name.
  func allowsConverting(_ attribute: String, of entity: MappedEntity) -> Bool {
    if allowsConverting(attribute, of: entity.destination) { return true }
    guard case .source(let path)? = entity.mapping.attribute(attribute)?.origin else { return false }
    let paths = [path, PropertyAddress.property(ofPath: path)]
    return mapping.drops(
      source.hierarchy.lineage(of: entity.source).flatMap { declared in paths.map { "\(declared.name).\($0)" } })
  }

  private func query(for requirement: MappingRequirement) -> RequirementQuery? {
    switch requirement {
    case .mandatoryAttribute(let entity, let attribute):
      guard let column = attributeColumn(attribute, of: entity) else { return nil }
      return rows(of: entity, where: "\(origin(of: column, for: entity).expression()) IS NULL")
    case .mandatoryRelationship(let entity, let relationship): return unlinkedRows(of: entity, relationship)
    case .fits(let entity, let attribute, _): return unfitRows(of: entity, attribute)
    case .noRowsOfAbstract(let entity): return rows(of: entity, where: nil)
    case .unique(let entity, let properties):
      guard let values = uniqueValues(of: entity, properties) else { return nil }
      return .other(
        """
        SELECT pk FROM (SELECT pk, COUNT(*) OVER (PARTITION BY \(values.keys)) AS copies FROM (\(values.query))) \
        WHERE copies > 1 ORDER BY pk
        """)
    case .atMostOne(let entity, let relationship):
      return repeatedLinks("near", of: entity, relationship).map(RequirementQuery.other)
    case .oneOwner(let entity, let relationship):
      return repeatedLinks("far", of: entity, relationship).map(RequirementQuery.other)
    }
  }

  /// Selects the rows at one side of a relationship that have several links.
  private func repeatedLinks(_ side: String, of entity: String, _ relationship: String) -> SQLStatement? {
    guard let address = destination.address(ofRelationship: relationship, in: entity) else { return nil }
    let links = linkSources(of: address)
    guard !links.isEmpty else { return nil }
    return """
      SELECT \(name: side) FROM (\(linkQuery(links))) GROUP BY \(name: side) HAVING COUNT(*) > 1 \
      ORDER BY \(name: side)
      """
  }

  /// Selects the rows that become one of exactly this entity.
  private func rows(of entity: String, where condition: SQLStatement?) -> RequirementQuery? {
    guard let name = mapping(of: entity)?.source, let table = source.table(ofEntity: name),
      let number = source.number(of: name)
    else { return nil }
    return .rows(RequirementQuery.EntityRows(table: table.name, numbers: [number], condition: condition))
  }

  private func attributeColumn(_ path: String, of entity: String) -> SQLColumn? {
    destination.address(ofAttribute: path, in: entity).flatMap { destination.place(.attribute($0)) }?.column
  }

  private func unlinkedRows(of entity: String, _ relationship: String) -> RequirementQuery? {
    guard let address = destination.address(ofRelationship: relationship, in: entity),
      let column = destination.place(.toOne(address))?.column
    else { return nil }
    let origin = origin(of: column, for: entity)
    guard origin.base == .later else {
      let value = origin.expression()
      var condition: SQLStatement = "\(value) IS NULL"
      if let sourceAddress = sourceRelationship(of: relationship, in: entity) {
        let lost = lostTargets(of: sourceAddress)
        if !lost.isEmpty, let target = source.relationship(sourceAddress)?.destinationEntityName,
          let table = source.table(ofEntity: target)
        {
          let gone: SQLStatement =
            "SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(lost)))"
          condition = "\(condition) OR \(value) IN (\(gone))"
        }
      }
      return rows(of: entity, where: condition)
    }
    let links = limitedLinkQuery(address)
    return rows(of: entity, where: "\(name: "Z_PK") NOT IN (SELECT \(name: "near") FROM (\(links)))")
  }

  /// Selects the rows whose value one of the conversions does not keep.
  private func unfitRows(of entity: String, _ attribute: String) -> RequirementQuery? {
    guard let column = attributeColumn(attribute, of: entity) else { return nil }
    let origin = origin(of: column, for: entity)
    guard case .column(let name) = origin.base,
      let lost = mapping(of: entity)?.attribute(attribute)?.loses("\(name: name)")
    else { return nil }
    return rows(of: entity, where: lost)
  }

  /// The values under a uniqueness constraint of every row that has all of them: key columns and the query that selects
  /// them beside `pk`.
  func uniqueValues(of entity: String, _ properties: [String]) -> (keys: SQLStatement, query: SQLStatement)? {
    let keys = properties.indices.map { "value\($0)" }
    var parts: [SQLStatement] = []
    for member in destination.hierarchy.family(of: entity) {
      guard let name = mapping(of: member.name)?.source, let table = source.table(ofEntity: name),
        let number = source.number(of: name)
      else { continue }
      let values = properties.map { property in
        uniqueColumn(property, of: member.name).map { origin(of: $0, for: member.name).expression() } ?? "NULL"
      }
      let columns = zip(values, keys).map { "\($0) AS \(name: $1)" as SQLStatement }
      parts.append(
        """
        SELECT \(name: "Z_PK") AS pk, \(columns.joined()) FROM \(name: table.name) \
        WHERE \(name: "Z_ENT") = \(.number(number))
        """)
    }
    guard !parts.isEmpty else { return nil }
    let present = keys.map { "\(name: $0) IS NOT NULL" as SQLStatement }.joined(" AND ")
    return (.names(keys), "SELECT * FROM (\(parts.joined(" UNION ALL "))) WHERE \(present)")
  }

  private func uniqueColumn(_ property: String, of entity: String) -> SQLColumn? {
    attributeColumn(property, of: entity)
      ?? destination.address(ofRelationship: property, in: entity).flatMap { destination.place(.toOne($0)) }?.column
  }
}

extension AttributeMapping {
  /// A condition that holds for source values of which one of the conversions does not keep the value, nil if all do.
  func loses(_ column: SQLStatement) -> SQLStatement? {
    var value = column
    var conditions: [SQLStatement] = []
    for step in steps {
      if case .convert(let from, let to) = step {
        let lost = ValueConversion(from: from, to: to).loses(value)
        if let lost { conditions.append("\(value) IS NOT NULL AND (\(lost))") }
      }
      if step.changesStoredValue { value = step.applied(to: value) }
    }
    return conditions.isEmpty ? nil : conditions.map { "(\($0))" }.joined(" OR ")
  }
}

/// The question which rows break a requirement.
enum RequirementQuery {
  case rows(EntityRows)
  case other(SQLStatement)

  /// The rows of some entities of a single table, those that meet a condition where there is one.
  struct EntityRows {
    /// The properties that entities must share to be checked by one query.
    struct Family: Hashable {
      let table: String
      let condition: SQLStatement?
    }

    let table: String
    let numbers: [Int]
    let condition: SQLStatement?

    var family: Family { Family(table: table, condition: condition) }

    func asked(of numbers: [Int]) -> Self { Self(table: table, numbers: Set(numbers).sorted(), condition: condition) }

    var statement: SQLStatement {
      let entities: SQLStatement = numbers.count == 1 ? "= \(.number(numbers[0]))" : "IN (\(.list(numbers)))"
      let more: SQLStatement = condition.map { " AND (\($0))" } ?? ""
      return """
        SELECT \(name: "Z_PK") FROM \(name: table) WHERE \(name: "Z_ENT") \(entities)\(more) ORDER BY \(name: "Z_PK")
        """
    }
  }

  /// The rows of entities that meet a condition, nil if every row is meant.
  var conditionalRows: EntityRows? { if case .rows(let rows) = self, rows.condition != nil { rows } else { nil } }

  var statement: SQLStatement {
    switch self {
    case .rows(let rows): rows.statement
    case .other(let statement): statement
    }
  }
}
