public import ModelDescription

/// The layout of a model as one store really has it: its entity numbers and its names.
///
/// Core Data's migrations leave stores with another join table name, numeric suffix or index name than a fresh store
/// has; whoever reads or migrates a store uses these names and not the predicted ones.
public struct BoundLayout: Hashable, Sendable {
  /// The layout with the store's numbers and names; tables and columns that the store lacks are not in it.
  public let layout: SQLStoreLayout
  /// Where the store deviates from a fresh one, in the order of the layout.
  public let deviations: [LayoutDifference]

  /// Binds the layout of a model to a store.
  ///
  /// - Parameters:
  ///   - hierarchy: the model the store was written with.
  ///   - snapshot: what the store holds.
  ///   - names: what is known of the names of join tables with both ends on one entity; the store's own hold.
  public init(of hierarchy: EntityHierarchy, to snapshot: StoreSnapshot, names: SelfJoinNames = SelfJoinNames()) {
    var binding = LayoutBinding(snapshot: snapshot)
    let numbers = binding.numbers(of: hierarchy, in: snapshot)
    let fresh = SQLStoreLayout(of: hierarchy, entityNumbers: numbers, names: names)
    var layout = fresh
    layout.tables = fresh.tables.compactMap { table in
      switch table.content {
      case .hierarchy: binding.bind(table)
      case .join(let naming):
        binding.bind(join: table, naming: naming, inverse: hierarchy.inverse(of: naming), numbers: numbers)
      }
    }
    layout.indexes = fresh.indexes.compactMap { binding.bind($0) }
    layout.triggers = fresh.triggers.filter { binding.has($0) }
    layout.spatialIndexes = fresh.spatialIndexes.filter { binding.has($0) }
    let naming = Set(layout.tables.compactMap { if case .join(let naming) = $0.content { naming } else { nil } })
    layout.selfJoins = fresh.selfJoins.compactMap { $0.bound(to: naming) }
    layout.warnings.removeAll { if case .selfJoinName = $0 { true } else { false } }
    self.layout = layout
    self.deviations = binding.deviations
  }
}

extension SelfJoin {
  /// The pair with the relationship that names its table in a store; nil when the store has no such table.
  fileprivate func bound(to naming: Set<PropertyAddress>) -> SelfJoin? {
    if naming.contains(self.naming) { return self }
    guard naming.contains(other) else { return nil }
    return SelfJoin(naming: other, other: self.naming, table: otherTable, otherTable: table, evidence: .guess)
  }
}

extension EntityHierarchy {
  /// The inverse of a relationship by its declaring entity.
  func inverse(of address: PropertyAddress) -> PropertyAddress? {
    entity(named: address.entity)?.relationships.first { $0.name == address.property }
      .flatMap { RelationshipEnds($0, declaredBy: address.entity, in: self) }?.inverse?.address
  }
}
