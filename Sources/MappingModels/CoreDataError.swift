/// The errors of Core Data's own migration, by the number that an app prints and that you can search for.
///
/// `SaveBlocker.code` of ObjectStores has the errors that only a save can fail with.
///
/// Source: Apple's `CoreDataErrors.h`.
public enum CoreDataError: Int, Hashable, Sendable {
  /// `NSValidationMissingMandatoryPropertyError`: a required property lacks a value.
  case missingMandatoryProperty = 1570
  /// `NSValidationRelationshipLacksMinimumCountError`: a relationship has too few objects.
  case relationshipLacksMinimumCount = 1580
  /// `NSValidationRelationshipExceedsMaximumCountError`: a relationship has too many objects.
  case relationshipExceedsMaximumCount = 1590
  /// `NSCoreDataError`: Core Data does not open the store, such as a store that CloudKit cannot mirror.
  case coreData = 134060
  /// `NSMigrationError`: objects do not meet a requirement of the destination.
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
