import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The origin of the rows of every destination entity, with the steps that depend on it.
struct RowPlan {
  /// The look-ups of the steps that do not depend on it.
  let context: PlanningContext
  let tables: TableFates
  /// The tables whose derived values may have to be computed again.
  let transfers: [TableTransfer]
  /// The steps that create, change, link and delete rows.
  var steps: [PlanStep]
  /// The steps on rows that need the plain indexes.
  var closing: [PlanStep] = []
  /// The source roots whose rows a destination root's table gets, where rows are made anew; nil where all keep their keys
  /// and come from the entity that continues in them.
  var feedingRoots: [String: Set<String>]?

  /// The questions that must find no row before anything is written.
  var checks: [PlanCheck]
  /// The questions whose rows the options let it change or remove.
  var answeredChecks: [PlanCheck] = []
  /// The questions that must find no row once the objects are made and linked.
  var validations: [PlanCheck] = []
  /// The losses.
  var losses: [PlannedLoss]
  /// The objects of the app that are removed with their tables.
  var tableNotes: [PlanNote] = []
  /// Further remarks.
  var notes: [PlanNote] = []
  /// The columns of references that need no verification, being copied as they are.
  var copied: [CopiedReferences] = []
  /// The policies in code that steps run.
  var policies: PlannedPolicies?

  /// True if objects are made as a custom mapping says, in new tables or by new values.
  var makesRows: Bool { feedingRoots != nil }
}

/// Plans rows that a custom mapping model makes.
///
/// Objects are made, linked and validated in Core Data's order, but all objects of an entity mapping at once: its three
/// passes become `INSERT … SELECT` statements into new tables beside the old ones. A table whose rows all go on under their
/// keys stays, and gets new columns instead.
struct WrittenRows {
  private let draft: PlanningContext
  private let altered: [WrittenAlteration]
  private let context: PlanningContext
  private let policies: [String: ResolvedPolicy]

  init(_ planner: MigrationPlanner, _ snapshot: StoreSnapshot) throws(MigrationRefusal) {
    var resolved: [String: ResolvedPolicy] = [:]
    for entity in planner.mapping.entityMappings {
      resolved[entity.name] = try ResolvedPolicy.policy(of: entity, by: planner)
    }
    try ReplacementChecks.check(resolved, of: planner)
    policies = resolved
    draft = try PlanningContext(planner, snapshot, policies: resolved)
    try draft.refuseUnknownReferences(rowsChange: draft.movesRows)
    try SnippetChecks.check(draft)
    altered = try WrittenAlteration.tables(in: draft)
    context = try PlanningContext(
      planner, snapshot, policies: resolved, keeping: Set(altered.map(\.alteration.source.name)))
  }

  func plan() throws(MigrationRefusal) -> RowPlan {
    let tables = TableFates(writtenIn: context, altering: altered.map(\.alteration))
    try context.refuseTakenNames(tables)
    let staging = StagingSteps(context, for: tables)
    let gathering = try LinkGathering(context)
    let links = LinkPlanning(gathering, in: context)
    let creation = try CreateSteps(context, tables: tables, links: links)
    var computing: [PlanStep] = []
    for table in altered { computing += try table.computing(links, in: context) }
    let questions = try MappedChecks(context)
    return RowPlan(
      context: context, tables: tables, transfers: tables.transfers,
      steps: staging.opening + (try AssociationSteps(context).steps) + links.tables + creation.steps
        + context.passes(.relate) + links.steps + context.passes(.linked) + context.passes(.validate)
        + computing + staging.closing + altered.flatMap { $0.steps(in: context) },
      closing: links.copied.map { copied in
        let rows = context.entities(filling: copied.table).reduce(0) { $0 + context.rowCount(of: $1) }
        return copied.clearing(rows: rows, keeping: tables.alterations).about(context.subject(of: copied.role))
      },
      feedingRoots: context.feedingRoots, checks: questions.checks, answeredChecks: questions.answered,
      validations: links.checks + MappedValidations(context).checks,
      losses: try MappedLosses(context, gathering).losses, tableNotes: staging.notes,
      notes: gathering.notes + context.notes, copied: links.copied,
      policies: context.hasCode
        ? PlannedPolicies(work: try PolicyWork(context, policies, creation, gathering.functions, links.gathered)) : nil)
  }
}

extension PlanningContext {
  /// The passes of the policies in code, in the order of their mappings.
  fileprivate func passes(_ stage: PolicyPass.Stage) -> [PlanStep] {
    entities.compactMap { entity in entity.pass(stage).map { PlanStep($0, rows: rowCount(of: entity)) } }
  }

  /// The source roots whose rows a destination root's table gets.
  fileprivate var feedingRoots: [String: Set<String>] {
    var roots: [String: Set<String>] = [:]
    for entity in entities {
      let root = destination.hierarchy.rootName(of: entity.destination)
      roots[root, default: []].insert(source.hierarchy.rootName(of: entity.source))
    }
    return roots
  }

  /// True if an object of a source entity may be found under another key, or not at all.
  fileprivate var movesRows: Bool { entities.contains { $0.association != .kept } }
}

/// Plans rows that stay what they are: tables are altered where that is enough, and copied where it is not.
struct InferredRows {
  let context: PlanningContext

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
