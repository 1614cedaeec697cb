import MigrationSQL
import PersistentStores

/// Lets persistent history go on to name the properties that updates changed, and to keep the values that deletions left; to
/// run before the entities there get their new numbers.
struct HistorySteps {
  /// The table of changes.
  static let table = "ACHANGE"
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext) {
    guard let table = context.snapshot.tables.first(where: { $0.name == Self.table }) else { return }
    let columns = Set(table.columns.map { $0.name.uppercased() })
    let mapped = MappedHistory.all(in: context)
    if columns.isSuperset(of: ["ZENTITY", "ZCOLUMNS"]), context.mayHaveRows(inTable: Self.table) {
      var bits = MovedBits(mapped, in: context)
      steps += bits.steps()
    }
    if columns.isSuperset(of: ["ZENTITY", "ZCHANGETYPE"]) {
      steps += Tombstones(mapped, columns, in: context).steps()
    }
  }
}
