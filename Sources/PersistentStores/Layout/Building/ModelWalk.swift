import ModelDescription

/// The walk over a model in which Core Data names join tables and orders the columns of ordered relationships.
///
/// All entities are visited by name, whatever their parent, and in each its relationships, inherited ones included, in
/// the order of `VisitingOrder.names`, as measured stores that Core Data wrote show it.
struct ModelWalk {
  /// A to-many relationship where it is visited first.
  struct Visit {
    let ends: RelationshipEnds
    /// The order of the entity under which it is visited.
    let order: VisitingOrder
  }

  /// Every stored to-many relationship once.
  let visits: [Visit]
  /// The position of each among them.
  let positions: [PropertyAddress: Int]

  /// Walks over a model.
  init(of hierarchy: EntityHierarchy) {
    var visits: [Visit] = []
    var positions: [PropertyAddress: Int] = [:]
    for entity in hierarchy.entitiesByName {
      let relationships = hierarchy.allRelationships(of: entity.name)
      guard relationships.values.contains(where: \.property.isToMany) else { continue }
      let order = VisitingOrder(of: entity.name, in: hierarchy)
      for name in order.names {
        guard let declared = relationships[name], declared.property.isToMany,
          let ends = RelationshipEnds(declared.property, declaredBy: declared.entity.name, in: hierarchy),
          positions[ends.address] == nil
        else { continue }
        positions[ends.address] = visits.count
        visits.append(Visit(ends: ends, order: order))
      }
    }
    self.visits = visits
    self.positions = positions
  }
}
