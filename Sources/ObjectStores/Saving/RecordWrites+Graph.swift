import ModelDescription
import PersistentStores
import StoreRows

extension RecordWrites {
  /// The rows of a graph that was changed and found to be in order.
  init<Source>(_ graph: SavingGraph<Source>, _ touched: [Int]) throws {
    self.init()
    var incoming: [RecordID: Set<PropertyAddress>] = [:]
    for position in touched {
      let object = graph.objects[position]
      let changed = object.isNew ? [] : object.changed
      let values = object.isNew ? object.after : object.after.filter { changed.contains($0.key) }
      var row = Row(id: object.id, version: object.before.map { $0.version ?? 0 }, values: values, changed: changed)
      if !object.isNew { row.before = values.keys.reduce(into: [:]) { $0[$1] = object.before?.values[$1] ?? .null } }
      if object.isNew { insertions.append(row) } else { updates.append(row) }
      for relation in object.entity.relations where relation.isToMany {
        guard let list = object.lists[relation.name], list.isChanged else { continue }
        if relation.isLinked { add(list, relation, of: object.id.key, graph) }
        if relation.description.isOrdered { place(list, relation, of: object.id.key) }
        guard relation.isOwned else { continue }
        for id in list.removed.union(list.added) { incoming[id, default: []].insert(relation.address) }
      }
    }
    remember(incoming, graph)
    for object in graph.objects where object.isDeleted {
      guard let before = object.before else { continue }
      deletions.append(before)
    }
    updates.sort { ($0.id.entity, $0.id.key) < ($1.id.entity, $1.id.key) }
    deletions.sort { ($0.id.entity, $0.id.key) < ($1.id.entity, $1.id.key) }
  }

  /// Marks a saved object as changed if a relationship without inverse points to it, because the column is in its row.
  private mutating func remember<Source>(_ incoming: [RecordID: Set<PropertyAddress>], _ graph: SavingGraph<Source>) {
    guard !incoming.isEmpty else { return }
    let positions = Dictionary(updates.enumerated().map { ($1.id, $0) }) { first, _ in first }
    for (id, relationships) in incoming {
      guard let object = graph.known(id), !object.isDeleted, let before = object.before else { continue }
      if let position = positions[object.id] {
        updates[position].incoming.formUnion(relationships)
      } else {
        var row = Row(id: object.id, version: before.version ?? 0, values: [:], changed: [])
        row.incoming = relationships
        updates.append(row)
      }
    }
  }

  private mutating func add<Source>(
    _ list: LinkList, _ relation: SavingModel.Relation, of near: Int64, _ graph: SavingGraph<Source>
  ) {
    // The rows of links go with the objects, whatever the delete rule.
    for id in list.added where graph.known(id)?.isDeleted != true {
      newLinks.insert(Link(relationship: relation.address, near: near, far: id.key))
    }
    for id in list.removed {
      oldLinks.insert(Link(relationship: relation.address, near: near, far: id.key))
    }
  }

  private mutating func place(_ list: LinkList, _ relation: SavingModel.Relation, of near: Int64) {
    let saved = Dictionary((list.before ?? []).map { ($0.id, $0.place) }) { first, _ in first }
    let members = list.members
    let places = OrderPositions.positions(for: members.map { saved[$0] ?? nil })
    for (id, place) in zip(members, places) where saved[id] != place {
      self.places.append(Place(relationship: relation.address, near: near, far: id.key, place: place))
    }
    for id in list.removed.sorted(by: { $0.key < $1.key }) where !relation.isLinked {
      self.places.append(Place(relationship: relation.address, near: near, far: id.key, place: nil))
    }
  }
}
