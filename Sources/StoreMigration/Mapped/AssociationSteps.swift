import MappingModels
import PersistentStores

/// Decides, before any object is made, which key it will have: where a filter chooses or a key may be taken, the keys of
/// each pair of objects go into a temporary table.
///
/// Core Data associates objects while it makes them; their keys depend on the source's rows alone, so that they can be
/// known before.
struct AssociationSteps {
  private let context: MappedContext
  private(set) var steps: [PlanStep] = []

  init(_ context: MappedContext) throws(MigrationRefusal) {
    self.context = context
    let tables = context.entities.filter { $0.association != .kept }
    for entity in tables.filter(\.keepsKeys) + tables.filter({ !$0.keepsKeys }) { try fill(entity) }
  }

  private mutating func fill(_ entity: MappedEntity) throws(MigrationRefusal) {
    guard case .table(let table) = entity.association else { return }
    let cause = entity.cause
    let rows = context.rowCount(of: entity)
    let name: SQLStatement = "\(name: "temp").\(name: table)"
    guard !entity.isCoded else {
      steps.append(
        PlanStep("CREATE TABLE \(name) (src INTEGER, dst INTEGER, PRIMARY KEY (src, dst)) WITHOUT ROWID", cause: cause))
      steps.append(PlanStep("CREATE INDEX \(name: "temp").\(name: table + "_dst") ON \(name: table) (dst)", cause: cause))
      steps.append(
        PlanStep("CREATE TABLE \(name: "temp").\(name: entity.defaultsTable) (dst INTEGER PRIMARY KEY)", cause: cause))
      return
    }
    steps.append(PlanStep("CREATE TABLE \(name) (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL)", cause: cause))
    let key: SQLStatement = "\(name: "source").\(name: "Z_PK")"
    let condition = try context.condition(of: entity)
    let selection: SQLStatement = "FROM \(name: entity.sourceTable.name) AS \(name: "source") WHERE \(condition)"
    guard !entity.keepsKeys else {
      steps.append(
        PlanStep(
          "INSERT INTO \(name) (src, dst) SELECT \(key), \(key) \(selection) ORDER BY \(key)",
          cause: "\(cause), where the filter holds", cost: .rows, rows: rows))
      return
    }
    steps.append(
      PlanStep(
        """
        INSERT INTO \(name) (src, dst) SELECT src, CASE WHEN taken THEN (\(highestKey(before: entity))) \
        + SUM(taken) OVER (ORDER BY src ROWS UNBOUNDED PRECEDING) ELSE src END \
        FROM (SELECT \(key) AS src, (\(isTaken(key, before: entity))) AS taken \(selection)) ORDER BY src
        """, cause: "\(cause); a key that is taken is replaced by one above all others", cost: .rows, rows: rows))
    steps.append(
      PlanStep(
        "CREATE UNIQUE INDEX \(name: "temp").\(name: table + "_dst") ON \(name: table) (dst)", cause: cause, cost: .rows,
        rows: rows))
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
    for rival in rivals where !rival.isCoded {
      guard case .table(let table) = rival.association else { continue }
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
    for rival in rivals(of: entity) where !rival.keepsKeys && !rival.isCoded {
      guard case .table(let table) = rival.association else { continue }
      parts.append("SELECT MAX(dst) FROM \(name: "temp").\(name: table)")
    }
    return "SELECT MAX(highest) FROM (\(parts.joined(" UNION ALL ")))"
  }
}

extension MappedContext {
  /// Holds for the source rows that a mapping reads.
  func condition(of entity: MappedEntity) throws(MigrationRefusal) -> SQLStatement {
    let own: SQLStatement = "\(name: "source").\(name: "Z_ENT") = \(.number(entity.sourceNumber))"
    guard let filter = entity.mapping.filter else { return own }
    return "\(own) AND (\(try compiled(filter, of: entity)))"
  }

  /// A filter as SQL.
  func compiled(
    _ filter: ValueExpression, of entity: MappedEntity, isStaged: Bool = true
  ) throws(MigrationRefusal) -> SQLStatement {
    do {
      return try compiler(of: entity, isStaged: isStaged).condition(filter)
    } catch {
      throw .mapping(name: entity.mapping.name, .expression(property: nil, detail: "\(error)"))
    }
  }
}
