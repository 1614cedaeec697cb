public import MigrationSQL
import PersistentStores

extension PlanCause: CustomStringConvertible {
  /// The cause as a clause, for the comment above the statement.
  public var description: String {
    switch self {
    case .entityAdded(let name): "entity \(name) is added"
    case .entityRemoved(let name): "entity \(name) is removed"
    case .rowsOfEntitiesRemoved(let names):
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") removed"
    case .rowsCopied(let root): "the rows of \(root) are copied"
    case .copiedTableGoes: "its rows have been copied"
    case .tableRenamed: "the table's name follows the model"
    case .tableGivesWay: "it gets a temporary name, because another table needs its name"
    case .readersFollowNames: "views and triggers that the app created keep their names of tables"
    case .joinTableMade: "the links of a many-to-many relationship"
    case .joinTableGoes(let address): "the links of \(address) are removed or stored again"

    case .columnAdded(let role): "\(role.subject) is added"
    case .columnRemoved(let role): "\(role.subject) is removed"
    case .columnRenamed: "the column's name follows the model"
    case .columnRetyped: "the column's type follows the model; SQLite stores its values in the same way for both types"
    case .columnNameReturns: "the column has its new type and gets its own name back"
    case .columnOfAppKept(let name): "column \(name), which is not part of the model, is kept"
    case .values(let reasons):
      reasons.enumerated().filter { reasons.firstIndex(of: $1) == $0 }.map(\.element.words).joined(separator: "; ")
    case .derivedValues(let address): "\(address) is derived from what changed"

    case .linksMoved(let address): "the links of \(address) are stored in another way"
    case .linksMirrored: "the relationship is now its own inverse"
    case .linksOrdered(let address): "\(address) is now ordered"
    case .linksOrderedAtOtherEnd(let address): "the inverse of \(address) is now ordered"
    case .linksToRemovedRowsEmptied(let address): "links of \(address) to rows that it no longer points to are cleared"
    case .linksToRemovedRowsRemoved(let address): "links of \(address) to rows that it no longer points to are removed"

    case .duplicatesRemoved(let entity, let policy):
      "of the \(entity) rows with equal values, one is kept (\(policy.rawValue))"
    case .misnumberedRowsNumbered: "the table is for one entity, so all its rows get the number of that entity"

    case .indexMade: "an index of the new model"
    case .indexReplaced(let name): "in the new model, the index \(name) is for the same columns"
    case .indexOfSameNameReplaced: "the new model has a different index of this name"
    case .indexNotInModel: "it is not in the new model"
    case .indexOfAppGoes: "its columns are removed"
    case .indexNameNeeded: "another index needs its name"
    case .indexOfAppMade: "an index that the app created"
    case .spatialIndexMade: "a spatial index of the new model"
    case .madeAnew: "it is created again for the new model"
    case .triggerMade: "it updates derived values and spatial indexes"
    case .triggerOfAppMade: "a trigger that the app created"
    case .unreadableViewDropped: "it cannot be read, and SQLite could not rename columns because of it"
    case .unreadableViewMade: "a view that the app created, unchanged"

    case .entitiesRenumbered: "entities are renumbered"
    case .historyRenumbered: "persistent history follows the entity numbers"
    case .historyColumns: "updates in persistent history keep naming the properties that changed"
    case .historyTombstones: "deletions in persistent history keep the values that they recorded"
    case .tombstoneColumnAdded: "later deletions record the values of more attributes"
    case .cloudKitRenumbered: "CloudKit's records follow the entity numbers"
    case .historyOfRemovedEntities: "it records changes to rows of removed entities"
    case .keysContinue: "new primary keys begin after the keys in use"
    case .entityNumbers: "the entities and their numbers follow the model"
    case .hashesRecorded: "the store records the hashes of the new version"
    case .cachedModelStale: "remove the old model from the store; Core Data adds the new one when the app opens it"
    case .cachedModelKnown: "add the new model, as the destination store contains it"
    case .exactValuesFollow: "values that columns cannot hold exactly follow their attributes"

    case .mapped(let step): step.words
    case .filteredKeys(let step): "\(step.words), if the filter matches"
    case .freeKeys(let step): "\(step.words); a key in use is replaced by a new key above all keys"
    case .tableReadFrom: "its objects are read from here while new objects are created"
    case .tableHasBeenRead: "its objects have been read"
    case .tableMade: "a table of the new model"
    case .columnOfNameAdded(let name): "column \(name) is added"
    case .columnOfNameRemoved(let name): "column \(name) is not in the new model"
    case .columnTakesPlace(let old, let name): "\(name) replaces \(old)"
    case .objectsCarriedOver(let table):
      "the objects of \(table) are kept in place, as new objects of their entity"
    case .referencesToNothing: "references to objects that do not exist, or are not copied, are cleared"
    case .linksGathered(let address): "the links of \(address) are gathered"
    case .linksWritten(let address): "the links of \(address)"
    case .linksSuperseded(let address): "of several links of \(address), the latest is kept"
    case .linkCandidates(let address): "of several candidates of \(address), the first is kept"
    case .linkPlaces(let address): "the order of \(address)"
    case .linksKeptInOrder(let address): "\(address) is now ordered"
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
  /// The statement of the step, or a comment that describes the work of its policies.
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
    case .create: "the policy \(className) creates the objects of \(mapping), row by row"
    case .relate: "the policy \(className) links the objects of \(mapping), row by row"
    case .linked: "the policy \(className) is called after the objects of \(mapping) are linked"
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
    case .toOneOrder(let address): "the order in the inverse of \(address)"
    case .toManyOwnerOrder(let address): "the order of \(address)"
    case .joinSource(let address), .joinDestination(let address), .joinSourceOrder(let address),
      .joinDestinationOrder(let address):
      "relationship \(address)"
    }
  }
}
