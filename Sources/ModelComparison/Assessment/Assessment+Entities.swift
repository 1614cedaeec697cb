import ModelDescription

extension Assessment {
  static func removed(_ entity: EntityDescription) -> Assessment {
    .inferable(entity.isAbstract ? .abstractEntityHasNoRows : .rowsAndLinksLost)
  }

  /// `sourceRoots` are the source roots whose rows would share the entity's table, `sourceConstraints` the source
  /// uniqueness constraints with the names that properties have now.
  static func changed(
    _ aspect: Aspect,
    from source: EntityDescription,
    to entity: EntityDescription,
    sourceRoots: [String],
    sourceConstraints: [[String]]
  ) -> Assessment {
    switch aspect {
    case .superentity:
      if sourceRoots.count > 1 {
        return .notInferable(
          .mergedRootEntities,
          .keysOfRootsClash(sourceRoots)
        )
      }
      return .inferable(.rowsMayChangeTable)
    case .abstract:
      if entity.isAbstract {
        return .dependsOnRows(.noRowOfExactlyThisEntity, .rowsOfAbstractEntity)
      }
      return .inferable(.noneOnExistingRows)
    case .uniquenessConstraints:
      let constraints = HashedEntity.constraints(of: entity)
      if HashedEntity.constraints(of: source) == constraints { return .unversioned() }
      var followed = source
      followed.uniquenessConstraints = sourceConstraints
      if constraints.allSatisfy(Set(HashedEntity.constraints(of: followed)).contains) {
        return .inferable(.noneOnExistingRows)
      }
      return .dependsOnRows(.noRowsOfEqualValues, .equalRowsBreakRule)
    case .versionHashModifier:
      let isSame = HashedText(source.versionHashModifier ?? "") == HashedText(entity.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable(.none)
    case .compoundIndexes: return .unversioned(.indexesStay)
    default: return .unversioned()
    }
  }
}
