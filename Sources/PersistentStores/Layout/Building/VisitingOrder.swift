import ModelDescription

/// The order in which Core Data visits the relationships of an entity when it names join tables and their columns.
///
/// Source: spec/sqlite-store-layout.md §7.2 and §7.3. Everything follows from the names, so that entities whose names
/// are the same have the same order, whatever they are called themselves.
public struct VisitingOrder: Hashable, Sendable {
  /// The names of all properties, inherited ones included, sorted by bytes.
  let properties: [String]
  /// Those that are relationships.
  let relationships: Set<String>
  /// Those that are many-to-many, transient ones included.
  let manyToMany: Set<String>

  /// Takes the names from an entity.
  init(of entity: String, in hierarchy: EntityHierarchy) {
    let all = hierarchy.allRelationships(of: entity)
    relationships = Set(all.keys)
    manyToMany = Set(all.filter { hierarchy.isManyToMany($0.value.property) }.keys)
    properties = relationships.union(hierarchy.allAttributes(of: entity).keys)
      .sorted { $0.precedesByBytes($1) }
  }

  /// The relationships in the order R1 of the spec, in which they are visited.
  var names: [String] { Self.order(HashTableOrder(of: properties).names, relationships) }

  /// The many-to-many relationships in the order R2 of the spec.
  var otherNames: [String] { Self.order(HashTableOrder(of: properties, withRoomFor: 7).names, manyToMany) }

  /// The first table is read from its last bucket, the second from its first: so all orders of the corpus follow.
  private static func order(_ names: [String], _ chosen: Set<String>) -> [String] {
    HashTableOrder(of: names.reversed().filter(chosen.contains)).names
  }
}

extension EntityHierarchy {
  /// True when a relationship and its inverse lead to many objects, stored or not.
  fileprivate func isManyToMany(_ relationship: RelationshipDescription) -> Bool {
    guard relationship.isToMany, let destination = relationship.destinationEntityName,
      let inverse = relationship.inverseName
    else { return false }
    return allRelationships(of: destination)[inverse]?.property.isToMany ?? false
  }
}
