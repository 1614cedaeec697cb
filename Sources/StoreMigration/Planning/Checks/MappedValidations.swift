import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The validations of Core Data when it saves the objects of a mapping model: mandatory values, counts, uniqueness.
///
/// The rows of every blocker are identified by their key in the destination.
struct MappedValidations {
  private(set) var checks: [PlanCheck] = []
  private let context: PlanningContext
  private let destination: StoreModel

  init(_ context: PlanningContext) {
    self.context = context
    destination = context.destination
    let all = destination.hierarchy.model.entities.map(\.name)
    let made = Set(context.hasCode ? all : context.entities.map(\.destination))
    for entity in destination.hierarchy.numberedEntities {
      if made.contains(entity.name) {
        if context.hasCode { checkAttributes(of: entity.name) }
        checkRelationships(of: entity.name)
      }
      let family = destination.hierarchy.family(of: entity.name).map(\.name)
      guard family.contains(where: made.contains) else { continue }
      for constraint in entity.uniquenessConstraints { checkUniqueness(constraint, of: entity.name) }
    }
  }

  private mutating func add(_ blocker: PlanCheck.Blocker, _ query: SQLStatement, isEnforced: Bool = false) {
    var check = PlanCheck(blocker: blocker, query: query)
    check.isEnforced = isEnforced
    checks.append(check)
  }

  private func makers(of entity: String) -> [String] {
    context.entities.filter { $0.destination == entity }.map(\.mapping.name)
  }

  /// The rows of exactly an entity that meet a condition, over `row` and what is joined to it.
  private func rows(of entity: String, _ joined: SQLStatement = "", where condition: SQLStatement) -> SQLStatement? {
    guard let table = destination.table(ofEntity: entity), let number = destination.number(of: entity) else {
      return nil
    }
    return """
      SELECT row.\(name: "Z_PK") FROM \(name: table.name) AS row\(joined) WHERE row.\(name: "Z_ENT") = \(.number(number)) \
      AND (\(condition)) ORDER BY row.\(name: "Z_PK")
      """
  }

  private mutating func checkAttributes(of entity: String) {
    for (_, path) in destination.mandatoryAttributes(of: entity) {
      guard
        let place = destination.address(ofAttribute: path, in: entity).flatMap({ destination.place(.attribute($0)) }),
        let query = rows(of: entity, where: "row.\(name: place.column.name) IS NULL")
      else { continue }
      add(.valueLeftOut(entity: entity, attribute: path, mappings: makers(of: entity)), query)
    }
  }

  private mutating func checkRelationships(of entity: String) {
    let relationships = destination.hierarchy.allRelationships(of: entity).sorted { $0.key < $1.key }
    for (name, declared) in relationships where !declared.property.isTransient {
      let address = PropertyAddress(entity: declared.entity.name, property: name)
      let relationship = declared.property
      guard let (count, joined) = count(of: address) else { continue }
      let rules = relationship.counts
      let isTooFew: SQLStatement = "\(count) < \(.number(rules.least))"
      if rules.least > 0,
        let query = rows(of: entity, joined, where: rules.allowsNone ? "\(count) > 0 AND \(isTooFew)" : isTooFew)
      {
        add(
          .tooFewLinks(
            entity: entity, relationship: name, minimum: rules.least, isStated: relationship.isToMany,
            mappings: makers(of: entity)), query)
      }
      if let most = rules.most, let query = rows(of: entity, joined, where: "\(count) > \(.number(most))") {
        add(.tooManyLinks(entity: entity, relationship: name, maximum: most, mappings: makers(of: entity)), query)
      }
    }
  }

  /// The number of objects at the other end of a relationship of `row`, and what is joined to count them: there is no
  /// index yet to look them up by.
  private func count(of address: PropertyAddress) -> (number: SQLStatement, joined: SQLStatement)? {
    let (table, column): (String, String)
    switch destination.linkStorage(of: address) {
    case .column(_, let column): return ("(row.\(name: column) IS NOT NULL)", "")
    case .foreignColumn(let name, let reference, _): (table, column) = (name, reference)
    case .join(let name, let near, _, _, _): (table, column) = (name, near)
    case nil: return nil
    }
    let counts: SQLStatement =
      "SELECT \(name: column) AS owner, COUNT(*) AS number FROM \(name: table) GROUP BY \(name: column)"
    return ("COALESCE(others.number, 0)", " LEFT JOIN (\(counts)) AS others ON others.owner = row.\(name: "Z_PK")")
  }

  private mutating func checkUniqueness(_ properties: [String], of entity: String) {
    let columns = properties.compactMap { property -> String? in
      let attribute = destination.address(ofAttribute: property, in: entity).flatMap {
        destination.place(.attribute($0))
      }
      let link = destination.address(ofRelationship: property, in: entity).flatMap { destination.place(.toOne($0)) }
      return (attribute ?? link)?.column.name
    }
    guard !columns.isEmpty, columns.count == properties.count, let table = destination.table(ofEntity: entity) else {
      return
    }
    let names = columns.map { "\(name: $0)" as SQLStatement }
    let present = names.map { "\($0) IS NOT NULL" as SQLStatement }.joined(" AND ")
    add(
      .notUnique(entity: entity, properties: properties),
      """
      SELECT \(name: "Z_PK") FROM (SELECT \(name: "Z_PK"), COUNT(*) OVER (PARTITION BY \(names.joined())) AS copies \
      FROM \(name: table.name) WHERE \(present)) WHERE copies > 1 ORDER BY \(name: "Z_PK")
      """,
      isEnforced: destination.layout.indexes.contains { index in
        index.isUnique && index.condition == nil && index.table == table.name && index.columns.map(\.name) == columns
      })
  }
}
