import MigrationSQL
import PersistentStores

extension PlanStep {
  /// What a statement does to rows of the store, so that what no statement touches is not verified again.
  enum Writing: Hashable, Sendable {
    /// It reads them only: it makes indexes, drops tables, or writes temporary tables.
    case nothing
    /// It makes, removes or changes rows of a table.
    case rows(of: String)
    /// It changes some columns of a table's rows and leaves the rows and their keys.
    case columns([String], of: String)
    /// It changes what persistent history says of objects, and no object.
    case history
    /// Nobody says.
    case anything
  }
}

extension PlanStep {
  /// True for a step over rows of objects.
  var touchesObjects: Bool { cost == .rows && writing != .history }
}

extension [PlanStep] {
  /// What the steps write, by the tables' names in the end, nil when one of them does not say.
  ///
  /// - Parameter names: the names that tables get which keep their rows, and those of their columns, by the names before.
  /// - Returns: what is to be verified.
  func scope(
    renaming names: [String: (name: String, columns: [String: String])] = [:]
  ) -> VerificationScope? {
    var scope = VerificationScope()
    for step in self {
      switch step.writing {
      case .nothing, .history: continue
      case .anything: return nil
      case .rows(let table):
        scope.add(table, .rows)
        if let kept = names[table] { scope.add(kept.name, .rows) }
      case .columns(let columns, let table):
        scope.add(table, .columns(Set(columns)))
        if let kept = names[table] { scope.add(kept.name, .columns(Set(columns.map { kept.columns[$0] ?? $0 }))) }
      }
    }
    return scope
  }
}

extension PlanStep {
  /// Makes a step that drops a table of the source, which may go by another name now.
  init(dropping table: String, named name: String, cause: PlanCause, in context: PlanningContext) {
    self.init(
      "DROP TABLE \(name: name)", cause: cause, cost: context.mayHaveRows(inTable: table) ? .rows : .schema,
      rows: context.rowCount(ofTable: table))
    writing = .nothing
  }
}
