public import MappingModels
public import MigrationSQL
import ModelFiles
import PersistentStores

/// The requirements and losses of a step for the rows of any store, known without a store.
public struct PathPartForecast: Sendable {
  /// Something that the rows must meet.
  public struct Condition: Sendable {
    /// The requirement.
    public let requirement: MappingRequirement
    /// Selects the `Z_PK` of every blocking row, including rows of subentities, in a store with the tables of a new store.
    public let query: SQLStatement
  }

  /// The requirements for rows; with a custom mapping model, only those of its inferred parts.
  public let conditions: [Condition]
  /// The losses, by the names that allow them; narrowed types are among the conditions.
  public let losses: [DataLoss]

  /// Looks ahead.
  ///
  /// - Throws: ``MigrationRefusal`` when a custom mapping model cannot be planned.
  public init(of part: PathPart, _ options: MigrationOptions = MigrationOptions()) throws(MigrationRefusal) {
    let sourceLayout = SQLStoreLayout(of: part.source.hierarchy)
    let source = StoreModel(hierarchy: part.source.hierarchy, layout: sourceLayout)
    let destination = StoreModel(
      hierarchy: part.destination.hierarchy, layout: SQLStoreLayout(of: part.destination.hierarchy))
    let snapshot = StoreSnapshot(uncounted: sourceLayout)
    let planner = MigrationPlanner(
      source: source, destination: destination, mapping: part.mapping, metadata: [], options: options, now: 0)
    if part.mapping.isInferred {
      let context = PlanningContext(planner, snapshot)
      conditions = context.familyConditions().map { Condition(requirement: $0.requirement, query: $0.query) }
      losses = context.losses().map(\.loss)
    } else {
      let plan = try planner.plan(for: snapshot, path: part.versions.map(\.name))
      conditions = plan.checks.compactMap { check in
        guard case .requirement(let requirement) = check.blocker else { return nil }
        return Condition(requirement: requirement, query: check.query)
      }
      losses = plan.losses.filter { !$0.isImplied }.map(\.loss)
    }
  }
}

extension StoreSnapshot {
  /// The content of a new store whose rows are not counted.
  fileprivate init(uncounted layout: SQLStoreLayout) {
    self.init(
      tables: layout.tables.map { table in
        Table(
          name: table.name, columns: table.columns.map { Column(name: $0.name, type: $0.type.rawValue) }, rowCount: 0,
          sql: "")
      },
      indexes: [], triggers: [], virtualTables: [],
      entityRows: layout.entityNumbers.map {
        EntityRow(number: $0.number, name: $0.name, superentityNumber: $0.superentityNumber, maximumPrimaryKey: 0)
      },
      rowCounts: [:], byteCount: 0)
  }
}
