import MappingModels

/// Plans rows that stay what they are: tables are altered where that is enough, and copied where it is not.
struct InferredRows {
  let context: PlanningContext

  /// - Throws: ``MigrationRefusal``.
  func plan() throws(MigrationRefusal) -> RowPlan {
    try context.refuseUnknownReferences()
    let tables = TableFates(inferredIn: context)
    try context.refuseTakenNames(tables)
    let links = InferredLinks(for: tables, in: context)
    let deduplication = Deduplication(context)
    let (asked, answered) = context.checks()
    return RowPlan(
      context: context, tables: tables, transfers: tables.transfers,
      steps: deduplication.steps + RowRemoval(context, altering: tables.alterations).steps + links.reading
        + TableSteps.steps(for: tables, in: context) + links.writing,
      checks: asked + deduplication.checks, answeredChecks: answered, losses: context.losses() + deduplication.losses)
  }
}
