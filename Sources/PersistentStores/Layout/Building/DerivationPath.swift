import ModelDescription

/// What a derivation expression reads, for the two forms whose triggers are known.
enum DerivationPath {
  /// The number of objects of a to-many relationship that its destination's rows refer back from.
  case count(RelationshipEnds)
  /// An attribute of the object at the other end of a to-one relationship.
  case value(RelationshipEnds, attribute: String)

  /// Reads an expression of an entity.
  ///
  /// - Returns: nil for any other form, and for a property that is not there.
  init?(_ expression: String, of entity: String, in hierarchy: EntityHierarchy) {
    guard let (relationship, key) = Self.parts(of: expression),
      let declared = hierarchy.allRelationships(of: entity)[relationship],
      let ends = RelationshipEnds(declared.property, declaredBy: declared.entity.name, in: hierarchy)
    else { return nil }
    if key == "@count" {
      guard ends.relationship.isToMany, !ends.isManyToMany else { return nil }
      self = .count(ends)
    } else {
      guard !ends.relationship.isToMany, let attribute = hierarchy.allAttributes(of: ends.destination.name)[key],
        !attribute.property.isTransient
      else { return nil }
      self = .value(ends, attribute: key)
    }
  }

  /// The two keys of `relationship.key`; `count:(relationship)`, as archives write it, gives the key `@count`.
  private static func parts(of expression: String) -> (relationship: String, key: String)? {
    if expression.hasPrefix("count:("), expression.hasSuffix(")") {
      return (String(expression.dropFirst(7).dropLast()), "@count")
    }
    let keys = expression.split(separator: ".", omittingEmptySubsequences: false)
    return keys.count == 2 ? (String(keys[0]), String(keys[1])) : nil
  }
}
