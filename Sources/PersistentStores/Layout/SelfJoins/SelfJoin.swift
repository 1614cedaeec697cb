public import ModelDescription

/// A many-to-many pair with both ends on a single entity, and the relationship that names its join table.
public struct SelfJoin: Hashable, Sendable {
  /// The evidence for the name, with the strongest first.
  ///
  /// Core Data's rule is unknown. Each of 349 measured tables has its name by one of two orders (`VisitingOrder`). Of
  /// the 171 tables for which both orders agree, 170 have that name.
  public enum Evidence: Hashable, Sendable {
    /// A store that Core Data created, or a lock file with its names; the path of either.
    case reference(path: String)
    /// The store itself: its entity had the same properties before, and Core Data's names depend only on them.
    case store
    /// Both orders that were measured agree.
    case agreement
    /// The order that fits every measured store, if the two orders disagree.
    case guess
  }

  /// The relationship that names the table.
  public var naming: PropertyAddress
  /// The inverse, which could also name the table.
  public var other: PropertyAddress
  /// The table's name.
  public var table: String
  /// The name that the table has if the inverse names it.
  public var otherTable: String
  /// The evidence for the name.
  public var evidence: Evidence

  /// Creates a self-join.
  public init(naming: PropertyAddress, other: PropertyAddress, table: String, otherTable: String, evidence: Evidence) {
    (self.naming, self.other, self.table) = (naming, other, table)
    (self.otherTable, self.evidence) = (otherTable, evidence)
  }

  /// Both relationships as one text.
  public var pair: String { "\(naming)/\(other.property)" }
}

/// The known names of join tables with both ends on a single entity.
///
/// Core Data computes the name from the names of the entity's properties, so a known name applies to every entity with
/// the same properties.
public struct SelfJoinNames: Hashable, Sendable {
  private struct Pair: Hashable {
    let order: VisitingOrder
    let names: Set<String>
  }

  private struct Choice: Hashable {
    let naming: String
    let evidence: SelfJoin.Evidence
  }

  private var choices: [Pair: Choice] = [:]
  /// The version of Core Data that last wrote the store, on which the guess rests; nil for a new store.
  public var frameworkVersion: Int64?

  /// Creates an empty set of names.
  public init(frameworkVersion: Int64? = nil) { self.frameworkVersion = frameworkVersion }

  /// Collects the names from references and then from a store, for the migration of the store.
  ///
  /// - Parameters:
  ///   - isOfCoreData: true if Core Data named the store's tables.
  ///   - references: the evidence of other stores and lock files, with the strongest first.
  public init(
    of snapshot: StoreSnapshot, hierarchy: EntityHierarchy, frameworkVersion: Int64?, isOfCoreData: Bool,
    references: [JoinNameReference] = []
  ) {
    self.init(frameworkVersion: frameworkVersion)
    for reference in references { add(reference) }
    add(BoundLayout(of: hierarchy, to: snapshot, names: self), of: hierarchy, isOfCoreData: isOfCoreData)
  }

  /// Adds the names that a store has; known names are kept.
  ///
  /// - Parameter isOfCoreData: true if Core Data named the tables; if not, a guessed name is still a guess.
  public mutating func add(_ bound: BoundLayout, of hierarchy: EntityHierarchy, isOfCoreData: Bool) {
    let joins = bound.layout.selfJoins.filter { isOfCoreData || $0.evidence == .guess }
    add(Set(joins.map(\.naming)), of: hierarchy, as: isOfCoreData ? .store : .guess)
  }

  /// Adds the names of a reference; known names are kept.
  public mutating func add(_ reference: JoinNameReference) {
    add(reference.naming, of: reference.hierarchy, as: .reference(path: reference.path))
  }

  /// Adds the relationships that name join tables in stores of a model; known names are kept.
  ///
  /// - Parameter evidence: the evidence for the names.
  public mutating func add(
    _ naming: Set<PropertyAddress>, of hierarchy: EntityHierarchy, as evidence: SelfJoin.Evidence
  ) {
    for visit in LayoutCache.walk(over: hierarchy).visits where visit.ends.isSelfJoin {
      guard let inverse = visit.ends.inverse?.address else { continue }
      let pair = Pair(order: visit.order, names: [visit.ends.address.property, inverse.property])
      for end in [visit.ends.address, inverse] where naming.contains(end) && choices[pair] == nil {
        choices[pair] = Choice(naming: end.property, evidence: evidence)
      }
    }
  }

  /// The relationship of a pair that names its join table, and the evidence.
  func naming(_ visit: ModelWalk.Visit, inverse: PropertyAddress) -> (PropertyAddress, SelfJoin.Evidence) {
    let ends = [visit.ends.address, inverse]
    let pair = Pair(order: visit.order, names: Set(ends.map(\.property)))
    if let choice = choices[pair], let end = ends.first(where: { $0.property == choice.naming }) {
      return (end, choice.evidence)
    }
    let end = Self.last(of: ends, in: visit.order.names)
    let other = Self.last(of: ends, in: visit.order.otherNames)
    guard end != other else { return (end, .agreement) }
    let isEarly = (25...33).contains(visit.order.properties.count) && (frameworkVersion ?? .max) < 1132
    return (isEarly ? end : other, .guess)
  }

  /// The last visited one of two ends on a single entity, which names the table.
  private static func last(of ends: [PropertyAddress], in order: [String]) -> PropertyAddress {
    let named = order.last { name in ends.contains { $0.property == name } }
    return ends.first { $0.property == named } ?? ends[0]
  }
}
