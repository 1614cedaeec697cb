import GRDB
import MappingModels
import MigrationSQL
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
    /// Creates the object of a pair of keys, which are the last two arguments.
    let insertion: SQLStatement
    /// The relationships whose value is a function of the policy, with the function.
    let functions: [(relationship: String, selector: String)]
  }

  let context: PlanningContext
  let mappings: [String: Mapping]
  /// The pairs of relationships, each with the table that gathers its links.
  let pairs: [(pair: LinkPair, table: String)]

  /// Takes the context of a plan, what stands behind the policy of each mapping by the mapping's name, the statements that
  /// make objects, the relationships that functions of the policies fill by the mapping's position, and the tables that
  /// gather links.
  init(
    _ context: PlanningContext, _ policies: [String: ResolvedPolicy], _ creation: CreateSteps,
    _ functions: [Int: [(relationship: String, selector: String)]], _ pairs: [(pair: LinkPair, table: String)]
  ) throws(MigrationRefusal) {
    (self.context, self.pairs) = (context, pairs)
    var mappings: [String: Mapping] = [:]
    for entity in context.entities {
      guard let factory = policies[entity.mapping.name]?.factory, let insertion = creation.insertions[entity.position]
      else { continue }
      let key: SQLStatement = "\(name: "source").\(name: "Z_PK")"
      let condition = try context.condition(of: entity)
      mappings[entity.mapping.name] = Mapping(
        entity: entity, className: entity.policy?.className ?? "", factory: factory,
        rows:
          "SELECT \(key) FROM \(name: entity.sourceTable.name) AS \(name: "source") WHERE \(condition) ORDER BY \(key)",
        insertion: "\(insertion) WHERE \(name: "pair").src = ? AND \(name: "pair").dst = ?",
        functions: functions[entity.position] ?? [])
    }
    self.mappings = mappings
  }
}

/// The policies of a plan; two plans are equal only when they share them.
public struct PlannedPolicies: Hashable, Sendable {
  let work: PolicyWork

  /// True if both are the same.
  public static func == (first: PlannedPolicies, second: PlannedPolicies) -> Bool { first.work === second.work }

  /// Adds the properties that distinguish them.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(work)) }
}

/// A part of a plan in which policies in code run, object by object.
public struct PolicyPass: Hashable, Sendable {
  /// The work of the policies.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The objects of a single mapping are made.
    case create
    /// The objects of a single mapping are linked.
    case relate
    /// The links of all objects are there.
    case linked
    /// Everything is there to be checked.
    case validate
  }

  /// The work of the policies.
  public var stage: Stage
  /// The name of the entity mapping.
  public var mapping: String
  /// The policy's class.
  public var className: String
}
