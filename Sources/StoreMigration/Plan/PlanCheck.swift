public import MappingModels
public import MigrationSQL
public import ModelDescription
public import PersistentStores

/// A query for blocking rows, which must find no row before anything is written.
public struct PlanCheck: Hashable, Sendable {
  /// The blocker if the query finds rows.
  public var blocker: Blocker
  /// Selects the `Z_PK` of every blocking row, in ascending order.
  public var query: SQLStatement

  /// True if a unique index of the result refuses such rows; the query then runs only after a refusal.
  var isEnforced = false
  /// True if the query reads temporary tables of the plan, which only the plan's connection can read.
  var readsGathered = false
  /// The rows and the condition of a query that tests one row at a time.
  var scan: Scan?

  /// Creates a check.
  public init(blocker: Blocker, query: SQLStatement) { (self.blocker, self.query) = (blocker, query) }

  init(blocker: Blocker, of rows: SQLStatement, where condition: SQLStatement, query: SQLStatement) {
    self.init(blocker: blocker, query: query)
    scan = Scan(rows: rows, condition: condition)
  }

  /// Queries of the same rows, which run in one pass as long as they find no row.
  struct Scan: Hashable, Sendable {
    /// The text after `FROM`.
    var rows: SQLStatement
    /// The condition of a blocking row.
    var condition: SQLStatement
  }

  /// The reason why rows block a migration; elements are those of the destination.
  public enum Blocker: Hashable, Sendable {
    /// The rows do not meet what an inferred mapping asks of them.
    case requirement(MappingRequirement)
    /// Rows of a table have an entity number that no entity has.
    case rowsOfNoEntity(root: String, table: String)

    // A custom mapping
    case abstractEntity(String, mapping: String)
    /// An entity mapping lacks a value for a required attribute.
    case valueMissing(entity: String, attribute: String, mapping: String, source: String)
    /// A policy leaves a required attribute without a value.
    case valueLeftOut(entity: String, attribute: String, mappings: [String])
    /// - Parameter isStated: true if the model states a minimum count, false if the relationship is only required.
    case tooFewLinks(entity: String, relationship: String, minimum: Int, isStated: Bool, mappings: [String])
    case tooManyLinks(entity: String, relationship: String, maximum: Int, mappings: [String])
    case notUnique(entity: String, properties: [String])
    /// An object gets several partners and can have one: in a to-one, or as the member of a to-many without inverse.
    case severalPartners(PropertyAddress, isToOne: Bool)

    // Duplicates that are removed
    /// A required one-to-one relationship would lose its object.
    case partnerRemoved(entity: String, relationship: String, duplicate: String)
    /// Links would have to move to rows of a different entity than their relationship leads to.
    case duplicateOfOtherEntity(String, relationship: PropertyAddress, destination: String)
  }
}

extension PlanCheck.Blocker {
  /// The entity or property of the destination model.
  public var element: ModelElement {
    switch self {
    case .requirement(let requirement): requirement.element
    case .rowsOfNoEntity(let entity, _), .abstractEntity(let entity, _), .notUnique(let entity, _),
      .duplicateOfOtherEntity(let entity, _, _):
      .entity(entity)
    case .valueMissing(let entity, let name, _, _), .valueLeftOut(let entity, let name, _),
      .tooFewLinks(let entity, let name, _, _, _), .tooManyLinks(let entity, let name, _, _),
      .partnerRemoved(let entity, let name, _):
      .property(entity: entity, name: name)
    case .severalPartners(let address, _): .property(entity: address.entity, name: address.property)
    }
  }

  /// Core Data's error; nil if Core Data would continue and lose data.
  public var code: CoreDataError? {
    switch self {
    case .requirement(let requirement): requirement.code
    case .abstractEntity, .severalPartners: .migration
    case .valueMissing, .valueLeftOut, .tooFewLinks(_, _, _, isStated: false, _): .missingMandatoryProperty
    case .tooFewLinks: .relationshipLacksMinimumCount
    case .tooManyLinks: .relationshipExceedsMaximumCount
    case .notUnique: .constraintViolation
    case .rowsOfNoEntity, .partnerRemoved, .duplicateOfOtherEntity: nil
    }
  }
}
