public import PersistentStores

/// The reason for a step of a plan, in the models, the mapping or the store.
public enum PlanCause: Hashable, Sendable {
  // Tables
  case entityAdded(String)
  case entityRemoved(String)
  /// Rows of entities are deleted, and the table is kept.
  case rowsOfEntitiesRemoved([String])
  /// The rows of a root entity and of those below it move into a new table.
  case rowsCopied(root: String)
  case copiedTableGoes
  case tableRenamed
  /// A table gets a temporary name, because another table needs its name.
  case tableGivesWay
  /// Views and triggers that the app created keep their names of tables.
  case readersFollowNames
  case joinTableMade
  case joinTableGoes(PropertyAddress)

  // Columns
  case columnAdded(SQLColumn.Role)
  case columnRemoved(SQLColumn.Role)
  case columnRenamed
  /// The type changes in the schema alone, because SQLite keeps the values alike under both.
  case columnRetyped
  /// The column has its new type and gets its own name back.
  case columnNameReturns
  /// A column that is not the model's is kept.
  case columnOfAppKept(String)
  /// Values of columns are written, each for its reason.
  case values([ValueReason])
  case derivedValues(PropertyAddress)

  // Links
  case linksMoved(PropertyAddress)
  case linksMirrored
  case linksOrdered(PropertyAddress)
  /// The inverse of a to-one relationship is ordered now.
  case linksOrderedAtOtherEnd(of: PropertyAddress)
  case linksToRemovedRowsEmptied(PropertyAddress)
  case linksToRemovedRowsRemoved(PropertyAddress)

  // Rows
  /// One of several rows with equal values is kept.
  case duplicatesRemoved(entity: String, policy: MigrationOptions.DuplicatePolicy)
  /// Rows of a table of a single entity get that entity's number.
  case misnumberedRowsNumbered

  // Indexes, triggers, views
  case indexMade
  case indexReplaced(by: String)
  case indexOfSameNameReplaced
  case indexNotInModel
  case indexOfAppGoes
  case indexNameNeeded
  case indexOfAppMade
  case spatialIndexMade
  /// A trigger or a spatial table of the source model.
  case madeAnew
  case triggerMade
  case triggerOfAppMade
  case unreadableViewDropped
  case unreadableViewMade

  // System tables
  case entitiesRenumbered
  case historyRenumbered
  /// Updates in persistent history name properties by places that depend on all properties of the entity.
  case historyColumns
  /// Deletions in persistent history keep values in places that depend on all attributes which are kept.
  case historyTombstones
  /// Deletions keep the values of more attributes than persistent history has columns for.
  case tombstoneColumnAdded
  case cloudKitRenumbered
  case historyOfRemovedEntities
  case keysContinue
  case entityNumbers
  case hashesRecorded
  case cachedModelStale
  /// The destination version came from a store that contains its model.
  case cachedModelKnown
  /// Values for which rows have no room are those of the attributes that they are copied to.
  case exactValuesFollow

  // By a written mapping
  case mapped(EntityStep)
  case filteredKeys(EntityStep)
  case freeKeys(EntityStep)
  /// The objects of a table are read from it while new ones are made.
  case tableReadFrom
  case tableHasBeenRead
  case tableMade
  case columnOfNameAdded(String)
  case columnOfNameRemoved(String)
  /// A column takes the place of a different in every row.
  case columnTakesPlace(of: String, String)
  case objectsCarriedOver(table: String)
  case referencesToNothing
  case linksGathered(PropertyAddress)
  case linksWritten(PropertyAddress)
  /// The latest of several links of an object is kept.
  case linksSuperseded(PropertyAddress)
  /// The first of several candidates of one write is kept.
  case linkCandidates(PropertyAddress)
  case linkPlaces(PropertyAddress)
  case linksKeptInOrder(PropertyAddress)
  case policy(PolicyPass)

  /// An entity mapping with its source and destination entities.
  public struct EntityStep: Hashable, Sendable {
    /// The name of the entity mapping.
    public var mapping: String
    /// The source entity.
    public var source: String
    /// The destination entity.
    public var destination: String
  }

  /// The reason for writing the values of a column.
  public enum ValueReason: Hashable, Sendable, CaseIterable {
    case newDefault
    case defaultForEmptyValues
    case typeChanged
    case externalStorageSwitched
    case entitiesRenumbered
    case destinationHasSubentities
    case changed
  }
}
