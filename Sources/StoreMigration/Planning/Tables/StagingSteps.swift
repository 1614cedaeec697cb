import MigrationSQL
import PersistentStores

/// Moves the source's tables aside, makes the destination's, and drops the source's at the end.
struct StagingSteps {
  /// Renaming and making tables.
  private(set) var opening: [PlanStep] = []
  /// Dropping what is no longer needed.
  private(set) var closing: [PlanStep] = []
  /// What the app made itself and does not stay.
  private(set) var notes: [PlanNote] = []

  init(_ context: PlanningContext, for tables: TableFates) {
    let staying = Set(tables.alterations.map(\.destination.name))
    let dropped = tables.dropped
    if !dropped.isEmpty {
      opening.append(PlanStep("PRAGMA legacy_alter_table = ON", cause: .readersFollowNames))
      for table in dropped {
        let name = TemporaryName.source(table.name)
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: table.name) RENAME TO \(name: name)",
            cause: .tableReadFrom(table.content)))
      }
      opening.append(PlanStep("PRAGMA legacy_alter_table = OFF", cause: .readersFollowNames))
    }
    for table in context.destination.layout.tables where !staying.contains(table.name) {
      opening.append(PlanStep(table.creation, cause: .tableMade(table.content)))
    }
    for transfer in tables.copies {
      for (name, type) in context.extraColumns(of: transfer) {
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: transfer.destination.name) ADD COLUMN \(name: name) \(type)",
            cause: .columnOfAppKept(name)))
      }
    }
    for table in dropped where !context.entities.contains(where: { $0.keepsKeys && $0.reads(table) }) {
      notes += context.unknownColumns(ofTable: table.name).map { .columnGoes($0.name, table: table.name) }
    }
    closing = dropped.map { table in
      PlanStep(
        dropping: table.name, named: TemporaryName.source(table.name), cause: .tableHasBeenRead(table.content),
        in: context)
    }
  }
}

extension MappedEntity {
  /// True when the mapping reads rows of a table, by the name it has before anything runs.
  fileprivate func reads(_ table: SQLTable) -> Bool { sourceTable.name == TemporaryName.source(table.name) }
}

extension StoreModel {
  /// The same model with its tables under the names they have while a plan of a mapping model runs.
  ///
  /// - Parameter kept: the tables that stay as they are, and keep their names.
  /// - Returns: the model with the other names.
  func staged(keeping kept: Set<String>) -> StoreModel {
    var layout = layout
    for position in layout.tables.indices where !kept.contains(layout.tables[position].name) {
      layout.tables[position].name = TemporaryName.source(layout.tables[position].name)
    }
    return StoreModel(hierarchy: hierarchy, layout: layout)
  }
}
