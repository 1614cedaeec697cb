import PersistentStores

/// How the rows of every destination entity come about, and what depends on that.
struct RowPlan {
  /// The look-ups of the steps that do not depend on it.
  let context: PlanningContext
  /// The fate of every table.
  let tables: TableFates
  /// The tables whose derived values may have to be computed anew.
  let transfers: [TableTransfer]
  /// What makes, changes, links and removes rows.
  var steps: [PlanStep]
  /// What is done to the rows once their plain indexes are there.
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
  /// What is given up.
  var losses: [PlannedLoss]
  /// What of the app's own goes with the tables it is in.
  var tableNotes: [PlanNote] = []
  /// What else a reader should know.
  var notes: [PlanNote] = []
  /// The columns of references that need no verification, being copied as they are.
  var copied: [CopiedReferences] = []
  /// The policies in code that steps run.
  var policies: PlannedPolicies?

  /// True where objects are made as a written mapping says, in new tables or by new values.
  var makesRows: Bool { feedingRoots != nil }
}
