import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A source table that stays and becomes a table of the destination by `ALTER TABLE`.
struct TableAlteration {
  /// A value that rows get in the one pass.
  struct Assignment {
    let column: String
    let value: SQLStatement
    /// The rows whose value would change, nil for all.
    let condition: SQLStatement?
    /// The entities whose rows it is meant for, nil for all; others must keep what they have.
    let scope: SQLStatement?
    let cause: PlanCause.ColumnValue
  }

  let source: SQLTable
  let destination: SQLTable
  /// The destination's name for every source column that stays.
  private(set) var columns: [String: String] = [:]
  /// The destination's columns that are new.
  private(set) var additions: [SQLColumn] = []
  /// The source's columns that go.
  private(set) var removals: [SQLColumn] = []
  /// The columns that stay under another type.
  var retypings: [ColumnRetyping] = []
  /// What rows get that stay what they are.
  var assignments: [Assignment] = []
  /// How these rows come about, nil where they are links or written by other steps.
  var transfer: TableTransfer?

  /// Takes the two tables, no column of which stays yet.
  init(of source: SQLTable, to destination: SQLTable, columns: [String: String] = [:]) {
    self.source = source
    self.destination = destination
    self.columns = columns
  }

  /// Has a column stay under another name; a column that stays already cannot become two.
  ///
  /// - Parameters:
  ///   - name: the source's name.
  ///   - column: the destination's column.
  /// - Returns: false when it stays as another one.
  @discardableResult mutating func keep(_ name: String, as column: SQLColumn) -> Bool {
    guard columns[name] == nil else { return false }
    columns[name] = column.name
    return true
  }

  /// Adds an empty column.
  mutating func add(_ column: SQLColumn) { additions.append(column) }

  /// Has all columns go that do not stay.
  mutating func removeRest() { removals = source.columns.filter { columns[$0.name] == nil } }

  /// Has a column stay for a while that goes otherwise, for a new one to take its place.
  mutating func withdrawRemoval(of column: SQLColumn) { removals.removeAll { $0 == column } }

  /// False when a constraint within the table's own statement would stay that the destination does not have.
  func keepsConstraints(in context: PlanningContext) -> Bool {
    let wanted = context.destination.layout.indexes.filter { $0.isUnique && $0.table == destination.name }
    return context.snapshot.indexes.allSatisfy { index in
      guard index.table == source.name, index.isInline else { return true }
      return wanted.contains { $0.columns.map(\.name) == index.columns.map { columns[$0] ?? $0 } }
    }
  }
}
