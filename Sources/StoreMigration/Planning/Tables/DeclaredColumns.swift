import ModelDescription
import PersistentStores

/// The columns of a table by the entities that declare their properties, of which a table of many entities has many.
struct DeclaredColumns {
  /// The columns that do not depend on what an entity declares.
  private let shared: [SQLColumn]
  private let columns: [String: [SQLColumn]]

  /// Takes the columns of a table.
  init(of table: SQLTable) {
    var shared: [SQLColumn] = []
    var columns: [String: [SQLColumn]] = [:]
    for column in table.columns {
      switch column.role {
      case .attribute(let address), .toOne(let address), .toOneEntity(let address), .toOneOrder(let address):
        columns[address.entity, default: []].append(column)
      // The owner is of another entity than the rows.
      case .primaryKey, .entityNumber, .optimisticLock, .toManyOwner, .toManyOwnerOrder, .joinSource, .joinDestination,
        .joinSourceOrder, .joinDestinationOrder:
        shared.append(column)
      }
    }
    (self.shared, self.columns) = (shared, columns)
  }

  /// The columns that may have a meaning for the rows of an entity: every other one has none.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - hierarchy: the model of the table.
  /// - Returns: the columns of what the entity declares and inherits, those of overridden attributes included.
  func columns(of entity: String, in hierarchy: EntityHierarchy) -> [SQLColumn] {
    shared + hierarchy.lineage(of: entity).flatMap { columns[$0.name] ?? [] }
  }
}
