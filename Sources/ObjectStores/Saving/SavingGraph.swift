import Foundation
import ModelDescription
import PersistentStores
import StoreRows

/// An object in a to-many relationship without inverse.
private struct Ownership: Hashable {
  let relationship: PropertyAddress
  let key: Int64
}

/// The objects that a save touches, as they were and as they become.
struct SavingGraph<Source: SavedObjects> {
  typealias Relation = SavingModel.Relation

  struct Object {
    let id: RecordID
    let row: RowKey
    let entity: SavingModel.Entity
    /// The saved object; nil for a new object.
    let before: ObjectRecord?
    /// The saved values of attributes without a type, which cannot be set, by their paths.
    var untyped: [[String]: RecordValue] = [:]
    /// The attributes and to-one relationships that were set.
    var after: [String: RecordValue] = [:]
    var lists: [String: LinkList] = [:]
    var isDeleted = false

    var isNew: Bool { before == nil }

    func value(_ name: String) -> RecordValue { after[name] ?? before?.values[name] ?? .null }

    /// The value of an attribute: its set elements, with the saved elements that lack a type.
    func heldValue(_ name: String) -> RecordValue {
      untyped.reduce(value(name)) { whole, held in
        let path = held.key.dropFirst()
        guard held.key.first == name, after[name] == nil || whole != .null, whole.element(at: path) == .null else {
          return whole
        }
        return whole.replacing(elementAt: path, by: held.value)
      }
    }

    /// The properties whose values differ from the saved ones; for a new object, all properties with values.
    var changed: Set<String> { Set(after.keys).union(lists.keys).filter(isChanged) }

    /// True for a property whose value differs from the saved one.
    func isChanged(_ name: String) -> Bool {
      if let list = lists[name] { return list.isChanged }
      guard let value = after[name] else { return false }
      guard let before else { return true }
      if let kept = untyped[[name]] { return value != kept }
      let saved = before.values[name] ?? .null
      guard value == .null else { return heldValue(name) != saved }
      // A composite attribute that is emptied keeps the elements without a type.
      return untyped.keys.filter { $0.first == name }.reduce(saved) { saved, path in
        saved.replacing(elementAt: path.dropFirst(), by: .null)
      } != .null
    }
  }

  let model: SavingModel
  let source: Source
  private(set) var objects: [Object] = []
  private var positions: [RowKey: Int] = [:]
  /// The owners of objects in to-many relationships without inverse.
  ///
  /// The owner is in a column of the object, so there is only one.
  private var owners: [Ownership: Int] = [:]
  /// The requested rows that do not exist.
  private var missing: Set<RowKey> = []

  init(model: SavingModel, source: Source) { (self.model, self.source) = (model, source) }

  // MARK: Objects

  /// Reads objects that will be needed, with a single statement for each table.
  mutating func prefetch(_ ids: some Sequence<RecordID>) throws {
    var wanted: [Int: Set<Int64>] = [:]
    for id in ids {
      guard let row = model.row(id), positions[row] == nil, !missing.contains(row) else { continue }
      wanted[row.root, default: []].insert(row.key)
    }
    for (root, keys) in wanted.sorted(by: { $0.key < $1.key }) {
      for record in try source.records(of: model.roots[root], keys: keys.sorted()) {
        guard let entity = model.entity(record.id.entity) else { continue }
        insert(
          Object(
            id: record.id, row: RowKey(root: root, key: record.id.key), entity: entity, before: record,
            untyped: entity.untyped(in: record.values)))
      }
      for key in keys where positions[RowKey(root: root, key: key)] == nil {
        missing.insert(RowKey(root: root, key: key))
      }
    }
  }

  /// The position of an object; nil if it does not exist.
  mutating func position(of id: RecordID) throws -> Int? {
    guard let row = model.row(id) else { return nil }
    if let position = positions[row] { return position }
    try prefetch([id])
    return positions[row]
  }

  /// An object that the save has already read.
  func known(_ id: RecordID) -> Object? { model.row(id).flatMap { positions[$0] }.map { objects[$0] } }

  /// Adds a new object with the attributes among some values.
  mutating func insertNew(_ id: RecordID, _ entity: SavingModel.Entity, _ values: [String: RecordValue]) {
    var after = entity.initialValues
    for (name, value) in values where after[name] != nil { after[name] = value }
    insert(Object(id: id, row: RowKey(root: entity.root, key: id.key), entity: entity, before: nil, after: after))
  }

  private mutating func insert(_ object: Object) {
    positions[object.row] = objects.count
    objects.append(object)
  }

  mutating func set(_ name: String, of position: Int, to value: RecordValue) { objects[position].after[name] = value }

  mutating func markDeleted(_ position: Int) { objects[position].isDeleted = true }

  // MARK: Lists

  /// Reads lists that will be needed, with a single statement for each relationship.
  mutating func prefetchLists(_ wanted: [(position: Int, relation: Relation)]) throws {
    var groups: [PropertyAddress: (relation: Relation, positions: [Int])] = [:]
    for (position, relation) in wanted {
      if objects[position].isNew {
        objects[position].lists[relation.name, default: LinkList()].load([])
      } else if objects[position].lists[relation.name]?.isLoaded != true {
        groups[relation.address, default: (relation, [])].positions.append(position)
      }
    }
    for (address, group) in groups.sorted(by: { $0.key.description < $1.key.description }) {
      let keys = Set(group.positions.map { objects[$0].id.key }).sorted()
      let links = try source.placedLinks(along: address.property, of: address.entity, from: keys)
      for position in group.positions {
        let found = links[objects[position].id.key] ?? []
        objects[position].lists[address.property, default: LinkList()].load(found)
        if group.relation.isOwned {
          for link in found { own(link.id, along: group.relation, by: position, isNew: false) }
        }
      }
    }
  }

  private mutating func load(_ relation: Relation, of position: Int) throws {
    if objects[position].lists[relation.name]?.isLoaded != true { try prefetchLists([(position, relation)]) }
  }

  /// The current destination objects of a relationship.
  mutating func destinations(_ relation: Relation, of position: Int) throws -> [RecordID] {
    guard relation.isToMany else {
      if case .object(let id) = objects[position].value(relation.name) { return [id] }
      return []
    }
    try load(relation, of: position)
    return objects[position].lists[relation.name]?.members ?? []
  }

  // MARK: Links

  /// Sets a to-one relationship, and its inverse on both objects.
  mutating func setToOne(_ relation: Relation, of position: Int, to target: RecordID?) throws {
    let own = objects[position].id
    let current = try destinations(relation, of: position).first
    if let current, let target, model.row(current) == model.row(target) { return }
    if current == nil, target == nil { return objects[position].after[relation.name] = .null }
    if let current { try takeBack(relation, from: current, own) }
    guard let target else { return objects[position].after[relation.name] = .null }
    let other = try self.position(of: target)
    let known = other.map { objects[$0].id } ?? target
    objects[position].after[relation.name] = .object(known)
    guard let other, let inverse = inverse(of: relation, at: other) else { return }
    if inverse.isToMany {
      try add(own, to: inverse, of: other)
    } else {
      if let robbed = try destinations(inverse, of: other).first, robbed != own,
        let position = try self.position(of: robbed)
      {
        objects[position].after[relation.name] = .null
      }
      objects[other].after[inverse.name] = .object(own)
    }
  }

  /// Adds an object to a to-many relationship, and sets the inverse.
  mutating func insert(_ target: RecordID, into relation: Relation, of position: Int, at place: Int?) throws {
    let own = objects[position].id
    guard let other = try self.position(of: target) else {
      return try add(target, to: relation, of: position, at: place)
    }
    let known = objects[other].id
    if let inverse = inverse(of: relation, at: other) {
      if inverse.isToMany {
        try add(own, to: inverse, of: other)
      } else {
        try setToOne(inverse, of: other, to: own)
      }
    }
    try add(known, to: relation, of: position, at: place)
  }

  /// Removes an object from a to-many relationship, and clears the inverse.
  mutating func remove(_ target: RecordID, from relation: Relation, of position: Int) throws {
    try load(relation, of: position)
    let known = try self.position(of: target).map { objects[$0].id } ?? target
    guard objects[position].lists[relation.name]?.contains(known) == true else { return }
    objects[position].lists[relation.name]?.remove(known)
    try takeBack(relation, from: known, objects[position].id)
  }

  /// Replaces the objects of a to-many relationship.
  mutating func replace(_ relation: Relation, of position: Int, with ids: [RecordID]) throws {
    try load(relation, of: position)
    var seen: Set<RecordID> = []
    var wanted: [RecordID] = []
    for id in ids {
      let known = try self.position(of: id).map { objects[$0].id } ?? id
      if seen.insert(known).inserted { wanted.append(known) }
    }
    let present = try destinations(relation, of: position)
    for id in present where !seen.contains(id) { try remove(id, from: relation, of: position) }
    let kept = Set(present)
    for id in wanted where !kept.contains(id) { try insert(id, into: relation, of: position, at: nil) }
    if relation.description.isOrdered, try destinations(relation, of: position) != wanted {
      objects[position].lists[relation.name]?.arrange(wanted)
    }
  }

  /// Clears the other end of a removed link.
  mutating func takeBack(_ relation: Relation, from target: RecordID, _ own: RecordID) throws {
    guard let other = try position(of: target), let inverse = inverse(of: relation, at: other) else { return }
    if inverse.isToMany {
      if inverse.isListed { try load(inverse, of: other) }
      objects[other].lists[inverse.name, default: LinkList()].remove(own)
    } else if case .object(let id) = objects[other].value(inverse.name), model.row(id) == model.row(own) {
      objects[other].after[inverse.name] = .null
    }
  }

  private mutating func add(_ id: RecordID, to relation: Relation, of position: Int, at place: Int? = nil) throws {
    if relation.isListed || place != nil { try load(relation, of: position) }
    objects[position].lists[relation.name, default: LinkList()].add(id, at: place)
    guard relation.isOwned else { return }
    if owners[Ownership(relationship: relation.address, key: id.key)] == nil,
      let current = try source.owners(along: relation.name, of: relation.owner, having: [id.key])[id.key]?.first,
      let other = try self.position(of: current)
    {
      try load(relation, of: other)
    }
    own(id, along: relation, by: position, isNew: true)
  }

  /// Records the owner of an object; of two owners, the one set last in this save wins.
  private mutating func own(_ id: RecordID, along relation: Relation, by position: Int, isNew: Bool) {
    let ownership = Ownership(relationship: relation.address, key: id.key)
    if let other = owners[ownership], other != position {
      guard isNew else {
        objects[position].lists[relation.name]?.remove(id)
        return
      }
      objects[other].lists[relation.name]?.remove(id)
    }
    owners[ownership] = position
  }

  /// The inverse of a relationship, from the entity of the destination object.
  private func inverse(of relation: Relation, at other: Int) -> Relation? {
    relation.inverse.flatMap { objects[other].entity.relationsByName[$0.name] }
  }
}
