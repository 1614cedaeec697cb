import PersistentStores

extension PlanReport {
  /// A join table with both ends on one entity, and what its name rests on.
  public struct JoinTable: Encodable, Hashable, Sendable {
    /// The relationship that names it.
    public let naming: String
    /// Its inverse.
    public let inverse: String
    /// The table's name.
    public let table: String
    /// The name it would have after the inverse.
    public let otherTable: String
    /// `reference`, `store`, `agreement` or `guess`, the surest first.
    public let evidence: String
    /// The store or lock file that shows the name, nil when there is none.
    public let reference: String?

    init(_ join: SelfJoin) {
      (naming, inverse) = (join.naming.description, join.other.description)
      (table, otherTable) = (join.table, join.otherTable)
      switch join.evidence {
      case .reference(let path): (evidence, reference) = ("reference", path)
      case .store: (evidence, reference) = ("store", nil)
      case .agreement: (evidence, reference) = ("agreement", nil)
      case .guess: (evidence, reference) = ("guess", nil)
      }
    }
  }
}
