/// What Core Data's own migration fails with, by the number that an app prints and people search for.
///
/// What only a save fails with has its numbers in `SaveBlocker.code` of ObjectStores.
///
/// Source: Apple's `CoreDataErrors.h`.
public enum CoreDataError: Int, Hashable, Sendable {
  /// `NSValidationMissingMandatoryPropertyError`: a required property has no value.
  case missingMandatoryProperty = 1570
  /// `NSValidationRelationshipLacksMinimumCountError`: a relationship leads to too few objects.
  case relationshipLacksMinimumCount = 1580
  /// `NSValidationRelationshipExceedsMaximumCountError`: a relationship leads to too many objects.
  case relationshipExceedsMaximumCount = 1590
  /// `NSMigrationError`: objects do not meet what the destination asks of them.
  case migration = 134110
  /// `NSMigrationConstraintViolationError`: objects are not unique as the destination wants them.
  case constraintViolation = 134111
  /// `NSMigrationMissingSourceModelError`: no model has the hashes of the store.
  case missingSourceModel = 134130
  /// `NSEntityMigrationPolicyError`: a policy of a mapping model failed.
  case entityMigrationPolicy = 134170
  /// `NSInferredMappingModelError`: there is no inferred mapping between two models.
  case inferredMappingModel = 134190
}

extension CoreDataError: CustomStringConvertible {
  /// The error's domain and number.
  public var description: String { "NSCocoaErrorDomain \(rawValue)" }
}
