import ModelDescription
import StoreRows

extension SavingGraph {
  /// Applies the delete rules of deleted objects, to the end of every cascade.
  ///
  /// Source: the manual of Core Data. Cascades come first, then references to the deleted objects are set to null, and
  /// then Deny is checked for the remaining objects.
  mutating func propagateDeletes() throws -> [SaveBlocker] {
    let deleted = try closure()
    for position in deleted {
      let object = objects[position]
      for relation in object.entity.relations where relation.inverse != nil {
        // Nothing may refer to an object that never was.
        guard relation.description.deleteRule == .nullify || object.isNew else { continue }
        for target in try destinations(relation, of: position) {
          guard let other = try self.position(of: target), !objects[other].isDeleted else { continue }
          try takeBack(relation, from: target, object.id)
        }
      }
    }
    var blockers: [SaveBlocker] = []
    for position in deleted where !objects[position].isNew {
      let object = objects[position]
      for relation in object.entity.relations where relation.description.deleteRule == .deny {
        let count = try destinations(relation, of: position).count { id in
          try self.position(of: id).map { !objects[$0].isDeleted } ?? false
        }
        guard count > 0 else { continue }
        blockers.append(SaveBlocker(.denied(count: count), object.id, isNew: false, property: relation.name))
      }
    }
    return blockers
  }

  /// The deleted objects and all objects that a cascade reaches, level by level, so that each level is read with few
  /// statements.
  private mutating func closure() throws -> [Int] {
    var all = objects.indices.filter { objects[$0].isDeleted }
    var level = all
    while !level.isEmpty {
      var lists: [(position: Int, relation: Relation)] = []
      for position in level {
        for relation in objects[position].entity.relations where relation.isToMany && relation.hasEffect {
          lists.append((position, relation))
        }
      }
      try prefetchLists(lists)
      var reached: [RecordID] = []
      var cascaded: [RecordID] = []
      for position in level {
        for relation in objects[position].entity.relations where relation.hasEffect {
          let found = try destinations(relation, of: position)
          reached += found
          if relation.description.deleteRule == .cascade { cascaded += found }
        }
      }
      try prefetch(reached)
      var next: [Int] = []
      for id in cascaded {
        guard let position = try position(of: id), !objects[position].isDeleted else { continue }
        markDeleted(position)
        next.append(position)
      }
      all += next
      level = next
    }
    return all
  }
}

extension SavingModel.Relation {
  /// True if deleting an object with this relationship affects the destination objects.
  fileprivate var hasEffect: Bool {
    switch description.deleteRule {
    case .cascade, .deny: true
    case .nullify: inverse != nil
    case .noAction: false
    }
  }
}
