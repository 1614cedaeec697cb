import GRDB
import MappingModels
import PersistentStores

/// Everything that the policies of a plan need when they run.
final class PolicyWork: Sendable {
  /// An entity mapping whose objects a policy makes.
  struct Mapping: Sendable {
    let entity: MappedEntity
    let className: String
    let factory: PolicyRegistry.Factory
    /// Selects the keys of the source objects.
    let rows: SQLStatement
    /// Makes the object of a pair of keys, which are the last two arguments.
    let insertion: SQLStatement
    /// The relationships whose value is a function of the policy, with the function.
    let functions: [(relationship: String, selector: String)]
  }

  let context: MappedContext
  /// The mappings by name.
  let mappings: [String: Mapping]
  /// The pairs of relationships, each with the table that gathers its links.
  let pairs: [(pair: LinkPair, table: String)]

  init(context: MappedContext, mappings: [String: Mapping], pairs: [(pair: LinkPair, table: String)]) {
    self.context = context
    self.mappings = mappings
    self.pairs = pairs
  }
}

/// The policies of a plan; two plans are equal only when they share them.
public struct PlannedPolicies: Hashable, Sendable {
  let work: PolicyWork

  /// True when both are the same.
  public static func == (first: PlannedPolicies, second: PlannedPolicies) -> Bool { first.work === second.work }

  /// Adds what tells them apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(work)) }
}
