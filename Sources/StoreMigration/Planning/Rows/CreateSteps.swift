import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Creates the destination's objects: for each mapping in order one `INSERT … SELECT` over exactly its source entity.
struct CreateSteps {
  private(set) var steps: [PlanStep] = []
  /// The statement of every mapping, by its position; where a policy runs it, to be narrowed to one pair of keys.
  private(set) var insertions: [Int: SQLStatement] = [:]

  /// Plans the rows of every table but those that stay.
  init(_ context: PlanningContext, tables: TableFates, links: LinkPlanning) throws(MigrationRefusal) {
    let staying = Set(tables.alterations.map(\.destination.name))
    for entity in context.entities where !staying.contains(entity.destinationTable.name) {
      let columns =
        try Self.columns(of: entity, in: context, links: links) + Self.extras(of: entity, tables.copies, context)
      let insertion: SQLStatement = """
        INSERT INTO \(name: entity.destinationTable.name) (\(.names(columns.map(\.column)))) \
        SELECT \(columns.map(\.value).joined()) FROM \(Self.rows(of: entity))
        """
      insertions[entity.position] = insertion
      let rows = context.rowCount(of: entity)
      steps.append(
        entity.pass(.create).map { PlanStep($0, rows: rows) }
          ?? PlanStep(
            insertion, cause: .mapped(entity.step), rows: rows, writing: .rows(of: entity.destinationTable.name)
          ).about(context.subject(of: entity)))
    }
  }

  /// The columns that the rows of a mapping get, with their values.
  static func columns(
    of entity: MappedEntity, in context: PlanningContext, links: LinkPlanning
  ) throws(MigrationRefusal) -> [(column: String, value: SQLStatement)] {
    let key: SQLStatement =
      entity.association == .kept ? "\(name: "source").\(name: "Z_PK")" : "\(name: "pair").\(name: "dst")"
    let row: [(column: String, value: SQLStatement)] = [
      ("Z_PK", key), ("Z_ENT", "\(.number(entity.destinationNumber))"), ("Z_OPT", "\(.number(1))"),
    ]
    return row + (try AttributeColumns(of: entity, in: context).values()) + (links.columns[entity.position] ?? [])
  }

  /// The columns that are not the model's go on with the row that keeps its key.
  private static func extras(
    of entity: MappedEntity, _ transfers: [TableTransfer], _ context: PlanningContext
  ) -> [(column: String, value: SQLStatement)] {
    guard entity.keepsKeys, let sourceTable = context.source.table(ofEntity: entity.source),
      let transfer = transfers.first(where: { $0.destination.name == entity.destinationTable.name })
    else { return [] }
    let present = Set(context.unknownColumns(ofTable: sourceTable.name).map(\.name))
    return context.extraColumns(of: transfer).filter { present.contains($0.name) }.map {
      ($0.name, "\(name: "source").\(name: $0.name)")
    }
  }

  private static func rows(of entity: MappedEntity) -> SQLStatement {
    guard case .table(let table) = entity.association else {
      return """
        \(name: entity.sourceTable.name) AS \(name: "source") \
        WHERE \(name: "source").\(name: "Z_ENT") = \(.number(entity.sourceNumber))
        """
    }
    return """
      \(name: "temp").\(name: table) AS \(name: "pair") CROSS JOIN \(name: entity.sourceTable.name) AS \(name: "source") \
      ON \(name: "source").\(name: "Z_PK") = \(name: "pair").\(name: "src")
      """
  }
}

extension MappedEntity {
  /// The work of a policy in code for the mapping; nil if there is no such policy.
  func pass(_ stage: PolicyPass.Stage) -> PolicyPass? {
    guard isCoded, let policy else { return nil }
    return PolicyPass(stage: stage, mapping: mapping.name, className: policy.className)
  }
}

/// The implementation or replacement of the policy class of an entity mapping.
enum ResolvedPolicy {
  /// SQL, or the default, in its place.
  case replacement(PolicyReplacement)
  /// A policy in code.
  case code(PolicyRegistry.Factory)

  /// Finds the policy of an entity mapping, nil for one without.
  ///
  /// A replacement of this run comes first, then code, then replacements of the mapping file and of the project. Only
  /// the parts of a replacement that this mapping uses are taken.
  static func policy(
    of entity: EntityMapping, by planner: MigrationPlanner
  ) throws(MigrationRefusal) -> ResolvedPolicy? {
    guard let className = entity.policyClassName, !className.isEmpty else { return nil }
    let destination = planner.destination.hierarchy
    if let replacement = PolicyName.find(className, in: planner.options.policyReplacements) {
      return .replacement(replacement.asked(for: entity, in: destination))
    }
    if let factory = planner.policies.factory(for: className) { return .code(factory) }
    if let replacement = PolicyName.find(className, in: planner.mapping.policyReplacements) {
      return .replacement(replacement.asked(for: entity, in: destination))
    }
    throw .mapping(name: entity.name, .missingPolicy(className: className))
  }

  var replacement: PolicyReplacement? { if case .replacement(let replacement) = self { replacement } else { nil } }

  var factory: PolicyRegistry.Factory? { if case .code(let factory) = self { factory } else { nil } }
}
