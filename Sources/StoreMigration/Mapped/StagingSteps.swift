import PersistentStores

/// Moves the source's tables aside, makes the destination's, and drops the former at the end.
struct StagingSteps {
  /// Renaming and making tables.
  private(set) var opening: [PlanStep] = []
  /// Dropping what is no longer needed.
  private(set) var closing: [PlanStep] = []

  init(_ context: MappedContext, transfers: [TableTransfer]) {
    let aside = "what the app made itself goes on to mean the table of that name"
    let former = context.source.layout.tables
    if !former.isEmpty {
      opening.append(PlanStep("PRAGMA legacy_alter_table = ON", cause: aside))
      for table in former {
        let name = StoreModel.stagedName(of: table.name)
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: table.name) RENAME TO \(name: name)",
            cause: "its objects are read from here while new ones are made"))
      }
      opening.append(PlanStep("PRAGMA legacy_alter_table = OFF", cause: aside))
    }
    for table in context.destination.layout.tables {
      opening.append(PlanStep(table.creation, cause: "a table of the new model"))
    }
    for transfer in transfers {
      for (name, type) in context.surroundings.extraColumns(of: transfer) {
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: transfer.destination.name) ADD COLUMN \(name: name) \(type)",
            cause: "column \(name), which is not the model's, is kept"))
      }
    }
    closing = former.map { table in
      PlanStep(
        "DROP TABLE \(name: StoreModel.stagedName(of: table.name))", cause: "its objects have been read",
        cost: context.surroundings.mayHaveRows(inTable: table.name) ? .rows : .schema,
        rows: context.surroundings.rowCount(ofTable: table.name))
    }
  }
}
