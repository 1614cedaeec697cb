import ModelDescription
import StoreRows
import TestSupport

@testable import ObjectStores

/// Random models, and random changes of objects of them.
struct RandomSaving {
  var random: SeededGenerator
  private(set) var model = ManagedObjectModel(entities: [])
  /// True where two attributes are unique together, and values few, so that objects collide: for one seed of five, so that
  /// the others give what they always gave.
  private let hasCompoundConstraints: Bool

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    hasCompoundConstraints = seed % 5 == 0
    model = makeModel()
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: Models

  private mutating func makeModel() -> ManagedObjectModel {
    let count = Int.random(in: 2...4, using: &random)
    var entities = (0..<count).map { EntityDescription(name: "E\($0)") }
    for position in 1..<count where chance(40) {
      entities[position].superentityName = "E\(Int.random(in: 0..<position, using: &random))"
    }
    for position in entities.indices {
      entities[position].attributes = (0..<Int.random(in: 1...2, using: &random)).map { number in
        AttributeDescription(
          name: "a\(position)\(number)", type: .integer64, isOptional: chance(80),
          defaultValue: chance(60) ? .integer(Int64.random(in: 0...5, using: &random)) : nil,
          validation: chance(20)
            ? AttributeValidation(minimum: .integer(1), maximum: .integer(8)) : AttributeValidation())
      }
      if chance(25) { entities[position].uniquenessConstraints = [[entities[position].attributes[0].name]] }
      if hasCompoundConstraints, entities[position].attributes.count > 1 {
        entities[position].uniquenessConstraints = [entities[position].attributes.map(\.name)]
      }
    }
    for number in 0..<Int.random(in: 1...4, using: &random) { addRelationship(number, &entities) }
    return ManagedObjectModel(entities: entities)
  }

  private mutating func addRelationship(_ number: Int, _ entities: inout [EntityDescription]) {
    let (near, far) = (
      Int.random(in: entities.indices, using: &random), Int.random(in: entities.indices, using: &random)
    )
    let (name, inverse) = ("r\(number)", "i\(number)")
    let kind = Int.random(in: 0..<10, using: &random)
    if kind == 0 {
      // Its own inverse.
      var own = relationship(name, to: near, isToMany: chance(50), entities)
      (own.inverseName, own.inverseEntityName, own.isOrdered) = (name, entities[near].name, false)
      entities[near].relationships.append(own)
      return
    }
    var first = relationship(name, to: far, isToMany: chance(50), entities)
    if kind == 1 {
      (first.isOrdered, first.isOptional, first.minCount) = (false, true, 0)
      if first.isToMany { first.maxCount = 0 }
      entities[near].relationships.append(first)
      return
    }
    var second = relationship(inverse, to: near, isToMany: chance(60), entities)
    (first.inverseName, first.inverseEntityName) = (inverse, entities[far].name)
    (second.inverseName, second.inverseEntityName) = (name, entities[near].name)
    entities[near].relationships.append(first)
    entities[far].relationships.append(second)
  }

  private mutating func relationship(
    _ name: String, to far: Int, isToMany: Bool, _ entities: [EntityDescription]
  ) -> RelationshipDescription {
    let rules = DeleteRule.allCases
    let limited = isToMany && chance(15)
    return RelationshipDescription(
      name: name, destinationEntityName: entities[far].name, isOptional: chance(90),
      minCount: limited ? 1 : 0, maxCount: isToMany ? (limited ? 3 : 0) : 1, isOrdered: isToMany && chance(40),
      deleteRule: chance(50) ? .nullify : rules[Int.random(in: 0..<rules.count, using: &random)])
  }

  // MARK: Changes

  /// Random changes of the objects of a graph; `insert` gives the identifier of a new object.
  mutating func changes(
    of graph: ReferenceGraph, insert: (String, [String: RecordValue]) throws -> RecordID
  ) rethrows -> RecordChanges {
    var changes = RecordChanges()
    var present = graph.values.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    var deleted: Set<RecordID> = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let entity = model.entities[Int.random(in: model.entities.indices, using: &random)].name
      let choice = present.isEmpty ? 0 : Int.random(in: 0..<10, using: &random)
      if choice < 4 {
        let values = values(of: entity, graph.hierarchy, present)
        let id = try insert(entity, values)
        changes.operations.append(.insert(id, values))
        present.append(id)
      } else if choice < 9, let id = present.randomElement(using: &random), !deleted.contains(id) {
        var update = RecordUpdate(id)
        update.values = values(of: id.entity, graph.hierarchy, present)
        for name in update.values.keys.sorted() where chance(50) { update.values[name] = nil }
        for relationship in toManys(of: id.entity, graph.hierarchy) where chance(40) {
          update.values[relationship.name] = nil
          update.edits[relationship.name] = edits(of: relationship, graph.hierarchy, present)
        }
        changes.operations.append(.update(update))
      } else if let id = present.randomElement(using: &random), graph.values[id] != nil || !hasOwned,
        deleted.insert(id).inserted
      {
        // A new object takes what has one owner from it, and whether it gives it back when it goes is no rule of Core Data.
        changes.operations.append(.delete(id, version: nil))
      }
    }
    return changes
  }

  private var hasOwned: Bool {
    model.entities.contains { $0.relationships.contains { $0.isToMany && $0.inverseName == nil } }
  }

  private func toManys(of entity: String, _ hierarchy: EntityHierarchy) -> [RelationshipDescription] {
    hierarchy.allRelationships(of: entity).values.map(\.property).filter(\.isToMany).sorted { $0.name < $1.name }
  }

  private func targets(
    _ relationship: RelationshipDescription, _ hierarchy: EntityHierarchy, _ present: [RecordID]
  ) -> [RecordID] {
    present.filter { hierarchy.isEntity($0.entity, kindOf: relationship.destinationEntityName ?? "") }
  }

  private mutating func edits(
    of relationship: RelationshipDescription, _ hierarchy: EntityHierarchy, _ present: [RecordID]
  ) -> [LinkEdit] {
    let targets = targets(relationship, hierarchy, present)
    return (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
      guard let target = targets.randomElement(using: &random) else { return nil }
      if chance(35) { return .remove(target) }
      return .insert(target, at: chance(40) ? Int.random(in: 0...4, using: &random) : nil)
    }
  }

  private mutating func values(
    of entity: String, _ hierarchy: EntityHierarchy, _ present: [RecordID]
  ) -> [String: RecordValue] {
    var values: [String: RecordValue] = [:]
    for attribute in hierarchy.allAttributes(of: entity).values.map(\.property).sorted(by: { $0.name < $1.name })
    where chance(60) {
      let greatest: Int64 = hasCompoundConstraints ? 2 : 9
      values[attribute.name] = chance(15) ? .null : .attribute(.integer(Int64.random(in: 0...greatest, using: &random)))
    }
    for relationship in hierarchy.allRelationships(of: entity).values.map(\.property).sorted(by: { $0.name < $1.name })
    where chance(50) {
      let targets = targets(relationship, hierarchy, present)
      if relationship.isToMany {
        let count = Int.random(in: 0...min(3, targets.count), using: &random)
        values[relationship.name] = .objects(Array(targets.shuffled(using: &random).prefix(count)))
      } else if let target = targets.randomElement(using: &random), chance(80) {
        values[relationship.name] = .object(target)
      } else {
        values[relationship.name] = .null
      }
    }
    return values
  }
}
