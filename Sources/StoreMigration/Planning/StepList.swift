import PersistentStores

/// The steps of a plan while it is made, in the phases in which they run.
struct StepList {
  /// Taking away triggers and indexes that would be in the way.
  var clearing: [PlanStep] = []
  /// Setting links aside and removing rows, on the source's tables.
  var preparing: [PlanStep] = []
  /// Dropping, renaming, altering and copying tables.
  var tables: [PlanStep] = []
  /// Writing links and orders, on the destination's tables.
  var linking: [PlanStep] = []
  /// Indexes, triggers, history, entity numbers and metadata.
  var finishing: [PlanStep] = []

  var all: [PlanStep] { clearing + preparing + tables + linking + finishing }
}
