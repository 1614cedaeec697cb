import ModelDescription

extension Inferability.Refusal: CustomStringConvertible {
  /// Core Data's wording.
  public var description: String {
    switch self {
    case .incompatibleTypes: "Source and destination attribute types are incompatible"
    case .mergedRootEntities: "Cannot merge multiple root entity source tables into one destination entity root table"
    }
  }
}

extension Inferability.Condition: CustomStringConvertible {
  /// The condition as it stands behind “if”.
  public var description: String {
    switch self {
    case .entityHasNoRows: "the entity has no rows"
    case .noRowOfExactlyThisEntity: "no row is of exactly this entity"
    case .noRowsOfEqualValues: "no two rows have the same values"
    case .everyRowHasValue: "no row lacks a value"
    case .everyRowHasLink: "no row lacks a link"
    case .everyValueFits(let type): "every value fits \(type.name)"
    case .noObjectLinkedWithSeveral: "no object is linked with more than one"
    case .noObjectLinkedFromSeveral: "no object is linked from more than one"
    }
  }
}
