import MappingModels
import MigrationSQL
import PersistentStores

/// Decides, before any object is made, which key it will have: where a filter chooses or a key may be taken, the keys of
/// each pair of objects go into a temporary table.
///
/// Core Data associates objects while it makes them; their keys depend on the source's rows alone, so that they can be
/// known before.
struct AssociationSteps {
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext) throws(MigrationRefusal) {
    self.context = context
    let tables = context.entities.filter { $0.association != .kept }
    for entity in tables.filter(\.keepsKeys) + tables.filter({ !$0.keepsKeys }) {
      let known = steps
      steps = []
      try fill(entity)
      steps = known + steps.about(context.subject(of: entity))
    }
  }

  private mutating func fill(_ entity: MappedEntity) throws(MigrationRefusal) {
    guard case .table(let table) = entity.association else { return }
    if entity.isCoded { open(entity, table) }
    guard let keys = entity.keysTable else { return }
    let name: SQLStatement = "\(name: "temp").\(name: keys)"
    steps.append(
      PlanStep("CREATE TABLE \(name) (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL)", cause: .mapped(entity.step)))
    let key: SQLStatement = "\(name: "source").\(name: "Z_PK")"
    let condition = entity.isCoded ? context.isOwn(entity) : try context.condition(of: entity)
    let selection: SQLStatement = "FROM \(name: entity.sourceTable.name) AS \(name: "source") WHERE \(condition)"
    let rows = context.rowCount(of: entity)
    guard !entity.keepsKeys else {
      steps.append(
        PlanStep(
          "INSERT INTO \(name) (src, dst) SELECT \(key), \(key) \(selection) ORDER BY \(key)",
          cause: .filteredKeys(entity.step), rows: rows, writing: .nothing))
      return
    }
    steps.append(
      PlanStep(
        """
        INSERT INTO \(name) (src, dst) SELECT src, CASE WHEN taken THEN (\(highestKey(before: entity))) \
        + SUM(taken) OVER (ORDER BY src ROWS UNBOUNDED PRECEDING) ELSE src END \
        FROM (SELECT \(key) AS src, (\(isTaken(key, before: entity))) AS taken \(selection)) ORDER BY src
        """, cause: .freeKeys(entity.step), rows: rows,
        writing: .nothing))
    steps.append(
      PlanStep(
        "CREATE UNIQUE INDEX \(name: "temp").\(name: keys + "_dst") ON \(name: keys) (dst)",
        cause: .mapped(entity.step),
        rows: rows, writing: .nothing))
  }

  /// Creates the tables that a policy fills while it makes and links objects.
  private mutating func open(_ entity: MappedEntity, _ table: String) {
    let statements: [SQLStatement] = [
      "CREATE TABLE \(name: "temp").\(name: table) (src INTEGER, dst INTEGER, PRIMARY KEY (src, dst)) WITHOUT ROWID",
      "CREATE INDEX \(name: "temp").\(name: table + "_dst") ON \(name: table) (dst)",
      "CREATE TABLE \(name: "temp").\(name: entity.defaultsTable) (dst INTEGER PRIMARY KEY)",
    ]
    steps += statements.map { PlanStep($0, cause: .mapped(entity.step)) }
  }

  /// The mappings into the same table whose keys are decided before those of this one.
  private func rivals(of entity: MappedEntity) -> [MappedEntity] {
    context.entities(filling: entity.destinationTable).filter {
      $0.keepsKeys || $0.position < entity.position
    }
  }

  private func isTaken(_ key: SQLStatement, before entity: MappedEntity) -> SQLStatement {
    let rivals = rivals(of: entity)
    var conditions: [SQLStatement] = []
    let whole = rivals.filter { $0.keepsKeys && ($0.association == .kept || $0.isCoded) }
    if let table = whole.first?.sourceTable {
      conditions.append(
        """
        EXISTS (SELECT 1 FROM \(name: table.name) AS rival WHERE rival.\(name: "Z_PK") = \(key) \
        AND rival.\(name: "Z_ENT") IN (\(.list(whole.map(\.sourceNumber)))))
        """)
    }
    for rival in rivals {
      guard let table = rival.keysTable else { continue }
      let column: SQLStatement = rival.keepsKeys ? "src" : "dst"
      conditions.append(
        "EXISTS (SELECT 1 FROM \(name: "temp").\(name: table) AS rival WHERE rival.\(column) = \(key))")
    }
    return conditions.isEmpty ? "0" : conditions.joined(" OR ")
  }

  /// The highest key that any row of the table has or may get so far.
  private func highestKey(before entity: MappedEntity) -> SQLStatement {
    let feeding = context.entities(filling: entity.destinationTable)
    var seen: Set<String> = []
    var parts: [SQLStatement] = feeding.filter { seen.insert($0.sourceTable.name).inserted }.map {
      "SELECT MAX(\(name: "Z_PK")) AS highest FROM \(name: $0.sourceTable.name)"
    }
    for rival in rivals(of: entity) where !rival.keepsKeys {
      guard let table = rival.keysTable else { continue }
      parts.append("SELECT MAX(dst) FROM \(name: "temp").\(name: table)")
    }
    return "SELECT MAX(highest) FROM (\(parts.joined(" UNION ALL ")))"
  }
}

extension PlanningContext {
  /// Holds for the source rows that a mapping reads.
  func condition(of entity: MappedEntity, isStaged: Bool = true) throws(MigrationRefusal) -> SQLStatement {
    guard let filter = entity.mapping.filter else { return isOwn(entity) }
    return "\(isOwn(entity)) AND (\(try compiled(filter, of: entity, isStaged: isStaged)))"
  }

  /// Holds for the rows of exactly a mapping's source entity.
  func isOwn(_ entity: MappedEntity) -> SQLStatement {
    "\(name: "source").\(name: "Z_ENT") = \(.number(entity.sourceNumber))"
  }

  func compiled(
    _ filter: ValueExpression, of entity: MappedEntity, isStaged: Bool = true
  ) throws(MigrationRefusal) -> SQLStatement {
    do {
      return try compiler(of: entity, isStaged: isStaged).condition(filter)
    } catch {
      throw .mapping(name: entity.mapping.name, .expression(property: nil, ExpressionError(error)))
    }
  }
}
