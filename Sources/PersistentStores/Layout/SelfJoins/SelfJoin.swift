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
  public init(
    naming: PropertyAddress, other: PropertyAddress, table: String, otherTable: String, evidence: Evidence
  ) {
    self.naming = naming
    self.other = other
    self.table = table
    self.otherTable = otherTable
    self.evidence = evidence
  }
}

extension SelfJoin {
  /// The two relationships, as one text.
  public var pair: String { "\(naming)/\(other.property)" }
}
