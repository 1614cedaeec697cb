import MappingModels
import PersistentStores

/// Which entity mappings keep their rows' keys.
///
/// The first mapping into a destination root's table decides from which source root keys are kept; a second mapping of
/// one source entity, and any of another source root, may meet keys that are taken.
struct KeyPlan {
  private var keepers: [String: (root: String, entities: Set<String>)] = [:]

  /// Decides about the next mapping in order.
  mutating func keepsKeys(from source: String, root: String, into table: String) -> Bool {
    guard var keeper = keepers[table] else {
      keepers[table] = (root, [source])
      return true
    }
    guard keeper.root == root, keeper.entities.insert(source).inserted else { return false }
    keepers[table] = keeper
    return true
  }
}
