import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension Deduplication {
  /// The questions for damage by removed duplicates that no option allows: required relationships that lose their
  /// object, and links that the remaining row cannot take.
  var checks: [PlanCheck] {
    references.flatMap { reference -> [PlanCheck] in
      guard case .toOne(let address) = reference.column.role, isOneToOne(address) else {
        return [misplaced(reference)].compactMap { $0 }
      }
      return owners(of: address).filter { !$0.isOptional }.map { owner in
        PlanCheck(
          blocker: .partnerRemoved(
            entity: owner.entity, relationship: owner.relationship, duplicate: reference.removal.entity),
          query: """
            SELECT \(name: "Z_PK") FROM \(name: reference.table.name) WHERE \(name: "Z_ENT") = \(.number(owner.number)) \
            AND \(isEmptied(reference)) ORDER BY \(name: "Z_PK")
            """)
      }
    }
  }

  /// The links that rows lose because their only partner is deleted as a duplicate.
  var losses: [PlannedLoss] {
    references.compactMap { reference in
      guard case .toOne(let address) = reference.column.role, isOneToOne(address) else { return nil }
      let owners = owners(of: address).filter(\.isOptional)
      guard let first = owners.first else { return nil }
      return PlannedLoss(
        loss: DataLoss(
          element: "\(first.entity).\(first.relationship)", kind: .linksDropped,
          cause: .duplicates(entity: reference.removal.entity)),
        countQuery: """
          SELECT COUNT(*) FROM \(name: reference.table.name) WHERE \(name: "Z_ENT") IN (\(.list(owners.map(\.number)))) \
          AND \(isEmptied(reference))
          """, isImplied: true)
    }
  }

  private typealias Reference = (table: SQLTable, column: SQLColumn, removal: Removal)

  /// Every column that may hold keys of rows that go.
  private var references: [Reference] {
    removals.flatMap { removal in
      context.source.layout.tables.flatMap { table in
        table.columns.filter { leads($0, into: removal) }.map { (table, $0, removal) }
      }
    }
  }

  /// The destination relationships that continue a source relationship, with the number of the rows that have it.
  private func owners(
    of address: PropertyAddress
  ) -> [(entity: String, relationship: String, isOptional: Bool, number: Int)] {
    context.source.hierarchy.family(of: address.entity).flatMap { member in
      guard let number = context.source.number(of: member.name), let name = context.destinationName(of: member.name),
        let mapping = context.mapping(of: name)
      else { return [(entity: String, relationship: String, isOptional: Bool, number: Int)]() }
      return mapping.relationships(continuing: address.property).map(\.name).compactMap { key in
        context.destination.hierarchy.allRelationships(of: name)[key].map {
          (name, key, $0.property.isOptional, number)
        }
      }
    }
  }

  /// Matches a row that is kept and whose only partner is deleted.
  private func isEmptied(_ reference: Reference) -> SQLStatement {
    let isEmptied: SQLStatement = "\(name: reference.column.name) IN (SELECT gone FROM (\(reference.removal.query)))"
    return ([isEmptied] + remains("Z_PK", of: reference.table.name)).joined(" AND ")
  }

  /// Holds for keys of a table's rows that go under no constraint.
  private func remains(_ column: String, of table: String) -> [SQLStatement] {
    removals.filter { $0.tables.contains(table) }.map { removal in
      "\(name: column) NOT IN (SELECT gone FROM (\(removal.query)))"
    }
  }

  /// Holds for links of rows that stay.
  private func isOfRemaining(_ reference: Reference) -> [SQLStatement] {
    switch reference.column.role {
    case .joinSource, .joinDestination:
      reference.table.columns.filter { $0.relationship != nil && $0.name != reference.column.name }.flatMap { other in
        let table = target(of: other).flatMap(context.source.table(ofEntity:))
        return table.map { remains(other.name, of: $0.name) } ?? []
      }
    default: remains("Z_PK", of: reference.table.name)
    }
  }

  /// Finds deleted rows whose links the kept row cannot have.
  private func misplaced(_ reference: Reference) -> PlanCheck? {
    guard let target = target(of: reference.column), let table = context.source.table(ofEntity: target),
      let address = reference.column.relationship
    else { return nil }
    let numbers = context.source.familyNumbers(of: target)
    guard !reference.removal.numbers.isSubset(of: numbers) else { return nil }
    return PlanCheck(
      blocker: .duplicateOfOtherEntity(reference.removal.entity, relationship: address, destination: target),
      query: """
        SELECT gone FROM (\(reference.removal.query)) WHERE gone IN (SELECT \(name: reference.column.name) \
        FROM \(name: reference.table.name) WHERE \((["TRUE"] + isOfRemaining(reference)).joined(" AND "))) AND stays IN (SELECT \(name: "Z_PK") FROM \(name: table.name) \
        WHERE \(name: "Z_ENT") NOT IN (\(.list(numbers)))) ORDER BY gone
        """)
  }
}

extension SQLColumn {
  /// The relationship whose links a column holds.
  fileprivate var relationship: PropertyAddress? {
    switch role {
    case .toOne(let address), .toManyOwner(let address), .joinSource(let address), .joinDestination(let address):
      address
    default: nil
    }
  }
}
