import ModelDescription

/// The order in which Core Data visits the relationships of an entity to name join tables and their columns.
///
/// Measured in stores that Core Data wrote. The order depends only on the names of the properties and not on the name
/// of the entity.
public struct VisitingOrder: Hashable, Sendable {
  /// The names of all properties, including inherited properties, sorted by bytes.
  let properties: [String]
  let relationships: Set<String>
  /// The names of the many-to-many relationships, including transient ones.
  let manyToMany: Set<String>

  init(of entity: String, in hierarchy: EntityHierarchy) {
    let all = hierarchy.allRelationships(of: entity)
    relationships = Set(all.keys)
    manyToMany = Set(all.filter { hierarchy.isManyToMany($0.value.property) }.keys)
    properties = relationships.union(hierarchy.allAttributes(of: entity).keys)
      .sorted { $0.precedesByBytes($1) }
  }

  /// The relationships in the order of the visits, called R1 in tests.
  var names: [String] { Self.order(HashTableOrder(of: properties).names, relationships) }

  /// The many-to-many relationships in the second measured order, for pairs with both ends on a single entity: R2.
  var otherNames: [String] { Self.order(HashTableOrder(of: properties, withRoomFor: 7).names, manyToMany) }

  /// The names in bucket order.
  ///
  /// The first table is read from its last bucket, the second from its first; this gives all measured orders.
  private static func order(_ names: [String], _ chosen: Set<String>) -> [String] {
    HashTableOrder(of: names.reversed().filter(chosen.contains)).names
  }
}

extension EntityHierarchy {
  /// True if a relationship and its inverse are to-many relationships, stored or not.
  fileprivate func isManyToMany(_ relationship: RelationshipDescription) -> Bool {
    guard relationship.isToMany, let destination = relationship.destinationEntityName,
      let inverse = relationship.inverseName
    else { return false }
    return allRelationships(of: destination)[inverse]?.property.isToMany ?? false
  }
}

/// The order of names in a hash table with linear probing, as in Core Foundation's dictionaries.
///
/// The sizes are the primes of the published Core Foundation. Measurements show that probing goes downward; only this
/// gives all measured names and orders.
struct HashTableOrder {
  /// The size of the table and how many elements fill it.
  private static let sizes: [(buckets: Int, capacity: Int)] = [
    (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
    (631, 390), (1087, 672), (1723, 1065),
  ]

  let names: [String]

  /// Inserts names into a table in their order.
  ///
  /// - Parameter extra: the number of additional names that the table has room for.
  init(of names: [String], withRoomFor extra: Int = 0) {
    let count = names.count + extra
    let size = Self.sizes.first { count <= $0.capacity }?.buckets ?? count * 2 + 1
    var buckets = [String?](repeating: nil, count: size)
    for name in names {
      var bucket = Int(StringHash.hash(of: name) % UInt64(size))
      while buckets[bucket] != nil { bucket = (bucket + size - 1) % size }
      buckets[bucket] = name
    }
    self.names = buckets.compactMap { $0 }
  }
}

/// Core Foundation's hash of a string, which determines the order of Core Data's dictionaries.
///
/// Source: `__CFStrHashCharacters` of the published Core Foundation. It is 257-ary over the UTF-16 code units. A string
/// of more than 96 units is hashed by 32 units at its start, middle and end.
enum StringHash {
  static func hash(of string: String) -> UInt64 {
    let units = Array(string.utf16)
    var result = UInt64(units.count)
    for unit in sample(of: units) { result = result &* 257 &+ UInt64(unit) }
    return result &+ (result &<< UInt64(units.count & 31))
  }

  private static func sample(of units: [UInt16]) -> [UInt16] {
    guard units.count > 96 else { return units }
    let middle = units.count / 2 - 16
    return Array(units.prefix(32)) + Array(units[middle..<(middle + 32)]) + Array(units.suffix(32))
  }
}

/// The walk over a model in which Core Data names join tables and orders the columns of ordered relationships.
///
/// It visits all entities by name, regardless of their parents. In each entity it visits the relationships, including
/// inherited ones, in the order of `VisitingOrder.names`. Measured in stores that Core Data wrote.
struct ModelWalk {
  /// The first visit of a to-many relationship.
  struct Visit {
    let ends: RelationshipEnds
    /// The order of the entity in which it is visited.
    let order: VisitingOrder
  }

  /// Every stored to-many relationship once.
  let visits: [Visit]
  let positions: [PropertyAddress: Int]

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
    (self.visits, self.positions) = (visits, positions)
  }
}
