public import ModelDescription

/// A many-to-many pair with both ends on one entity, and which of the two relationships names its join table.
public struct SelfJoin: Hashable, Sendable {
  /// What the choice rests on, the surest first.
  ///
  /// Core Data's rule is not known. Of 349 measured tables each has its name by one of two orders (`VisitingOrder`); of the
  /// 171 about which both agree, 170 have that name.
  public enum Evidence: Hashable, Sendable {
    /// A store that Core Data made, or the lock file that its names were written to; the path of either.
    case reference(path: String)
    /// The store itself: its entity had the same properties before, and Core Data makes the same of them.
    case store
    /// Both orders that were measured agree.
    case agreement
    /// The order that fits every store that was measured, where the two disagree.
    case guess
  }

  /// The relationship that names the table.
  public var naming: PropertyAddress
  /// Its inverse, which would name the table otherwise.
  public var other: PropertyAddress
  /// The table's name.
  public var table: String
  /// The name that the table would have otherwise.
  public var otherTable: String
  /// What the choice rests on.
  public var evidence: Evidence

  /// Makes a self-join.
  public init(naming: PropertyAddress, other: PropertyAddress, table: String, otherTable: String, evidence: Evidence) {
    (self.naming, self.other, self.table) = (naming, other, table)
    (self.otherTable, self.evidence) = (otherTable, evidence)
  }

  /// The two relationships, as one text.
  public var pair: String { "\(naming)/\(other.property)" }
}

/// What is known of the names of join tables with both ends on one entity.
///
/// Core Data computes such a name from the names of the entity's properties, so that a name seen once holds for every
/// entity with the same ones.
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

  /// Knows nothing yet.
  public init(frameworkVersion: Int64? = nil) { self.frameworkVersion = frameworkVersion }

  /// Knows what references show and then what a store itself shows, for its migration.
  ///
  /// - Parameters:
  ///   - isOfCoreData: whether Core Data gave its tables their names.
  ///   - references: what other stores and lock files show, the surest first.
  public init(
    of snapshot: StoreSnapshot, hierarchy: EntityHierarchy, frameworkVersion: Int64?, isOfCoreData: Bool,
    references: [JoinNameReference] = []
  ) {
    self.init(frameworkVersion: frameworkVersion)
    for reference in references { add(reference) }
    add(BoundLayout(of: hierarchy, to: snapshot, names: self), of: hierarchy, isOfCoreData: isOfCoreData)
  }

  /// Adds the names that a store has; what is known already stays.
  ///
  /// - Parameter isOfCoreData: whether Core Data gave the names; a name that rests on a guess goes on being one
  ///   otherwise.
  public mutating func add(_ bound: BoundLayout, of hierarchy: EntityHierarchy, isOfCoreData: Bool) {
    let joins = bound.layout.selfJoins.filter { isOfCoreData || $0.evidence == .guess }
    add(Set(joins.map(\.naming)), of: hierarchy, as: isOfCoreData ? .store : .guess)
  }

  /// Adds what a reference shows; what is known already stays.
  public mutating func add(_ reference: JoinNameReference) {
    add(reference.naming, of: reference.hierarchy, as: .reference(path: reference.path))
  }

  /// Adds the relationships that name join tables in stores of a model; what is known already stays.
  ///
  /// - Parameter evidence: where they are known from.
  public mutating func add(
    _ naming: Set<PropertyAddress>, of hierarchy: EntityHierarchy, as evidence: SelfJoin.Evidence
  ) {
    for visit in LayoutMemory.walk(over: hierarchy).visits where visit.ends.isSelfJoin {
      guard let inverse = visit.ends.inverse?.address else { continue }
      let pair = Pair(order: visit.order, names: [visit.ends.address.property, inverse.property])
      for end in [visit.ends.address, inverse] where naming.contains(end) && choices[pair] == nil {
        choices[pair] = Choice(naming: end.property, evidence: evidence)
      }
    }
  }

  /// The relationship of a pair that names its join table, and what that rests on.
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

  /// Of two ends on one entity the one that is visited last names the table.
  private static func last(of ends: [PropertyAddress], in order: [String]) -> PropertyAddress {
    let named = order.last { name in ends.contains { $0.property == name } }
    return ends.first { $0.property == named } ?? ends[0]
  }
}
