import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// How the links of every pair of relationships are written.
///
/// Most are copied, renumbered where keys change: their columns are filled while the objects are made, and join tables by
/// one statement a pair of mappings. Where a row could have several candidates, or places have to be found, links are
/// first gathered in a temporary table; so are all while policies in code may link objects too.
struct LinkPlanning {
  /// The columns that are filled while the objects of a mapping are made, by its position.
  private(set) var columns: [Int: [(column: String, value: SQLStatement)]] = [:]
  /// The temporary tables of gathered links.
  private(set) var tables: [PlanStep] = []
  /// The table of every pair whose links are gathered.
  private(set) var gathered: [(pair: LinkPair, table: String)] = []
  /// The steps to run when all objects exist.
  private(set) var steps: [PlanStep] = []
  /// The columns of references that are copied as they are.
  private(set) var copied: [CopiedReferences] = []
  /// The requirements for the links.
  private(set) var checks: [PlanCheck] = []

  init(_ gathering: LinkGathering, in context: PlanningContext) {
    for (position, (pair, atoms)) in gathering.pairs.enumerated() where !atoms.isEmpty || context.hasCode {
      let subject = context.subject(ofLinks: pair.address)
      if !context.hasCode, let direct = DirectLinks(pair, atoms, in: context) {
        for (mapping, values) in direct.columns { columns[mapping, default: []] += values }
        steps += direct.steps.about(subject)
        copied += direct.copied
      } else {
        let links = GatheredLinks(pair, atoms, table: TemporaryName.gatheredLinks(position), in: context)
        gathered.append((pair, links.name))
        tables += links.tables.about(subject)
        steps += links.steps.about(subject)
        checks += links.checks
      }
    }
  }
}

/// Which of several links the options let a migration keep.
struct LinkLimits: Hashable {
  /// True if a row keeps the first of its links.
  var isNearLimited = false
  /// True if a row keeps the first link that leads to it.
  var isFarLimited = false

  var isEmpty: Bool { !isNearLimited && !isFarLimited }
}

extension PlanningContext {
  /// The limits of a destination relationship's links.
  func limits(of address: PropertyAddress) -> LinkLimits {
    guard !options.keepsFirst.isEmpty else { return LinkLimits() }
    let inverse = destination.inverse(of: address)
    return LinkLimits(
      isNearLimited: keepsOne(address), isFarLimited: inverse.map(keepsOne) ?? false || keepsOneOwner(address))
  }

  private func keepsOne(_ address: PropertyAddress) -> Bool {
    guard keepsFirst(of: address), let relationship = destination.relationship(address) else { return false }
    return !relationship.isToMany || passes(address, \.holdsOneOnTheWay)
  }

  private func keepsOneOwner(_ address: PropertyAddress) -> Bool {
    guard keepsFirst(of: address), let relationship = destination.relationship(address), relationship.isToMany else {
      return false
    }
    return destination.inverse(of: address) == nil || passes(address, \.hasOneOwnerOnTheWay)
  }

  /// True if the options name a relationship by its entity, by one above it or by one below it.
  func keepsFirst(of address: PropertyAddress) -> Bool {
    let family = destination.hierarchy.family(of: address.entity).map(\.name)
    return family.contains { options.keepsFirst.contains("\($0).\(address.property)") }
  }

  /// Selects the links of a destination relationship, of which a limited side keeps the first by its order.
  ///
  /// Both sides of a relationship are limited in the same order, so that they come out with the same links.
  func limitedLinkQuery(_ address: PropertyAddress) -> SQLStatement {
    let query = linkQuery(linkSources(of: address))
    let limits = limits(of: address)
    let near: (SQLStatement) -> SQLStatement = {
      limits.isNearLimited ? first(of: $0, by: "near", in: "\(name: "place"), \(name: "far")") : $0
    }
    let far: (SQLStatement) -> SQLStatement = {
      limits.isFarLimited ? first(of: $0, by: "far", in: "\(name: "inversePlace"), \(name: "near")") : $0
    }
    let isCanonical = destination.inverse(of: address).map { address.description <= $0.description } ?? true
    return isCanonical ? far(near(query)) : near(far(query))
  }

  private func first(of query: SQLStatement, by side: String, in order: SQLStatement) -> SQLStatement {
    """
    SELECT near, far, place, inversePlace FROM (SELECT *, row_number() OVER (PARTITION BY \(name: side) \
    ORDER BY \(order)) AS rank FROM (\(query))) WHERE rank = 1
    """
  }
}
