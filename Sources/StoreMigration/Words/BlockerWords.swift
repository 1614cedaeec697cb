import MappingModels
public import ModelDescription
import PersistentStores

extension PlanCheck.Blocker {
  /// Core Data's own wording, or modelctl's if Core Data has no message for it.
  public var reason: String {
    switch self {
    case .requirement(let requirement): requirement.reason
    case .rowsOfNoEntity(_, let table): "rows of \(table) have an entity number that no entity has"
    case .abstractEntity: "Cannot migrate store: objects of an entity that is abstract in the destination"
    case .valueMissing, .valueLeftOut: "Validation error missing attribute values on mandatory destination attribute"
    case .tooFewLinks(_, _, _, isStated: true, _): "Validation error: too few objects in a destination relationship"
    case .tooFewLinks: "Validation error missing attribute values on mandatory destination relationship"
    case .tooManyLinks: "Validation error: too many objects in a destination relationship"
    case .notUnique: "Constraint violation during attempted migration"
    case .severalPartners(_, isToOne: true):
      "Cannot migrate store: too many objects for a to-one destination relationship"
    case .severalPartners: "Cannot migrate store: an object in several to-many relationships without inverse"
    case .partnerRemoved: "a required relationship would lose its object"
    case .duplicateOfOtherEntity(_, let relationship, let destination):
      "links of \(relationship) would have to move to rows that do not belong to \(destination)"
    }
  }

  /// The meaning of the blocker, in modelctl's words.
  public var explanation: String {
    switch self {
    case .requirement(let requirement): requirement.explanation
    case .rowsOfNoEntity:
      "they belong to no entity of the model, so their destination is unknown; Core Data never reads them"
    case .abstractEntity(let entity, let mapping): "\(mapping) creates objects of \(entity), which is abstract"
    case .valueMissing(let entity, let attribute, let mapping, let source):
      "\(entity).\(attribute) is required, and \(mapping) gives these objects of \(source) no value"
    case .valueLeftOut(let entity, let attribute, _):
      "\(entity).\(attribute) is required, and the policy leaves it without a value"
    case .tooFewLinks(let entity, let relationship, let minimum, _, _):
      "\(entity).\(relationship) needs at least \(minimum) \(minimum == 1 ? "object" : "objects")"
    case .tooManyLinks(let entity, let relationship, let maximum, _):
      "\(entity).\(relationship) can hold at most \(maximum) \(maximum == 1 ? "object" : "objects")"
    case .notUnique(let entity, let properties):
      "\(entity) is unique by \(properties.joined(separator: ", ")), so no two objects may have the same values"
    case .severalPartners: "the mapping links an object to several objects here, and it can be linked to only one"
    case .partnerRemoved(_, _, let duplicate):
      """
      the \(duplicate) that it points to is removed as a duplicate, and a one-to-one link does not move to the row that \
      is kept
      """
    case .duplicateOfOtherEntity: "they would be removed as duplicates of rows of another entity"
    }
  }

  /// The remedy, with the option that lets the migration run if there is one.
  public var remedy: Advice? {
    switch self {
    case .requirement(.fits(let entity, let attribute, _)):
      "allow the change of these values: \(option: LossConsent.optionName, "\(entity).\(attribute)")"
    case .requirement(let requirement): requirement.remedy?.advice
    case .rowsOfNoEntity(_, let table):
      """
      remove them from a copy of the store with the SQL statement DELETE FROM \(SQLIdentifier(table).quoted) \
      WHERE COALESCE("Z_ENT", 0) NOT IN (SELECT "Z_ENT" FROM "Z_PRIMARYKEY")
      """
    case .abstractEntity: "change the mapping to create objects of a sub-entity"
    case .valueMissing:
      """
      give the attribute an expression that is never nil, such as TERNARY($source.key == nil, value, $source.key), or \
      filter the objects out
      """
    case .valueLeftOut(_, _, let mappings):
      "set a value in the policy, or give the attribute an expression in \(Self.names(of: mappings))"
    case .tooFewLinks(_, _, _, _, let mappings):
      """
      give the relationship an expression in \(Self.names(of: mappings)) that links enough objects, or filter these \
      objects out
      """
    case .tooManyLinks(_, _, _, let mappings):
      """
      give the relationship an expression in \(Self.names(of: mappings)) that links fewer objects, or raise its \
      maximum in the model
      """
    case .notUnique:
      """
      give the mapping a filter that selects one of them; policies for duplicates apply only to inferred steps
      """
    case .severalPartners(let address, _):
      "keep the first link of each object: \(option: "--keep-first", address.description)"
    case .partnerRemoved: "delete these rows before the migration, or link them to other objects"
    case .duplicateOfOtherEntity:
      "choose the other policy for duplicates, which may keep them; or delete one of the equal rows before the migration"
    }
  }

  private static func names(of mappings: [String]) -> String {
    mappings.isEmpty ? "its mapping" : mappings.joined(separator: " and ")
  }
}
