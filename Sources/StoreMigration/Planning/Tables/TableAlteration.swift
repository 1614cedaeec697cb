import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A source table that becomes a table of the destination in place, by `ALTER TABLE`.
struct TableAlteration {
  /// A value that rows get in the one pass.
  struct Assignment {
    let column: SQLColumn
    let value: SQLStatement
    /// The rows whose value would change, nil for all.
    let condition: SQLStatement?
    /// The entities whose rows it is meant for, nil for all; others must keep what they have.
    let scope: SQLStatement?
    let reason: PlanCause.ValueReason
  }

  let source: SQLTable
  let destination: SQLTable
  /// The destination's name for every source column that is kept.
  private(set) var columns: [String: String] = [:]
  /// The destination's columns that are new.
  private(set) var additions: [SQLColumn] = []
  /// The source's columns that go.
  private(set) var removals: [SQLColumn] = []
  /// The columns that stay under another type.
  var retypings: [ColumnRetyping] = []
  /// The new values of rows that are kept.
  var assignments: [Assignment] = []
  /// The origin of these rows; nil if they are links or other steps write them.
  var transfer: TableTransfer?

  /// Takes the two tables; no column is kept yet.
  init(of source: SQLTable, to destination: SQLTable, columns: [String: String] = [:]) {
    (self.source, self.destination, self.columns) = (source, destination, columns)
  }

  /// Keeps a column under another name; a column that is already kept cannot become two columns.
  ///
  /// - Parameters:
  ///   - name: the source's name.
  ///   - column: the destination's column.
  /// - Returns: false if the column is kept under a different name.
  @discardableResult mutating func keep(_ name: String, as column: SQLColumn) -> Bool {
    guard columns[name] == nil else { return false }
    columns[name] = column.name
    return true
  }

  mutating func add(_ column: SQLColumn) { additions.append(column) }

  /// Has all columns go that do not stay.
  mutating func removeRest() { removals = source.columns.filter { columns[$0.name] == nil } }

  /// Keeps a column for a while that would be removed, until a new column replaces it.
  mutating func withdrawRemoval(of column: SQLColumn) { removals.removeAll { $0 == column } }

  /// False if a constraint within the table's own statement would stay that the destination does not have.
  func keepsConstraints(in context: PlanningContext) -> Bool {
    let wanted = context.destination.layout.indexes.filter { $0.isUnique && $0.table == destination.name }
    return context.snapshot.indexes.allSatisfy { index in
      guard index.table == source.name, index.isInline else { return true }
      return wanted.contains { $0.columns.map(\.name) == index.columns.map { columns[$0] ?? $0 } }
    }
  }
}

/// The columns of a table by the entities that declare their properties, of which a table of many entities has many.
struct DeclaredColumns {
  /// The columns that do not depend on what an entity declares.
  private let shared: [SQLColumn]
  private let columns: [String: [SQLColumn]]

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
  /// - Returns: the columns of what the entity declares and inherits, those of overridden attributes included.
  func columns(of entity: String, in hierarchy: EntityHierarchy) -> [SQLColumn] {
    shared + hierarchy.lineage(of: entity).flatMap { columns[$0.name] ?? [] }
  }
}

extension PlanningContext {
  /// The columns of a source table that the model does not explain, in the file's order.
  func unknownColumns(ofTable name: String) -> [StoreSnapshot.Column] {
    guard let table = source.layout.tables.first(where: { $0.name == name }),
      let actual = snapshot.tables.first(where: { $0.name == name })
    else { return [] }
    let known = Set(table.columns.map { $0.name.lowercased() })
    return actual.columns.filter { !known.contains($0.name.lowercased()) }
  }

  /// False if something of the app's own, or the condition of an index, may need a column: SQLite then refuses to drop
  /// or rename any.
  func canDropColumns(of table: String) -> Bool {
    snapshot.views.isEmpty && snapshot.triggers.allSatisfy { isCoreDataTrigger($0.name) }
      && !snapshot.indexes.contains { $0.table == table && ($0.sql?.uppercased().contains("WHERE") ?? false) }
  }

  /// The columns beyond the model's that a copied table keeps, with their declared types.
  ///
  /// None has the name of a column of the destination's model; ``refuseTakenNames(_:)`` sees to that.
  func extraColumns(of transfer: TableTransfer) -> [(name: String, type: SQLStatement)] {
    var taken = Set(transfer.destination.columns.map { $0.name.lowercased() })
    return transfer.feeders.flatMap { unknownColumns(ofTable: $0.table.name) }.compactMap { column in
      guard taken.insert(column.name.lowercased()).inserted else { return nil }
      let isPlain = column.type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " (),".contains($0)) }
      return (column.name, SQLStatement(verbatim: isPlain ? column.type : ""))
    }
  }
}
