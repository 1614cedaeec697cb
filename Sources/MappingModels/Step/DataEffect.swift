import ModelComparison
public import ModelDescription

/// The effect of a change on the data in stores.
public enum DataEffect: Hashable, Sendable {
  /// No stored data depends on the change.
  case none
  /// The change affects only rows that are saved later.
  case noneOnExistingRows
  /// Only the effect of the ancestor's change.
  case noneBeyondAncestor
  /// The added property is not stored.
  case nothingIsStored
  /// The removed property was not stored, or no row had it.
  case nothingWasStored
  /// No store migrates, so that a renamed property's column keeps its name.
  case columnKeepsItsName
  /// The entity keeps its name and hash and is copied, so that a renamed property's column keeps its name.
  case columnIsCopied
  /// Stores keep their indexes, and get no new indexes.
  case indexesStay
  /// Stores get the indexes with the migration that other changes of the entity make.
  case indexesFollow
  /// Entities may belong to the store of a different configuration.
  case otherStore
  /// The attributes that use the composite change.
  case atAttributesOfComposite

  // From the outcome of the step
  /// A mapping model decides about the rows.
  case mapped
  /// No mapping is inferred, and the step needs a mapping model.
  case unmapped
  /// The values can be converted on request.
  case convertible
  case noConversion
  /// Rows of several source roots have the same primary keys.
  case keysOfRootsClash([String])

  // From the requirements and losses of the step
  /// The rows must meet something; true for a property that they do not have yet.
  case demanded(MappingRequirement, isNew: Bool)
  /// The complete element is lost.
  case lost(DataLoss.Kind)
  /// Something is lost that other elements have, or only some entities.
  case losses([DataLoss])

  // Data that is kept or added
  case tableStartsEmpty
  case rowsKept
  case rowsMayChangeTable
  case abstractEntityHasNoRows
  case defaultForExistingRows(AttributeValue)
  case defaultForRowsWithoutValue(AttributeValue)
  case defaultsOfElements
  case noValueInExistingRows
  case valueComputed
  case valueComputedAnew
  case derivedValuesKept
  case derivedValuesGo
  case valuesKept
  case existingValuesStay
  case valuesConverted
  case elementsLikeAttributes
  case valuesStayInRows
  case valuesMoveIntoRows
  case existingRowsUnchecked
  case existingRowsUncheckedUntilSaved
  case noLinksInExistingRows
  case linksKept
  case linkBecomesSetOfOne
  case linksGetOrder
  case laterDeletionsOnly
}

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
    case .columnKeepsItsName: "no store migrates, so stored data keeps its former name"
    case .columnIsCopied: "the entity keeps its hash and is copied, so stored data keeps its former name"
    case .indexesStay: "existing stores keep their indexes"
    case .indexesFollow: "existing stores get the indexes with the migration"
    case .otherStore: "entities may belong to another store"
    case .atAttributesOfComposite: "the change is shown at the attributes that use it"

    case .mapped: "the mapping model decides about the data"
    case .unmapped: "a mapping model must decide about the data"
    case .convertible: "values can be converted on request"
    case .noConversion: "no conversion exists"
    case .keysOfRootsClash(let roots):
      "the rows of \(roots.joined(separator: " and ")) have tables of their own and the same primary keys"

    case .demanded(let requirement, let isNew): requirement.effect(isNew: isNew)
    case .lost(let kind): kind.effect
    case .losses(let losses): losses.map(\.sentence).joined(separator: "; ")

    case .tableStartsEmpty: "its table starts empty"
    case .rowsKept: "the rows are kept"
    case .rowsMayChangeTable: "the rows are kept and may move to another table"
    case .abstractEntityHasNoRows: "an abstract entity has no rows"
    case .defaultForExistingRows(let value):
      "existing rows get the default value \(AspectValue.value(value).words(in: style))"
    case .defaultForRowsWithoutValue(let value):
      "rows without a value get the default value \(AspectValue.value(value).words(in: style))"
    case .defaultsOfElements: "existing rows get the elements' default values, or no value"
    case .noValueInExistingRows: "existing rows have no value"
    case .valueComputed: "the value is computed for existing rows"
    case .valueComputedAnew: "the value is computed again for existing rows"
    case .derivedValuesKept: "the derived values are kept"
    case .derivedValuesGo: "the derived values are deleted"
    case .valuesKept: "the values are kept"
    case .existingValuesStay: "existing rows keep their values"
    case .valuesConverted: "the values are converted"
    case .elementsLikeAttributes: "elements are added, removed or converted like attributes"
    case .valuesStayInRows: "values are kept in the rows until they are saved again"
    case .valuesMoveIntoRows: "values in external files move into the rows"
    case .existingRowsUnchecked: "existing rows are not checked"
    case .existingRowsUncheckedUntilSaved: "existing rows are not checked; saving them later may fail"
    case .noLinksInExistingRows: "existing rows have no links"
    case .linksKept: "the links are kept"
    case .linkBecomesSetOfOne: "the link becomes a set of one link"
    case .linksGetOrder: "the links get the order in which their objects were created"
    case .laterDeletionsOnly: "only later deletions follow the new rule"
    }
  }
}

extension MappingRequirement {
  fileprivate func effect(isNew: Bool) -> String {
    switch self {
    case .mandatoryAttribute:
      isNew ? "existing rows would lack a required value" : "rows without a value would break the rule"
    case .mandatoryRelationship:
      isNew ? "existing rows would lack a required link" : "rows without a link would break the rule"
    case .unique: "rows of equal values would break the rule"
    case .fits: "values are converted; values that do not fit would change"
    case .atMostOne: "links beyond the first would be lost"
    case .oneOwner: "of several links to one object, only the first would be kept"
    case .noRowsOfAbstract: "rows of an abstract entity cannot exist"
    }
  }
}

extension DataLoss.Kind {
  fileprivate var effect: String {
    switch self {
    case .entityRemoved: "its rows and the links to them are lost"
    case .attributeRemoved: "the values are lost"
    case .relationshipRemoved: "the links are lost"
    case .attributeBecameRelationship: "the attribute's values are lost, and the relationship starts without links"
    case .relationshipBecameAttribute: "the links are lost, and the attribute starts without the old values"
    case .orderLost: "the order is lost"
    case .narrowing: "values that do not fit change"
    case .linksDropped: "links to objects that it can no longer hold are lost"
    }
  }
}
