public import MigrationSQL
import PersistentStores

extension PlanCause: CustomStringConvertible {
  /// The cause as a clause, which stands above the statement.
  public var description: String {
    switch self {
    case .entityAdded(let name): "entity \(name) is added"
    case .entityRemoved(let name): "entity \(name) is removed"
    case .rowsOfEntitiesRemoved(let names):
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") removed"
    case .rowsCopied(let root): "the rows of \(root) are copied"
    case .copiedTableGoes: "its rows have been copied"
    case .tableRenamed: "the table's name follows the model"
    case .tableGivesWay: "it makes room for a table of that name"
    case .readersFollowNames: "what the app made itself goes on to mean the table of that name"
    case .joinTableMade: "the links of a many-to-many relationship"
    case .joinTableGoes(let address): "the links of \(address) are removed or stored anew"

    case .columnAdded(let role): "\(role.subject) is added"
    case .columnRemoved(let role): "\(role.subject) is removed"
    case .columnRenamed: "the column's name follows the model"
    case .columnRetyped: "the column's type follows the model; its values are kept alike under both"
    case .columnNameReturns: "the column has its new type and gets its own name back"
    case .columnOfAppKept(let name): "column \(name), which is not the model's, is kept"
    case .values(let reasons):
      reasons.enumerated().filter { reasons.firstIndex(of: $1) == $0 }.map(\.element.words).joined(separator: "; ")
    case .derivedValues(let address): "\(address) is derived from what changed"

    case .linksMoved(let address): "the links of \(address) are stored in another way"
    case .linksMirrored: "the relationship is now its own inverse"
    case .linksOrdered(let address): "\(address) is now ordered"
    case .linksOrderedAtOtherEnd(let address): "the other end of \(address) is now ordered"
    case .linksToRemovedRowsEmptied(let address): "links of \(address) to rows that it no longer leads to are emptied"
    case .linksToRemovedRowsRemoved(let address): "links of \(address) to rows that it no longer leads to are removed"

    case .duplicatesRemoved(let entity, let policy):
      "of \(entity) rows with equal values one stays (\(policy.rawValue))"
    case .strayRowsNumbered: "the rows of a table of one entity are that entity's, whatever their number"

    case .indexMade: "an index of the new model"
    case .indexReplaced(let name): "the new model has one index of its columns, \(name)"
    case .indexOfSameNameReplaced: "the new model has another index of its name"
    case .indexNotInModel: "it is not in the new model"
    case .indexOfAppGoes: "its columns go"
    case .indexNameNeeded: "its name is needed for another index"
    case .indexOfAppMade: "an index that the app made itself"
    case .spatialIndexMade: "a spatial index of the new model"
    case .madeAnew: "it is made anew for the new model"
    case .triggerMade: "it keeps derived values and spatial indexes"
    case .triggerOfAppMade: "a trigger that the app made itself"
    case .unreadableViewDropped: "it cannot be read, and would keep SQLite from renaming columns"
    case .unreadableViewMade: "a view that the app made itself, as it was"

    case .entitiesRenumbered: "entities are renumbered"
    case .historyRenumbered: "persistent history follows the entity numbers"
    case .historyColumns: "updates in persistent history go on to name the properties that changed"
    case .historyTombstones: "deletions in persistent history keep the values that they left"
    case .tombstoneColumnAdded: "deletions from now on keep the values of more attributes"
    case .cloudKitRenumbered: "CloudKit's records follow the entity numbers"
    case .historyOfRemovedEntities: "it tells of rows of removed entities"
    case .keysContinue: "new keys begin after those that were given"
    case .entityNumbers: "the entities and their numbers follow the model"
    case .hashesRecorded: "the store records the hashes of the new version"
    case .cachedModelStale: "a stale cached model is worse than none"
    case .exactValuesFollow: "what columns have no room for follows the attributes"

    case .mapped(let step): step.words
    case .filteredKeys(let step): "\(step.words), where the filter holds"
    case .freeKeys(let step): "\(step.words); a key that is taken is replaced by one above all others"
    case .tableReadFrom: "its objects are read from here while new ones are made"
    case .tableHasBeenRead: "its objects have been read"
    case .tableMade: "a table of the new model"
    case .columnOfNameAdded(let name): "column \(name) is added"
    case .columnOfNameRemoved(let name): "column \(name) is not in the new model"
    case .columnTakesPlace(let old, let name): "\(name) takes the place of \(old)"
    case .objectsCarriedOver(let table):
      "the objects of \(table) are carried over as they are, as new ones of their entity"
    case .referencesToNothing: "references to objects that are not there, or not carried over, are emptied"
    case .linksGathered(let address): "the links of \(address) are gathered"
    case .linksWritten(let address): "the links of \(address)"
    case .linksSuperseded(let address): "of several links of \(address) the latest holds"
    case .linkCandidates(let address): "of several candidates of \(address) the first is kept"
    case .linkPlaces(let address): "the order of \(address)"
    case .linksKeptInOrder(let address): "\(address) is kept in an order now"
    case .policy(let pass): pass.sentence
    }
  }
}

extension PlanCause.EntityStep {
  fileprivate var words: String { "\(mapping): \(source) becomes \(destination)" }
}

extension PlanCause.ValueReason {
  fileprivate var words: String {
    switch self {
    case .newDefault: "the default of the new attribute"
    case .defaultForEmptyValues: "empty values of a now required attribute get its default"
    case .typeChanged: "the attribute's type changed"
    case .externalStorageSwitched: "external storage was switched"
    case .entitiesRenumbered: "entities are renumbered"
    case .destinationHasSubentities: "the relationship's destination now has sub-entities"
    case .changed: "the attribute changed"
    }
  }
}

extension PlanStep {
  /// What a reader sees of the step: its statement, or a comment that says what policies do.
  public var statement: SQLStatement {
    switch action {
    case .sql(let statement): statement
    case .policy(let pass): SQLStatement(verbatim: "-- \(pass.sentence.replacing("\n", with: " "))")
    }
  }
}

extension PolicyPass {
  var sentence: String {
    switch stage {
    case .create: "the policy \(className) makes the objects of \(mapping), row by row"
    case .relate: "the policy \(className) links the objects of \(mapping), row by row"
    case .linked: "the policy \(className) is told that the objects of \(mapping) are linked"
    case .validate: "the policy \(className) checks the objects of \(mapping)"
    }
  }
}

extension SQLColumn.Role {
  fileprivate var subject: String {
    switch self {
    case .primaryKey, .entityNumber, .optimisticLock: "the row itself"
    case .attribute(let address): "attribute \(address)"
    case .toOne(let address), .toManyOwner(let address): "relationship \(address)"
    case .toOneEntity(let address): "the destination's entity of \(address)"
    case .toOneOrder(let address): "the order at the other end of \(address)"
    case .toManyOwnerOrder(let address): "the order of \(address)"
    case .joinSource(let address), .joinDestination(let address), .joinSourceOrder(let address),
      .joinDestinationOrder(let address):
      "relationship \(address)"
    }
  }
}
