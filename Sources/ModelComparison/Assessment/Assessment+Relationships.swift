import ModelDescription

extension Assessment {
  static func added(_ relationship: RelationshipDescription) -> Assessment {
    if relationship.isTransient { return .unversioned("nothing is stored") }
    if relationship.isToMany || relationship.isOptional { return .inferable("existing rows have no links") }
    return .dependsOnRows("the entity has no rows", "existing rows would lack a required link")
  }

  static func removed(_ relationship: RelationshipDescription) -> Assessment {
    relationship.isTransient ? .unversioned("nothing was stored") : .inferable("the links are lost")
  }

  static func moved(_ relationship: RelationshipDescription) -> Assessment {
    relationship.isTransient ? .unversioned() : .inferable("the links are kept")
  }

  /// `canKeepLinks` tells whether the links may lead where the relationship now leads, `hashesInverse` whether the
  /// inverse's hashed name differs.
  static func changed(
    _ aspect: Aspect,
    from former: RelationshipDescription,
    to relationship: RelationshipDescription,
    canKeepLinks: Bool,
    hashesInverse: Bool
  ) -> Assessment {
    if aspect == .transient {
      return relationship.isTransient ? .inferable("the stored links are lost") : added(relationship)
    }
    let assessment = stored(aspect, from: former, to: relationship, canKeepLinks: canKeepLinks)
    if former.isTransient || relationship.isTransient { return .unversioned() }
    return aspect == .inverse && !hashesInverse ? assessment.withoutHash : assessment
  }

  private static func stored(
    _ aspect: Aspect,
    from former: RelationshipDescription,
    to relationship: RelationshipDescription,
    canKeepLinks: Bool
  ) -> Assessment {
    switch aspect {
    case .optional:
      if relationship.isOptional || relationship.isToMany { return .inferable("no effect on existing rows") }
      return .dependsOnRows("no row lacks a link", "rows without a link would break the rule")
    case .destination:
      return .inferable(canKeepLinks ? "links that may lead there are kept" : "the links are lost")
    case .inverse: return .inferable("the links are kept where both ends stay the same")
    case .toMany:
      if relationship.isToMany {
        return relationship.inverseName == nil
          ? .dependsOnRows("no object is linked from more than one", "the one link becomes a set of one")
          : .inferable("the one link becomes a set of one")
      }
      return .dependsOnRows("no object is linked with more than one", "links beyond the first would be lost")
    case .ordered:
      return .inferable(
        relationship.isOrdered ? "the links get the order in which their objects were made" : "the order is lost"
      )
    case .minCount:
      let isSame = HashedProperty.hashedCount(former.minCount) == HashedProperty.hashedCount(relationship.minCount)
      return isSame ? .unversioned() : .inferable("existing rows are not checked")
    case .maxCount:
      let isSame = HashedProperty.hashedCount(former.maxCount) == HashedProperty.hashedCount(relationship.maxCount)
      return isSame ? .unversioned() : .inferable("existing rows are not checked")
    case .versionHashModifier:
      let isSame = HashedText(former.versionHashModifier ?? "") == HashedText(relationship.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable("no effect on the data")
    case .indexed: return .unversioned("existing stores keep their indexes")
    case .deleteRule: return .unversioned("only later deletions follow the new rule")
    default: return .unversioned()
    }
  }
}
