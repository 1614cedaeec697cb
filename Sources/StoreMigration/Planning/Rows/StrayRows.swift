import MigrationSQL
import ModelDescription
import PersistentStores

/// The rows of entities alone in their table that have another entity number, which Core Data never asks for there.
///
/// They are that entity's all the same, and get its number before anything else is done.
struct StrayRows {
  private struct Table {
    let name: String
    let number: Int
    let count: Int
    let total: Int
  }

  private let tables: [Table]

  /// Finds them in a store whose rows were counted by entity number; 0 stands for rows without one.
  init(_ source: StoreModel, in snapshot: StoreSnapshot) {
    tables = source.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content, source.hierarchy.isAlone(root),
        let number = source.number(of: root), let counts = snapshot.rowCounts[table.name]
      else { return nil }
      let total = counts.values.reduce(0, +)
      let count = total - counts[number, default: 0]
      return count > 0 ? Table(name: table.name, number: number, count: count, total: total) : nil
    }
  }

  /// What the store holds once they have their number.
  func numbered(_ snapshot: StoreSnapshot) -> StoreSnapshot {
    var snapshot = snapshot
    for table in tables { snapshot.rowCounts[table.name] = [table.number: table.total] }
    return snapshot
  }

  /// Lets a plan begin with giving them their number.
  func number(in plan: inout MigrationPlan) {
    let column: SQLStatement = "\(name: "Z_ENT")"
    let steps = tables.map { table in
      PlanStep(
        """
        UPDATE \(name: table.name) SET \(column) = \(.number(table.number)) \
        WHERE \(column) IS NOT \(.number(table.number))
        """, cause: .strayRowsNumbered, rows: table.count,
        writing: .columns(["Z_ENT"], of: table.name))
    }
    guard !steps.isEmpty else { return }
    plan.scope = nil
    plan.phases.insert(PlanPhase(steps: steps), at: 0)
  }
}

extension EntityHierarchy {
  /// True for an entity without parent and sub-entities, whose table holds no other's rows.
  func isAlone(_ entity: String) -> Bool { superentity(of: entity) == nil && subentities(of: entity).isEmpty }
}
