import ModelDescription

/// The layouts that were computed last, so that who migrates, reads and checks one store lays its model out once.
enum LayoutMemory {
  /// A hierarchy by its identity; it is kept, so that no other has its identity meanwhile.
  struct Model: Equatable, Sendable {
    let hierarchy: EntityHierarchy

    static func == (first: Model, second: Model) -> Bool { first.hierarchy.identity == second.hierarchy.identity }
  }

  /// All that a layout follows from.
  private struct Key: Equatable {
    let model: Model
    let numbers: [SQLStoreLayout.EntityNumber]
    let names: SelfJoinNames
  }

  private static let walks = RecentValues<Model, ModelWalk>(capacity: 32)
  private static let layouts = RecentValues<Key, SQLStoreLayout>(capacity: 32)

  /// The walk over a model.
  static func walk(over hierarchy: EntityHierarchy) -> ModelWalk {
    walks.value(for: Model(hierarchy: hierarchy)) { ModelWalk(of: hierarchy) }
  }

  /// The layout of a model.
  static func layout(
    of hierarchy: EntityHierarchy, _ numbering: EntityNumbering, _ names: SelfJoinNames,
    make: (ModelWalk) -> SQLStoreLayout
  ) -> SQLStoreLayout {
    let walk = walk(over: hierarchy)
    let isNamed = walk.visits.contains { $0.ends.isSelfJoin }
    let key = Key(
      model: Model(hierarchy: hierarchy), numbers: numbering.rows, names: isNamed ? names : SelfJoinNames())
    return layouts.value(for: key) { make(walk) }
  }
}
