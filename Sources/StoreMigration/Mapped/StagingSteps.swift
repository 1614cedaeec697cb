import PersistentStores

/// Moves the source's tables aside, makes the destination's, and drops the former at the end.
struct StagingSteps {
  /// Renaming and making tables.
  private(set) var opening: [PlanStep] = []
  /// Dropping what is no longer needed.
  private(set) var closing: [PlanStep] = []
  /// What the app made itself and does not stay.
  private(set) var notes: [String] = []

  init(_ context: MappedContext, transfers: [TableTransfer], keeping kept: [KeptTable]) {
    let aside = "what the app made itself goes on to mean the table of that name"
    let staying = Set(kept.map(\.source.name))
    let former = context.source.layout.tables.filter { !staying.contains($0.name) }
    if !former.isEmpty {
      opening.append(PlanStep("PRAGMA legacy_alter_table = ON", cause: aside))
      for table in former {
        let name = TemporaryName.source(table.name)
        opening.append(
          PlanStep(
            "ALTER TABLE \(name: table.name) RENAME TO \(name: name)",
            cause: "its objects are read from here while new ones are made"))
      }
      opening.append(PlanStep("PRAGMA legacy_alter_table = OFF", cause: aside))
    }
    for table in context.destination.layout.tables where !staying.contains(table.name) {
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
    for table in former where !context.entities.contains(where: { $0.keepsKeys && $0.reads(table) }) {
      notes += context.surroundings.unknownColumns(ofTable: table.name).map {
        "column \($0.name) of \(table.name), which is not the model's, goes with its rows"
      }
    }
    closing = former.map { table in
      PlanStep(
        dropping: table.name, named: TemporaryName.source(table.name), cause: "its objects have been read",
        in: context.surroundings)
    }
  }
}

extension MappedEntity {
  /// True when the mapping reads rows of a table, by the name it has before anything runs.
  fileprivate func reads(_ table: SQLTable) -> Bool { sourceTable.name == TemporaryName.source(table.name) }
}
