public import ModelDescription

/// What a change does to what stores hold.
public enum DataEffect: Hashable, Sendable {
  /// Nothing that is stored depends on it.
  case none
  /// Only rows that are written later follow it.
  case noneOnExistingRows
  /// Only what the ancestor's change does.
  case noneBeyondAncestor
  /// The property that comes is not stored.
  case nothingIsStored
  /// The property that goes was not stored.
  case nothingWasStored
  /// No store migrates, so that a renamed property's column keeps its name.
  case columnKeepsItsName
  /// Stores get no index and lose none.
  case indexesStay
  /// Entities may belong to the store of another configuration.
  case otherStore
  /// It is the attributes that use the composite that change.
  case atAttributesOfComposite

  // Entities
  case tableStartsEmpty
  case rowsKept
  case rowsMayChangeTable
  case rowsAndLinksLost
  case abstractEntityHasNoRows
  /// Rows of the entity itself would be left of an abstract entity.
  case rowsOfAbstractEntity
  /// Rows of equal values would break the constraint.
  case equalRowsBreakRule
  /// Rows of several source roots have the same primary keys.
  case keysOfRootsClash([String])

  // Attributes
  case defaultForExistingRows(AttributeValue)
  case defaultForRowsWithoutValue(AttributeValue)
  case defaultsOfElements
  case noValueInExistingRows
  case requiredValueMissing
  case rowsWithoutValueBreakRule
  case valueComputed
  case valueComputedAnew
  case derivedValuesKept
  case derivedValuesGo
  case valuesKept
  case valuesLost
  case storedValuesLost
  case existingValuesStay
  case valuesConverted
  case valuesConvertedIfTheyFit
  case valuesConvertedWhenAsked
  case noConversion
  case elementsLikeAttributes
  case valuesStayInRows
  case valuesMoveIntoRows
  case existingRowsUnchecked
  case existingRowsUncheckedUntilSaved

  // Relationships
  case noLinksInExistingRows
  case requiredLinkMissing
  case rowsWithoutLinkBreakRule
  case linksKept
  case linksKeptWhereAllowed
  case linksKeptWhereEndsStay
  case linksLost
  case storedLinksLost
  case linksBeyondFirstLost
  case linkBecomesSetOfOne
  case linksGetOrder
  case orderLost
  case laterDeletionsOnly

  // A property that becomes one of the other kind
  case valuesLostAndNoLinks
  case linksLostAndNoValues
}
