import ModelDescription
import PersistentStores
import StoreRows

@testable import ObjectStores

/// The to-many relationships that a save counts as changed, worked out by playing its operations one after the other.
///
/// A save looks into a list that is ordered or has a least or greatest number of objects, into one that it replaces or takes
/// an object out of, and, without inverse, into one that loses an object to another owner. Such a list is changed if and only
/// if it ends with other objects or in another order, where what was taken out and put back comes last. Any other list is
/// changed if and only if the save put an object into it, be it one that the list had, or took one out of it by the inverse.
struct ListTraces {
  private struct Place: Hashable {
    let object: RecordID
    let relationship: String
  }

  /// One list.
  private struct Trace {
    let before: [RecordID]
    var members: [RecordID]
    private(set) var isKnown: Bool
    private var added: Set<RecordID> = []
    private var removed: Set<RecordID> = []

    init(_ before: [RecordID], isKnown: Bool) {
      (self.before, members, self.isKnown) = (before, before, isKnown)
    }

    var isChanged: Bool { isKnown ? members != before : !added.isEmpty || !removed.isEmpty }

    /// What came, went, or was put in or taken out unseen.
    var concerned: Set<RecordID> {
      isKnown ? Set(members).symmetricDifference(before) : added.union(removed)
    }

    /// What was put back before anybody looked stands where it stood.
    mutating func know() {
      guard !isKnown else { return }
      isKnown = true
      members = before.filter { members.contains($0) } + members.filter { !before.contains($0) }
    }

    mutating func put(_ id: RecordID, at place: Int?) {
      if let place {
        members.removeAll { $0 == id }
        members.insert(id, at: min(place, members.count))
      } else if !members.contains(id) {
        members.append(id)
      }
      added.insert(id)
      removed.remove(id)
    }

    mutating func take(_ id: RecordID) {
      members.removeAll { $0 == id }
      added.remove(id)
      removed.insert(id)
    }
  }

  private let before: ReferenceGraph
  private var new: Set<RecordID> = []
  private var deleted: Set<RecordID> = []
  private var lists: [Place: Trace] = [:]
  private var ends: [Place: RecordID] = [:]
  /// Who has an object in a relationship without inverse: by the store, and as far as the save knows.
  private var storedOwners: [Place: RecordID] = [:]
  private var owners: [Place: RecordID] = [:]

  /// Plays the operations of a save that is not refused.
  init(_ changes: RecordChanges, of before: ReferenceGraph) {
    self.before = before
    for (id, values) in before.values {
      for case (let name, .object(let target)) in values { ends[Place(object: id, relationship: name)] = target }
      for relationship in relationships(id) where isOwned(relationship) {
        for member in before.lists[id]?[relationship.name] ?? [] {
          storedOwners[Place(object: member, relationship: relationship.name)] = id
        }
      }
    }
    for case .insert(let id, _) in changes.operations { new.insert(id) }
    for operation in changes.insertsFirst.operations {
      switch operation {
      case .insert(let id, let values): set(values, of: id)
      case .update(let update):
        set(update.values, of: update.id)
        for relationship in relationships(update.id) {
          for edit in update.edits[relationship.name] ?? [] {
            switch edit {
            case .insert(let target, let place):
              insert(target, into: relationship, of: update.id, at: relationship.isOrdered ? place : nil)
            case .remove(let target): remove(target, from: relationship, of: update.id)
            }
          }
        }
      case .delete(let id, _): deleted.insert(id)
      }
    }
    propagateDeletes()
  }

  /// The to-many relationships that changed, of every object that was there and stays.
  var changed: [RecordID: Set<String>] {
    var changed: [RecordID: Set<String>] = [:]
    for (place, trace) in lists where trace.isChanged && stays(place.object) {
      changed[place.object, default: []].insert(place.relationship)
    }
    return changed
  }

  /// The to-many relationships without inverse that came or went, of every object that was there and stays.
  var incoming: [RecordID: Set<PropertyAddress>] {
    var incoming: [RecordID: Set<PropertyAddress>] = [:]
    for (place, trace) in lists where trace.isChanged && !deleted.contains(place.object) {
      guard let found = before.hierarchy.allRelationships(of: place.object.entity)[place.relationship],
        isOwned(found.property)
      else { continue }
      let address = PropertyAddress(entity: found.entity.name, property: place.relationship)
      for id in trace.concerned where stays(id) { incoming[id, default: []].insert(address) }
    }
    return incoming
  }

  // MARK: What is there

  private func isThere(_ id: RecordID) -> Bool { new.contains(id) || before.values[id] != nil }
  private func stays(_ id: RecordID) -> Bool { before.values[id] != nil && !deleted.contains(id) }
  private func isOwned(_ relationship: RelationshipDescription) -> Bool {
    relationship.isToMany && relationship.inverseName == nil
  }

  private func relationships(_ id: RecordID) -> [RelationshipDescription] {
    before.hierarchy.allRelationships(of: id.entity).values.map(\.property).sorted { $0.name < $1.name }
  }

  private func inverse(_ relationship: RelationshipDescription, at target: RecordID) -> RelationshipDescription? {
    relationship.inverseName.flatMap { before.hierarchy.allRelationships(of: target.entity)[$0]?.property }
  }

  private func list(_ relationship: RelationshipDescription, of id: RecordID) -> Trace {
    if let known = lists[Place(object: id, relationship: relationship.name)] { return known }
    let members = before.lists[id]?[relationship.name] ?? []
    return Trace(
      relationship.isOrdered ? members : members.sorted { $0.key < $1.key },
      isKnown: relationship.isOrdered || relationship.minCount > 0 || relationship.maxCount > 0)
  }

  private func destinations(_ relationship: RelationshipDescription, of id: RecordID) -> [RecordID] {
    if relationship.isToMany { return list(relationship, of: id).members }
    return ends[Place(object: id, relationship: relationship.name)].map { [$0] } ?? []
  }

  // MARK: Operations

  private mutating func change(
    _ relationship: RelationshipDescription, of id: RecordID, _ edit: (inout Trace) -> Void
  ) {
    var trace = list(relationship, of: id)
    edit(&trace)
    lists[Place(object: id, relationship: relationship.name)] = trace
  }

  private mutating func know(_ relationship: RelationshipDescription, of id: RecordID) {
    change(relationship, of: id) { $0.know() }
    guard isOwned(relationship) else { return }
    for member in list(relationship, of: id).before {
      let place = Place(object: member, relationship: relationship.name)
      owners[place] = owners[place] ?? id
    }
  }

  private mutating func set(_ values: [String: RecordValue], of id: RecordID) {
    for relationship in relationships(id) {
      switch values[relationship.name] {
      case .object(let target): setEnd(relationship, of: id, to: target)
      case .objects(let targets): replace(relationship, of: id, with: targets)
      case .null where relationship.isToMany: replace(relationship, of: id, with: [])
      case .null: setEnd(relationship, of: id, to: nil)
      default: break
      }
    }
  }

  private mutating func setEnd(_ relationship: RelationshipDescription, of id: RecordID, to target: RecordID?) {
    let place = Place(object: id, relationship: relationship.name)
    let current = ends[place]
    guard current != target else { return }
    if let current { letGo(id, by: relationship, at: current) }
    ends[place] = target
    guard let target, let inverse = inverse(relationship, at: target) else { return }
    guard !inverse.isToMany else { return add(id, to: inverse, of: target) }
    let back = Place(object: target, relationship: inverse.name)
    if let robbed = ends[back], robbed != id { ends[Place(object: robbed, relationship: relationship.name)] = nil }
    ends[back] = id
  }

  private mutating func insert(
    _ target: RecordID, into relationship: RelationshipDescription, of id: RecordID, at place: Int?
  ) {
    if let inverse = inverse(relationship, at: target) {
      if inverse.isToMany { add(id, to: inverse, of: target) } else { setEnd(inverse, of: target, to: id) }
    }
    add(target, to: relationship, of: id, at: place)
  }

  private mutating func remove(_ target: RecordID, from relationship: RelationshipDescription, of id: RecordID) {
    know(relationship, of: id)
    guard list(relationship, of: id).members.contains(target) else { return }
    change(relationship, of: id) { $0.take(target) }
    letGo(id, by: relationship, at: target)
  }

  private mutating func replace(
    _ relationship: RelationshipDescription, of id: RecordID, with targets: [RecordID]
  ) {
    know(relationship, of: id)
    let present = list(relationship, of: id).members
    for target in present where !targets.contains(target) { remove(target, from: relationship, of: id) }
    for target in targets where !present.contains(target) { insert(target, into: relationship, of: id, at: nil) }
    if relationship.isOrdered { change(relationship, of: id) { $0.members = targets } }
  }

  /// Takes an object out of the inverse of a relationship that led from it.
  private mutating func letGo(_ id: RecordID, by relationship: RelationshipDescription, at target: RecordID) {
    guard isThere(target), let inverse = inverse(relationship, at: target) else { return }
    if inverse.isToMany {
      change(inverse, of: target) { $0.take(id) }
    } else if destinations(inverse, of: target) == [id] {
      ends[Place(object: target, relationship: inverse.name)] = nil
    }
  }

  private mutating func add(
    _ target: RecordID, to relationship: RelationshipDescription, of id: RecordID, at position: Int? = nil
  ) {
    change(relationship, of: id) { $0.put(target, at: position) }
    guard isOwned(relationship) else { return }
    let place = Place(object: target, relationship: relationship.name)
    if owners[place] == nil, let stored = storedOwners[place] { know(relationship, of: stored) }
    if let other = owners[place], other != id { change(relationship, of: other) { $0.take(target) } }
    owners[place] = id
  }

  private mutating func propagateDeletes() {
    var level = deleted
    while !level.isEmpty {
      var next: Set<RecordID> = []
      for id in level {
        for relationship in relationships(id) where relationship.deleteRule == .cascade {
          next.formUnion(destinations(relationship, of: id).filter { isThere($0) })
        }
      }
      level = next.subtracting(deleted)
      deleted.formUnion(level)
    }
    for id in deleted {
      for relationship in relationships(id) where relationship.deleteRule == .nullify || new.contains(id) {
        for target in destinations(relationship, of: id) where !deleted.contains(target) {
          letGo(id, by: relationship, at: target)
        }
      }
    }
  }
}
