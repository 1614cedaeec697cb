import MappingModels
import PersistentStores

struct MappedMigrationPlanner {
  let source: StoreModel
  let destination: StoreModel
  let mapping: CustomMappingModel
  let metadata: [UInt8]
  let options: MigrationOptions

  func plan(for snapshot: StoreSnapshot, path: [String]) throws -> MigrationPlan {
    MigrationPlan(
      path: path, strategy: .clone, strategyReason: "", checks: [], losses: [], steps: [], expectedRows: [:], notes: [])
  }
}
