import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A source relationship whose links become those of a destination relationship.
struct LinkSource: Hashable {
  var address: PropertyAddress
  /// False if the inverse has the links, so that they are read in the opposite direction.
  var isForward: Bool
}

extension PlanningContext {
  /// The source relationships that the links of a destination relationship come from.
  ///
  /// They are those its own mappings name; when none does, those of its inverse, which then had no inverse itself. A
  /// relationship that the store keeps nowhere lacks links.
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

  /// True if a change of this kind affects a destination relationship's links on the path.
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

/// The source objects that a look-up asks for, and the mappings that may have carried them.
struct LinkLookUp {
  /// The position of the mapping whose expression it is.
  let mapping: Int
  /// The positions of the mappings whose objects are looked up.
  let found: Set<Int>
  let objects: ValueExpression

  /// True if they are all objects of one relationship, and not some that are chosen among them.
  var isWhole: Bool {
    switch objects {
    case .keyPath(let path, of: .variable("source")), .keyPath(let path, of: .selfObject): path.count == 1
    default: false
    }
  }

  /// The source relationships among whose objects they may be.
  var relationships: Set<String> {
    var paths = CarriedPaths()
    paths.add(objects)
    return paths.wholeProperties
  }
}

/// Links as the rows of a query, wherever they come from, for ``LinkWriter`` to write where the destination keeps them.
struct LinkQuery {
  /// The handling of a link that the query returns more than once, and of several links of a single row.
  enum Repetition {
    /// The first is written, by place and keys.
    case ignored
    /// They are written as one, with the lowest place.
    case grouped
  }

  /// The text after `FROM`.
  let rows: SQLStatement
  var near: SQLStatement = "near"
  var far: SQLStatement = "far"
  /// The far object's place among those of the near one, nil if it has none yet.
  var place: SQLStatement? = "place"
  /// The near object's place among those of the far one, nil if it has none yet.
  var inversePlace: SQLStatement? = "inversePlace"
  /// The entity numbers of the near objects, nil if the query gives no others.
  var nearNumbers: [Int]?
  let repetition: Repetition
  /// The maximum number of links.
  let count: Int
  /// The reason for writing them.
  let cause: PlanCause
}

/// Which source object leads to which other.
enum LinkOrigin: Hashable {
  /// The source object itself.
  case same
  /// A source relationship; when it is not forward, from its destination back.
  case relationship(PropertyAddress, isForward: Bool)
  /// A query of `near`, `far` and `place`; when it is not forward, from far to near.
  case query(SQLStatement, isForward: Bool)

  /// The same links from the other side.
  var turned: LinkOrigin {
    switch self {
    case .same: .same
    case .relationship(let address, let isForward): .relationship(address, isForward: !isForward)
    case .query(let query, let isForward): .query(query, isForward: !isForward)
    }
  }
}

extension StoreModel {
  /// The same links by the side of a relationship that is first by name, so that equal ones are known as equal.
  func canonical(_ origin: LinkOrigin) -> LinkOrigin {
    guard case .relationship(let address, let isForward) = origin, let inverse = inverse(of: address),
      linkStorage(of: inverse) != nil, self.inverse(of: inverse) == address
    else { return origin }
    if inverse == address { return .relationship(address, isForward: true) }
    return inverse.description < address.description ? .relationship(inverse, isForward: !isForward) : origin
  }

  /// Selects the links of an origin from objects of a table: `near`, `far`, and the place of each in the other's order
  /// where there is one.
  func links(from origin: LinkOrigin, table: SQLTable) -> SQLStatement {
    switch origin {
    case .same:
      return """
        SELECT \(name: "Z_PK") AS near, \(name: "Z_PK") AS far, NULL AS place, NULL AS inversePlace \
        FROM \(name: table.name)
        """
    case .query(let query, let isForward):
      return isForward
        ? "SELECT near, far, place, NULL AS inversePlace FROM (\(query))"
        : "SELECT far AS near, near AS far, NULL AS place, place AS inversePlace FROM (\(query))"
    case .relationship(let address, let isForward):
      return linkQuery(along: address, isForward: isForward)
        ?? "SELECT NULL AS near, NULL AS far, NULL AS place, NULL AS inversePlace WHERE 0"
    }
  }
}
