import GRDB
import MappingModels
import ModelFiles
import PersistentStores

/// Everything that stands in the way where a step cannot be inferred: in the models, and in the rows.
struct InferenceBlockers {
  let source: LoadedVersion
  let destination: LoadedVersion
  let request: MigrationRequest
  let metadata: StoreMetadata

  /// The error that reports all of it at once.
  ///
  /// - Parameters:
  ///   - failure: what inference ended with.
  ///   - snapshot: what the store holds.
  ///   - names: the names of join tables.
  ///   - database: a connection to the store.
  /// - Returns: the failure itself where it is all there is.
  /// - Throws: what reading the rows throws.
  func error(
    for failure: InferenceRefusal, _ snapshot: StoreSnapshot, names: SelfJoinNames, in database: Database
  ) throws -> any Error {
    let (failures, mapping) = MappingModel.inferenceRefusals(
      from: source.hierarchy, to: destination.hierarchy, options: request.routes.options)
    // The way may end elsewhere than the straight step, whose blockers are not in the way then.
    guard failures.contains(failure) else { return failure }
    var blocked = MigrationBlocked(failures: failures, blockers: [], losses: [])
    if let mapping {
      let hop = MigrationHop([], from: source, to: destination, by: mapping)
      let stage = try? StagePlanner(hop: hop, metadata: metadata, request: request, names: names).stage(for: snapshot)
      if let plan = stage?.plan {
        let rows = try PlanInspection(plan: plan, options: request.options).blocked(in: database)
        (blocked.blockers, blocked.losses) = (rows.blockers, rows.losses)
      }
    }
    let isAll = failures.count == 1 && blocked.blockers.isEmpty && blocked.losses.isEmpty
    return isAll ? failure : blocked
  }
}
