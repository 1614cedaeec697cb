public import MappingModels
import ModelDescription
public import PersistentStores

/// Makes plans: a pure function of two models, a mapping between them and what a store holds.
public struct MigrationPlanner: Sendable {
  /// The model and tables of the store.
  public var source: StoreModel
  /// The model and tables to be made.
  public var destination: StoreModel
  /// How the one becomes the other.
  public var mapping: MappingModel
  /// The property list of the destination's metadata, complete.
  public var metadata: [UInt8]
  /// What the user allows and decides.
  public var options: MigrationOptions

  /// Makes a planner.
  public init(
    source: StoreModel, destination: StoreModel, mapping: MappingModel, metadata: [UInt8],
    options: MigrationOptions = MigrationOptions()
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.metadata = metadata
    self.options = options
  }

  /// Plans the migration of one store.
  ///
  /// - Parameters:
  ///   - snapshot: what the store holds, its rows counted where the costs of the steps are to be known.
  ///   - path: the names of the versions on the way, source first.
  /// - Returns: the plan.
  /// - Throws: ``MigrationRefusal``.
  public func plan(for snapshot: StoreSnapshot, path: [String]) throws(MigrationRefusal) -> MigrationPlan {
    let context = PlanningContext(
      source: source, destination: destination, mapping: mapping, snapshot: snapshot, options: options)
    try context.refuseUnknownReferences()
    let planning = TablePlanning(context)
    let links = LinkSteps(for: planning, in: context)
    let indexes = IndexSteps(for: planning, in: context)
    let transfers = planning.copies + planning.alterations.map(\.transfer)
    let derived = DerivedSteps(for: transfers, in: context)
    let steps =
      indexes.clearing + Deduplication(context).steps + RowRemoval(context, planning: planning).steps
      + links.reading + TableSteps.steps(for: planning, in: context) + links.writing + indexes.making
      + derived.steps + FinishingSteps(context, metadata: metadata).steps
    let (strategy, reason) = context.strategy(for: steps)
    return MigrationPlan(
      path: path, strategy: strategy, strategyReason: reason,
      checks: (steps.contains { $0.cost == .rows } ? context.strayRowChecks() : []) + context.checks(),
      losses: context.losses(), steps: steps, expectedRows: context.expectedRows(),
      notes: indexes.notes + derived.notes)
  }
}

extension PlanningContext {
  fileprivate static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  fileprivate func refuseUnknownReferences() throws(MigrationRefusal) {
    let renumbered = renumbers || !removedEntities.isEmpty
    guard renumbered, !options.isForced else { return }
    let others = snapshot.tables.map(\.name).filter { $0.hasPrefix("A") && !Self.history.contains($0) }
    let cloudKit = others.filter { $0.hasPrefix("ANSCK") }
    if !cloudKit.isEmpty { throw .cloudKitTables(cloudKit) }
    if !others.isEmpty { throw .unknownTables(others) }
    let known = Set(source.layout.entityNumbers.map(\.number))
    let taken = Set(destination.layout.entityNumbers.map(\.number))
    let foreign = snapshot.entityRows.filter { !known.contains($0.number) && taken.contains($0.number) }
    if !foreign.isEmpty { throw .foreignEntityNumbers(foreign.map(\.name)) }
  }

  /// In place while few rows are touched, else in a copy.
  fileprivate func strategy(for steps: [PlanStep]) -> (MigrationStrategy, String) {
    if let strategy = options.strategy { return (strategy, "as asked") }
    let touched = steps.reduce(0) { $0 + $1.rows }
    guard touched > 0 else { return (.inPlace, "no step depends on the number of rows") }
    let all = snapshot.tables.reduce(0) { $0 + $1.rowCount }
    let few = max(10_000, all / 10)
    return touched <= few
      ? (.inPlace, "few rows are touched (\(touched))")
      : (.clone, "many rows are rewritten (\(touched)), which is faster in a copy without a journal")
  }

  /// Rows whose entity number no entity has would be left behind where a table is copied, and miscounted elsewhere.
  fileprivate func strayRowChecks() -> [PlanCheck] {
    source.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content else { return nil }
      guard mayHaveRows(inTable: table.name) else { return nil }
      let numbers = source.familyNumbers(of: root)
      let number: SQLStatement = "\(name: "Z_ENT")"
      return PlanCheck(
        obstacle: PlanCheck.Obstacle(
          element: .entity(root), code: nil, reason: "rows of \(table.name) have an entity number that no entity has",
          explanation: "they belong to no entity of the model, so nothing says what becomes of them", remedy: nil),
        query: """
          SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(number) IS NULL OR typeof(\(number)) <> 'integer' \
          OR \(number) NOT IN (\(.list(numbers))) ORDER BY \(name: "Z_PK")
          """)
    }
  }

  /// The rows of every destination entity after the migration; removing duplicates makes fewer.
  fileprivate func expectedRows() -> [String: Int] {
    guard !snapshot.rowCounts.isEmpty else { return [:] }
    var expected: [String: Int] = [:]
    for entity in destination.layout.entityNumbers.map(\.name) {
      expected[entity] = mapping(of: entity)?.source.map(rowCount(ofSourceEntity:)) ?? 0
    }
    return expected
  }
}
