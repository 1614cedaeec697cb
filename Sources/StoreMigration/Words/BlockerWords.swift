import MappingModels
import ModelDescription
import PersistentStores

extension PlanCheck.Blocker {
  /// Core Data's own wording, or ours where it has none.
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
      "links of \(relationship) would have to move to rows that are no \(destination)"
    }
  }

  /// What it means, in our words.
  public var explanation: String {
    switch self {
    case .requirement(let requirement): requirement.explanation
    case .rowsOfNoEntity(_, let table):
      """
      they belong to no entity of the model, so nothing says what becomes of them; Core Data never reads them; take them \
      out of a copy of the store with: DELETE FROM \(SQLIdentifier(table).quoted) WHERE COALESCE("Z_ENT", 0) NOT IN \
      (SELECT "Z_ENT" FROM "Z_PRIMARYKEY")
      """
    case .abstractEntity(let entity, let mapping):
      "\(mapping) makes objects of \(entity), which is abstract; have it make those of a sub-entity"
    case .valueMissing(let entity, let attribute, let mapping, let source):
      """
      \(entity).\(attribute) is required, and \(mapping) gives these objects of \(source) no value; give it an \
      expression that is never nil, such as TERNARY($source.key == nil, value, $source.key), or filter the objects out
      """
    case .valueLeftOut(let entity, let attribute, let mappings):
      """
      \(entity).\(attribute) is required, and the policy leaves it without a value; have it set one, or give the \
      attribute an expression in \(Self.names(of: mappings))
      """
    case .tooFewLinks(let entity, let relationship, let minimum, _, let mappings):
      """
      \(entity).\(relationship) needs \(minimum) \(minimum == 1 ? "object" : "objects"); give it an expression in \
      \(Self.names(of: mappings)) that links as many, or leave these objects out by its filter
      """
    case .tooManyLinks(let entity, let relationship, let maximum, let mappings):
      """
      \(entity).\(relationship) may hold \(maximum) objects; give it an expression in \(Self.names(of: mappings)) \
      that links no more, or raise its maximum in the model
      """
    case .notUnique(let entity, let properties):
      """
      \(entity) is unique by \(properties.joined(separator: ", ")), so no two objects may have the same values; give the \
      mapping a filter that takes one of them (--dedupe is for inferred steps)
      """
    case .severalPartners: "the mapping gives an object several partners here, and it can have one"
    case .partnerRemoved(_, _, let duplicate):
      """
      the \(duplicate) it leads to goes as a duplicate, and a one-to-one link does not move to the one that stays; remove \
      these rows, or give them another partner, before
      """
    case .duplicateOfOtherEntity:
      """
      they would go as duplicates of rows of another entity; the other policy of --dedupe may keep them, or remove one \
      of the equal rows before
      """
    }
  }

  /// The option that would let the migration run.
  public var remedy: String? {
    switch self {
    case .requirement(.fits(let entity, let attribute, _)): LossConsent.option("\(entity).\(attribute)")
    case .requirement(let requirement): requirement.remedy?.options
    case .severalPartners(let address, _): "--keep-first \(address)"
    default: nil
    }
  }

  private static func names(of mappings: [String]) -> String {
    mappings.isEmpty ? "its mapping" : mappings.joined(separator: " and ")
  }
}

extension MappingRequirement.Remedy {
  /// The options alone, joined by “or”.
  fileprivate var options: String {
    advice.parts.compactMap { part in
      guard case .option(let name, let value) = part else { return nil }
      return value.map { "\(name) \(ShellWord($0).text)" } ?? name
    }.joined(separator: " or ")
  }
}
