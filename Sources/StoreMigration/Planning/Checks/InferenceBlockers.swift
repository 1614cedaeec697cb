import GRDB
import MappingModels
import ModelFiles
import PersistentStores

extension PlanningContext {
  /// Parts of the mapping model that its author may not have meant.
  var notes: [PlanNote] {
    let names = Set(entities.map(\.source)).sorted()
    return names.compactMap(droppedNote) + names.flatMap(doubledNotes)
  }

  /// An entity that is stated as dropped although a mapping takes all its objects; a filter leaves some to be dropped.
  private func droppedNote(_ source: String) -> PlanNote? {
    guard mapping.droppedData.contains(source),
      let carrier = entities(reading: source).first(where: { $0.mapping.filter == nil })
    else { return nil }
    return .droppedButCarried(entity: source, mapping: carrier.mapping.name)
  }

  /// Core Data, too, makes an object for every mapping that takes its source.
  private func doubledNotes(_ source: String) -> [PlanNote] {
    let readers = entities(reading: source)
    return readers.indices.flatMap { position in
      readers[(position + 1)...].compactMap { other -> PlanNote? in
        let one = readers[position]
        guard one.destinationTable.name == other.destinationTable.name,
          one.mapping.filter == nil || other.mapping.filter == nil
        else { return nil }
        return .madeTwice(entity: source, mappings: [one.mapping.name, other.mapping.name])
      }
    }
  }
}

/// All blockers of a step that cannot be inferred: in the models, and in the rows.
struct InferenceBlockers {
  let source: LoadedVersion
  let destination: LoadedVersion
  let request: MigrationRequest
  let metadata: StoreMetadata

  /// The error that reports all of it at once.
  ///
  /// - Returns: the failure itself where it is all there is.
  func error(
    for failure: InferenceRefusal, _ snapshot: StoreSnapshot, names: SelfJoinNames, in database: Database
  ) throws -> any Error {
    let step = ModelStep(from: source.hierarchy, to: destination.hierarchy, options: request.pathFinder.options)
    // The way may end elsewhere than the straight step, whose blockers are not in the way then.
    guard step.refusals.contains(failure) else { return failure }
    var blocked = MigrationBlocked(failures: step.refusals, blockers: [], losses: [])
    if let mapping = step.mapping {
      let part = PathPart([], from: source, to: destination, by: mapping)
      let stage = try? MigrationPlanner.stage(part, of: metadata, request, names: names, for: snapshot)
      if let plan = stage?.plan {
        let rows = try PlanInspection(plan: plan, options: request.options).blocked(in: database)
        (blocked.blockers, blocked.losses) = (rows.blockers, rows.losses)
      }
    }
    let isAll = step.refusals.count == 1 && blocked.blockers.isEmpty && blocked.losses.isEmpty
    return isAll ? failure : blocked
  }
}
