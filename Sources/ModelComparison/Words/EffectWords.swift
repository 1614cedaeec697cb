package import ModelDescription

extension DataEffect: CustomStringConvertible {
  /// The effect as a clause.
  public var description: String { words(in: .written) }

  /// The effect as a clause to be read or heard.
  package func words(in style: WordStyle) -> String {
    switch self {
    case .none: "no effect on the data"
    case .noneOnExistingRows: "no effect on existing rows"
    case .noneBeyondAncestor: "no effect on the data beyond the ancestor's"
    case .nothingIsStored: "nothing is stored"
    case .nothingWasStored: "nothing was stored"
    case .columnKeepsItsName: "no store migrates, so that what is stored stays under its former name"
    case .indexesStay: "existing stores keep their indexes"
    case .otherStore: "entities may belong to another store"
    case .atAttributesOfComposite: "what changes is told at the attributes that use it"

    case .tableStartsEmpty: "its table starts empty"
    case .rowsKept: "the rows are kept"
    case .rowsMayChangeTable: "the rows are kept and may move to another table"
    case .rowsAndLinksLost: "its rows and the links to them are lost"
    case .abstractEntityHasNoRows: "an abstract entity has no rows"
    case .rowsOfAbstractEntity: "rows of an abstract entity cannot exist"
    case .equalRowsBreakRule: "rows of equal values would break the rule"
    case .keysOfRootsClash(let roots):
      "the rows of \(roots.joined(separator: " and ")) have tables of their own and the same primary keys"

    case .defaultForExistingRows(let value):
      "existing rows get the default value \(AspectValue.value(value).words(in: style))"
    case .defaultForRowsWithoutValue(let value):
      "rows without a value get the default value \(AspectValue.value(value).words(in: style))"
    case .defaultsOfElements: "existing rows get the elements' default values, or none"
    case .noValueInExistingRows: "existing rows have no value"
    case .requiredValueMissing: "existing rows would lack a required value"
    case .rowsWithoutValueBreakRule: "rows without a value would break the rule"
    case .valueComputed: "the value is computed for existing rows"
    case .valueComputedAnew: "the value is computed anew for existing rows"
    case .derivedValuesKept: "the derived values are kept"
    case .derivedValuesGo: "the derived values go"
    case .valuesKept: "the values are kept"
    case .valuesLost: "the values are lost"
    case .storedValuesLost: "the stored values are lost"
    case .existingValuesStay: "existing rows keep their values"
    case .valuesConverted: "the values are converted"
    case .valuesConvertedIfTheyFit: "values are converted; those that do not fit would change"
    case .valuesConvertedWhenAsked: "values can be converted when asked for"
    case .noConversion: "no conversion exists"
    case .elementsLikeAttributes: "elements are added, removed or converted like attributes"
    case .valuesStayInRows: "values stay in the rows until they are written again"
    case .valuesMoveIntoRows: "values in files beside the store move into the rows"
    case .existingRowsUnchecked: "existing rows are not checked"
    case .existingRowsUncheckedUntilSaved: "existing rows are not checked; saving them later may fail"

    case .noLinksInExistingRows: "existing rows have no links"
    case .requiredLinkMissing: "existing rows would lack a required link"
    case .rowsWithoutLinkBreakRule: "rows without a link would break the rule"
    case .linksKept: "the links are kept"
    case .linksKeptWhereAllowed: "links that may lead there are kept"
    case .linksKeptWhereEndsStay: "the links are kept where both ends stay the same"
    case .linksLost: "the links are lost"
    case .storedLinksLost: "the stored links are lost"
    case .linksBeyondFirstLost: "links beyond the first would be lost"
    case .linkBecomesSetOfOne: "the one link becomes a set of one"
    case .linksGetOrder: "the links get the order in which their objects were made"
    case .orderLost: "the order is lost"
    case .laterDeletionsOnly: "only later deletions follow the new rule"

    case .valuesLostAndNoLinks: "the attribute's values are lost, and the relationship starts without links"
    case .linksLostAndNoValues: "the links are lost, and the attribute starts without the old values"
    }
  }
}
