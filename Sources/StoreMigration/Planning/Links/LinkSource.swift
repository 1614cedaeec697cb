import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A source relationship whose links become those of a destination relationship.
struct LinkSource: Hashable {
  /// The source relationship.
  var address: PropertyAddress
  /// False when it is the inverse that has links, so that they are read the other way round.
  var isForward: Bool
}

extension PlanningContext {
  /// The source relationships that the links of a destination relationship come from.
  ///
  /// They are those its own mappings name; when none does, those of its inverse, which then had no inverse itself. A
  /// relationship that the store keeps nowhere has no links.
  func linkSources(of address: PropertyAddress) -> [LinkSource] {
    let own = sourceRelationships(of: address).map { LinkSource(address: $0, isForward: true) }
    guard own.isEmpty, let inverse = destination.inverse(of: address), inverse != address else { return own }
    return sourceRelationships(of: inverse).map { LinkSource(address: $0, isForward: false) }
  }

  private func sourceRelationships(of address: PropertyAddress) -> [PropertyAddress] {
    var addresses: [PropertyAddress] = []
    for entity in destination.hierarchy.family(of: address.entity) {
      guard let link = sourceRelationship(of: address.property, in: entity.name), !addresses.contains(link),
        source.linkStorage(of: link) != nil
      else { continue }
      addresses.append(link)
    }
    return addresses
  }

  /// True when something of this kind happens to a destination relationship's links on the way.
  func passes(_ address: PropertyAddress, _ event: KeyPath<RelationshipMapping, Bool>) -> Bool {
    destination.hierarchy.family(of: address.entity).contains { entity in
      mapping(of: entity.name)?.relationship(address.property)?[keyPath: event] ?? false
    }
  }

  /// Selects every link of a destination relationship from the source's tables: this end, the other end, the other's
  /// place in this one's order, this one's place in the other's order.
  ///
  /// - Parameters:
  ///   - links: where the links come from.
  ///   - isWhole: true to select also the links of rows that do not keep theirs.
  /// - Returns: the query, with the columns `near`, `far`, `place` and `inversePlace`.
  func linkQuery(_ links: [LinkSource], isWhole: Bool = false) -> SQLStatement {
    links.compactMap { link in
      source.linkQuery(along: link.address, isForward: link.isForward) { own, other in
        guard !isWhole else { return [] }
        let target = source.relationship(link.address)?.destinationEntityName
        return [
          exclusion(of: lostOwners(of: link.address), from: own, in: link.address.entity),
          target.flatMap { exclusion(of: lostTargets(of: link.address), from: other, in: $0) },
        ].compactMap { $0 }
      }
    }.joined(" UNION ")
  }

  /// Keeps the rows of entities with these numbers out of a column that refers to rows of an entity's table.
  private func exclusion(of numbers: [Int], from column: SQLStatement, in entity: String) -> SQLStatement? {
    guard let table = source.table(ofEntity: entity) else { return nil }
    let numbers = numbers.filter { mayHaveRows(ofNumber: $0, inTable: table.name) }
    guard !numbers.isEmpty else { return nil }
    return """
      \(column) NOT IN (SELECT \(name: "Z_PK") FROM \(name: table.name) \
      WHERE \(name: "Z_ENT") IN (\(.list(numbers))))
      """
  }
}
