import ModelDescription

extension Assessment {
  static func added(_ relationship: RelationshipDescription) -> Assessment {
    if relationship.isTransient { return .unversioned(.nothingIsStored) }
    if relationship.isToMany || relationship.isOptional { return .inferable(.noLinksInExistingRows) }
    return .dependsOnRows(.entityHasNoRows, .requiredLinkMissing)
  }

  static func removed(_ relationship: RelationshipDescription) -> Assessment {
    relationship.isTransient ? .unversioned(.nothingWasStored) : .inferable(.linksLost)
  }

  static func moved(_ relationship: RelationshipDescription) -> Assessment {
    relationship.isTransient ? .unversioned() : .inferable(.linksKept)
  }

  /// `canKeepLinks` tells whether the links may lead where the relationship now leads, `hashesInverse` whether the
  /// inverse's hashed name differs.
  static func changed(
    _ aspect: Aspect,
    from source: RelationshipDescription,
    to relationship: RelationshipDescription,
    canKeepLinks: Bool,
    hashesInverse: Bool
  ) -> Assessment {
    if aspect == .transient {
      return relationship.isTransient ? .inferable(.storedLinksLost) : added(relationship)
    }
    let assessment = stored(aspect, from: source, to: relationship, canKeepLinks: canKeepLinks)
    if source.isTransient || relationship.isTransient { return .unversioned() }
    return aspect == .inverse && !hashesInverse ? assessment.withoutHash : assessment
  }

  private static func stored(
    _ aspect: Aspect,
    from source: RelationshipDescription,
    to relationship: RelationshipDescription,
    canKeepLinks: Bool
  ) -> Assessment {
    switch aspect {
    case .optional:
      if relationship.isOptional || relationship.isToMany { return .inferable(.noneOnExistingRows) }
      return .dependsOnRows(.everyRowHasLink, .rowsWithoutLinkBreakRule)
    case .destination:
      return .inferable(canKeepLinks ? .linksKeptWhereAllowed : .linksLost)
    case .inverse: return .inferable(.linksKeptWhereEndsStay)
    case .toMany:
      if relationship.isToMany {
        return relationship.inverseName == nil
          ? .dependsOnRows(.noObjectLinkedFromSeveral, .linkBecomesSetOfOne)
          : .inferable(.linkBecomesSetOfOne)
      }
      return .dependsOnRows(.noObjectLinkedWithSeveral, .linksBeyondFirstLost)
    case .ordered:
      return .inferable(
        relationship.isOrdered ? .linksGetOrder : .orderLost
      )
    case .minCount:
      let isSame = HashedProperty.hashedCount(source.minCount) == HashedProperty.hashedCount(relationship.minCount)
      return isSame ? .unversioned() : .inferable(.existingRowsUnchecked)
    case .maxCount:
      let isSame = HashedProperty.hashedCount(source.maxCount) == HashedProperty.hashedCount(relationship.maxCount)
      return isSame ? .unversioned() : .inferable(.existingRowsUnchecked)
    case .versionHashModifier:
      let isSame = HashedText(source.versionHashModifier ?? "") == HashedText(relationship.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable(.none)
    case .indexed: return .unversioned(.indexesStay)
    case .deleteRule: return .unversioned(.laterDeletionsOnly)
    default: return .unversioned()
    }
  }
}
