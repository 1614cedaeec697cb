import ModelDescription
import StoreRows

@testable import ObjectStores

/// What a save does, written down as slowly and plainly as can be: the whole graph in memory, every rule a scan of all of it.
struct ReferenceGraph {
  struct Problem: Hashable {
    let code: Int
    let object: RecordID
    let property: String?
  }

  let hierarchy: EntityHierarchy
  var values: [RecordID: [String: RecordValue]] = [:]
  var lists: [RecordID: [String: [RecordID]]] = [:]

  init(_ hierarchy: EntityHierarchy) { self.hierarchy = hierarchy }

  private func relationships(_ id: RecordID) -> [RelationshipDescription] {
    hierarchy.allRelationships(of: id.entity).values.map(\.property).sorted { $0.name < $1.name }
  }

  private func inverse(_ relationship: RelationshipDescription, at target: RecordID) -> RelationshipDescription? {
    relationship.inverseName.flatMap { hierarchy.allRelationships(of: target.entity)[$0]?.property }
  }

  private func ends(_ id: RecordID, _ relationship: RelationshipDescription) -> [RecordID] {
    if relationship.isToMany { return lists[id]?[relationship.name] ?? [] }
    if case .object(let target)? = values[id]?[relationship.name] { return [target] }
    return []
  }

  private mutating func cut(_ id: RecordID, _ relationship: RelationshipDescription, _ target: RecordID) {
    if relationship.isToMany {
      lists[id]?[relationship.name]?.removeAll { $0 == target }
    } else if ends(id, relationship) == [target] {
      values[id]?[relationship.name] = .null
    }
  }

  private mutating func unlink(_ id: RecordID, _ relationship: RelationshipDescription, _ target: RecordID) {
    cut(id, relationship, target)
    guard values[target] != nil, let inverse = inverse(relationship, at: target) else { return }
    cut(target, inverse, id)
  }

  private mutating func put(
    _ id: RecordID, _ relationship: RelationshipDescription, _ target: RecordID, at place: Int? = nil
  ) {
    if relationship.isToMany {
      var list = lists[id]?[relationship.name] ?? []
      if place != nil { list.removeAll { $0 == target } }
      if !list.contains(target) { list.insert(target, at: min(place ?? list.count, list.count)) }
      lists[id, default: [:]][relationship.name] = list
    } else {
      values[id]?[relationship.name] = .object(target)
    }
  }

  private mutating func link(
    _ id: RecordID, _ relationship: RelationshipDescription, _ target: RecordID, at place: Int? = nil
  ) {
    let inverse = inverse(relationship, at: target)
    if !relationship.isToMany {
      for before in ends(id, relationship) where before != target { unlink(id, relationship, before) }
    }
    if let inverse, !inverse.isToMany {
      for before in ends(target, inverse) where before != id {
        unlink(before, relationship, target)
        cut(target, inverse, before)
      }
    }
    if relationship.isToMany, relationship.inverseName == nil {
      for other in values.keys
      where other != id && hierarchy.allRelationships(of: other.entity)[relationship.name] != nil {
        cut(other, relationship, target)
      }
    }
    put(id, relationship, target, at: place)
    if let inverse { put(target, inverse, id) }
  }

  // MARK: Changes

  mutating func apply(_ changes: RecordChanges) -> Set<Problem> {
    let before = self
    var gone: Set<RecordID> = []
    for operation in changes.operations {
      if case .insert(let id, let given) = operation {
        values[id] = [:]
        for attribute in hierarchy.allAttributes(of: id.entity).values.map(\.property) {
          values[id]?[attribute.name] =
            given[attribute.name] ?? attribute.defaultValue.map { .attribute($0) } ?? .null
        }
        for relationship in relationships(id) where !relationship.isToMany { values[id]?[relationship.name] = .null }
      }
    }
    for operation in changes.operations {
      switch operation {
      case .insert(let id, let given): set(given, of: id)
      case .update(let update):
        for (name, value) in update.values where hierarchy.allAttributes(of: update.id.entity)[name] != nil {
          values[update.id]?[name] = value
        }
        set(update.values, of: update.id)
        for relationship in relationships(update.id) {
          for edit in update.edits[relationship.name] ?? [] {
            switch edit {
            case .insert(let target, let place):
              link(update.id, relationship, target, at: relationship.isOrdered ? place : nil)
            case .remove(let target): unlink(update.id, relationship, target)
            }
          }
        }
      case .delete(let id, _): gone.insert(id)
      }
    }
    var grows = true
    while grows {
      grows = false
      for id in gone {
        for relationship in relationships(id) where relationship.deleteRule == .cascade {
          for target in ends(id, relationship) where values[target] != nil && gone.insert(target).inserted {
            grows = true
          }
        }
      }
    }
    // Deny is asked of what the deleted objects still have, before survivors let go of them.
    var problems: Set<Problem> = []
    for id in gone where before.values[id] != nil {
      for relationship in relationships(id) where relationship.deleteRule == .deny {
        let stays = ends(id, relationship).contains { values[$0] != nil && !gone.contains($0) }
        if stays { problems.insert(Problem(code: 1600, object: id, property: relationship.name)) }
      }
    }
    for survivor in values.keys where !gone.contains(survivor) {
      for relationship in relationships(survivor) {
        for target in ends(survivor, relationship) where gone.contains(target) {
          guard let rule = inverse(relationship, at: target),
            rule.deleteRule == .nullify || before.values[target] == nil,
            ends(target, rule).contains(survivor)
          else { continue }
          cut(survivor, relationship, target)
        }
      }
    }
    let touched = values.keys.filter { id in
      !gone.contains(id) && (values[id] != before.values[id] || isOther(lists[id] ?? [:], before.lists[id] ?? [:], id))
    }
    for id in touched { problems.formUnion(validate(id, before, gone)) }
    problems.formUnion(collisions(touched, before, gone))
    guard problems.isEmpty else {
      self = before
      return problems
    }
    for id in gone { (values[id], lists[id]) = (nil, nil) }
    for id in lists.keys {
      for name in (lists[id] ?? [:]).keys { lists[id]?[name]?.removeAll { gone.contains($0) } }
    }
    return []
  }

  private mutating func set(_ given: [String: RecordValue], of id: RecordID) {
    for relationship in relationships(id) {
      switch given[relationship.name] {
      case .null: for target in ends(id, relationship) { unlink(id, relationship, target) }
      case .object(let target): link(id, relationship, target)
      case .objects(let targets):
        for target in ends(id, relationship) where !targets.contains(target) { unlink(id, relationship, target) }
        for target in targets { link(id, relationship, target) }
        if relationship.isOrdered { lists[id, default: [:]][relationship.name] = targets }
      default: break
      }
    }
  }

  private func isOther(_ first: [String: [RecordID]], _ second: [String: [RecordID]], _ id: RecordID) -> Bool {
    relationships(id).contains { relationship in
      let (first, second) = (first[relationship.name] ?? [], second[relationship.name] ?? [])
      return relationship.isOrdered ? first != second : Set(first) != Set(second)
    }
  }

  // MARK: Rules

  private func validate(_ id: RecordID, _ before: ReferenceGraph, _ gone: Set<RecordID>) -> Set<Problem> {
    var found: Set<Problem> = []
    for attribute in hierarchy.allAttributes(of: id.entity).values.map(\.property) {
      switch values[id]?[attribute.name] {
      case .attribute(.integer(let number)):
        if case .integer(let limit)? = attribute.validation.maximum, number > limit {
          found.insert(Problem(code: 1610, object: id, property: attribute.name))
        }
        if case .integer(let limit)? = attribute.validation.minimum, number < limit {
          found.insert(Problem(code: 1620, object: id, property: attribute.name))
        }
      default:
        if !attribute.isOptional { found.insert(Problem(code: 1570, object: id, property: attribute.name)) }
      }
    }
    for relationship in relationships(id) {
      let targets = ends(id, relationship)
      guard relationship.isToMany else {
        if targets.isEmpty, !relationship.isOptional {
          found.insert(Problem(code: 1570, object: id, property: relationship.name))
        }
        if let target = targets.first, gone.contains(target), before.ends(id, relationship) != targets {
          found.insert(Problem(code: 133_000, object: id, property: relationship.name))
        }
        continue
      }
      if targets.count < relationship.minCount, !targets.isEmpty || !relationship.isOptional {
        found.insert(Problem(code: 1580, object: id, property: relationship.name))
      }
      if relationship.maxCount > 0, targets.count > relationship.maxCount {
        found.insert(Problem(code: 1590, object: id, property: relationship.name))
      }
    }
    return found
  }

  /// Of objects with the same values the one that had them before stays, else the first; the others are at fault.
  private func collisions(
    _ touched: [RecordID], _ before: ReferenceGraph, _ gone: Set<RecordID>
  ) -> Set<Problem> {
    var found: Set<Problem> = []
    for entity in hierarchy.model.entities {
      for constraint in entity.uniquenessConstraints {
        func tuple(_ graph: ReferenceGraph, _ id: RecordID) -> [RecordValue]? {
          let tuple = constraint.map { graph.values[id]?[$0] ?? .null }
          return tuple.contains(.null) ? nil : tuple
        }
        let members = values.keys.filter { !gone.contains($0) && hierarchy.isEntity($0.entity, kindOf: entity.name) }
        for (_, same) in Dictionary(grouping: members.filter { tuple(self, $0) != nil }, by: { tuple(self, $0) ?? [] })
        where same.count > 1 {
          let settled = same.filter { tuple(before, $0) == tuple(self, $0) }
          let faulty = same.filter { !settled.contains($0) }
          let kept = settled.isEmpty ? 1 : 0
          // Without an object that had the values before, one of them keeps them; which one, the save says.
          if kept == 0 {
            for id in faulty {
              found.insert(Problem(code: 133_021, object: id, property: constraint.count == 1 ? constraint[0] : nil))
            }
          } else {
            found.insert(
              Problem(code: -1, object: RecordID(entity: entity.name, key: Int64(same.count - 1)), property: nil))
          }
        }
      }
    }
    return found
  }
}
