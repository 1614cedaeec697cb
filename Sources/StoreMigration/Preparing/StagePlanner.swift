import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores

/// Plans one part of a path for the content of the store at that point.
struct StagePlanner {
  let hop: MigrationHop
  let metadata: StoreMetadata
  let request: MigrationRequest
  let names: SelfJoinNames

  func stage(for snapshot: StoreSnapshot) throws -> MigrationStage {
    let layout = SQLStoreLayout(of: hop.destination.hierarchy, names: names)
    let bound = BoundLayout(of: hop.source.hierarchy, to: snapshot)
    let missing = bound.missing
    guard missing.isEmpty else { throw MigrationRefusal.schemaDiffers(missing) }
    let source = StoreModel(hierarchy: hop.source.hierarchy, layout: bound.layout)
    let destination = StoreModel(hierarchy: hop.destination.hierarchy, layout: layout)
    let path = hop.versions.map(\.name)
    let strays = MisnumberedRows(source, in: snapshot)
    let snapshot = strays.numbered(snapshot)
    let planner = MigrationPlanner(
      source: source, destination: destination, mapping: hop.mapping, metadata: newMetadata,
      options: request.options, policies: request.policies, now: request.now)
    var plan = try plan(by: planner, snapshot, path)
    strays.number(in: &plan)
    return MigrationStage(hop: hop, plan: plan, layout: layout)
  }

  private func plan(
    by planner: MigrationPlanner, _ snapshot: StoreSnapshot, _ path: [String]
  ) throws(MigrationRefusal) -> MigrationPlan {
    do {
      var plan = try planner.plan(for: snapshot, path: path)
      plan.mappingPath = hop.mappingPath
      return plan
    } catch {
      guard case .mapping(let name, let refusal, nil) = error else { throw error }
      throw .mapping(name: name, refusal, path: hop.mappingPath)
    }
  }

  private var newMetadata: [UInt8] {
    let identifiers = hop.destination.hierarchy.model.versionIdentifiers
    return Array(metadata.rewritten(for: hop.destination.versionHashes, identifiers: identifiers).encoded())
  }
}
