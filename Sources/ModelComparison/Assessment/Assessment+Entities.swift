import ModelDescription

extension Assessment {
  static func removed(_ entity: EntityDescription) -> Assessment {
    .inferable(entity.isAbstract ? "an abstract entity has no rows" : "its rows and the links to them are lost")
  }

  /// `formerRoots` are the source roots whose rows would share the entity's table, `formerConstraints` the former
  /// uniqueness constraints with the names that properties have now.
  static func changed(
    _ aspect: Aspect,
    from former: EntityDescription,
    to entity: EntityDescription,
    formerRoots: [String],
    formerConstraints: [[String]]
  ) -> Assessment {
    switch aspect {
    case .superentity:
      if formerRoots.count > 1 {
        return .notInferable(
          "Cannot merge multiple root entity source tables into one destination entity root table",
          "the rows of \(formerRoots.joined(separator: " and ")) have tables of their own and the same primary keys"
        )
      }
      return .inferable("the rows are kept and may move to another table")
    case .abstract:
      if entity.isAbstract {
        return .dependsOnRows("no row is of exactly this entity", "rows of an abstract entity cannot exist")
      }
      return .inferable("no effect on existing rows")
    case .uniquenessConstraints:
      let constraints = HashedEntity.constraints(of: entity)
      if HashedEntity.constraints(of: former) == constraints { return .unversioned() }
      var followed = former
      followed.uniquenessConstraints = formerConstraints
      if constraints.allSatisfy(Set(HashedEntity.constraints(of: followed)).contains) {
        return .inferable("no effect on existing rows")
      }
      return .dependsOnRows("no two rows have the same values", "rows of equal values would break the rule")
    case .versionHashModifier:
      let isSame = HashedText(former.versionHashModifier ?? "") == HashedText(entity.versionHashModifier ?? "")
      return isSame ? .unversioned() : .inferable("no effect on the data")
    case .compoundIndexes: return .unversioned("existing stores keep their indexes")
    default: return .unversioned()
    }
  }
}
