/// What looking into a mapping model finds, by the id that findings and rules have, stable across releases.
enum MappingRule: String {
  case abstractDestination = "mapping-abstract-destination"
  case cycle = "mapping-cycle"
  case drift = "mapping-drift"
  case duplicateName = "mapping-duplicate-name"
  case duplicateProperty = "mapping-duplicate-property"
  case expression = "mapping-expression"
  case filter = "mapping-filter"
  case policy = "mapping-policy"
  case propertyKind = "mapping-property-kind"
  case sql = "mapping-sql"
  case uncoveredSource = "mapping-uncovered-source"
  case undecided = "mapping-undecided"
  case unfilledRequired = "mapping-unfilled-required"
  case unknownEntity = "mapping-unknown-entity"
  case unknownProperty = "mapping-unknown-property"
  case unmappedObjects = "mapping-unmapped-objects"
  case unreadable = "mapping-unreadable"
  case withoutEntities = "mapping-without-entities"
  case withoutPath = "mapping-without-path"
  case wrongObjects = "mapping-wrong-objects"

  /// True for what breaks a step only in stores with certain rows.
  ///
  /// Users have taken such a step, so that about one between versions that users have it is a note.
  var dependsOnRows: Bool { self == .wrongObjects }
}
