import MigrationSQL
import PersistentStores

/// A column of references that is copied as it is, because every object it can lead to keeps its key.
///
/// What is left to do is to empty the references that led nowhere before: asked of all rows at once in the order of an
/// index, which costs a fraction of a look-up a row.
struct CopiedReferences {
  /// The column with the references.
  let column: String
  /// What it is for.
  let role: SQLColumn.Role
  /// Its table.
  let table: SQLTable
  /// The table of the objects they lead to.
  let target: SQLTable
  /// The entity numbers of those objects, nil when they are all that the table has.
  let numbers: [Int]?

  /// Returns nil when a key may have changed, or when more than the reference is to be written.
  ///
  /// The table referred to must hold exactly the rows of one source table, so that a key is there afterwards if and only
  /// if it was before.
  init?(_ side: LinkSide, _ atoms: [LinkAtom], in context: PlanningContext) {
    guard !context.hasCode, side.companion == nil, side.order == nil, let first = atoms.first,
      let target = context.entity(at: first.far)?.destinationTable
    else { return nil }
    let makers = context.entities(filling: target)
    guard let sourceTable = makers.first?.sourceTable,
      makers.allSatisfy({ $0.association == .kept && $0.sourceTable.name == sourceTable.name })
    else { return nil }
    let holders = Dictionary(grouping: atoms, by: \.near)
    let reached = Set(first.reached(among: holders))
    for (_, own) in holders {
      guard case .relationship = own.first?.origin, Set(own.map(\.origin)).count == 1,
        Set(own.map(\.far)) == reached, own.count == reached.count
      else { return nil }
    }
    let targets = makers.filter { reached.contains($0.position) }
    let reachedNumbers = Set(targets.map(\.destinationNumber))
    guard targets.count == reached.count,
      // Objects of one entity do not say which mapping made them.
      makers.allSatisfy({ reached.contains($0.position) || !reachedNumbers.contains($0.destinationNumber) })
    else { return nil }
    (column, role) = (side.column.name, side.column.role)
    table = side.table
    self.target = target
    numbers = targets.count == makers.count ? nil : targets.map(\.destinationNumber)
  }

  /// Empties the references that lead nowhere.
  ///
  /// - Parameters:
  ///   - rows: how many rows there are.
  ///   - kept: the tables that stay, in which what leads nowhere can be seen beforehand.
  /// - Returns: the step, which has nothing to do where nothing leads nowhere.
  func clearing(rows: Int, keeping kept: [TableAlteration]) -> PlanStep {
    let reference: SQLStatement = "\(name: "row").\(name: column)"
    let isMapped: SQLStatement = numbers.map { " AND target.\(name: "Z_ENT") IN (\(.list($0)))" } ?? ""
    let lost: SQLStatement = """
      SELECT \(name: "row").\(name: "Z_PK") FROM \(name: table.name) AS \(name: "row") \
      WHERE \(reference) IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM \(name: target.name) AS target \
      WHERE target.\(name: "Z_PK") = \(reference)\(isMapped))
      """
    var step = PlanStep(
      "UPDATE \(name: table.name) SET \(name: column) = NULL WHERE \(name: "Z_PK") IN (\(lost))",
      cause: .referencesToNothing(role), rows: rows,
      writing: .columns([column], of: table.name))
    step.runIf = PlanStep.Condition(
      question: "\(lost) LIMIT 1",
      asksOriginal: numbers == nil && kept.contains { $0.destination.name == target.name }
        && kept.contains { $0.destination.name == table.name && $0.columns[column] == column })
    return step
  }
}

extension LinkAtom {
  /// The mappings whose objects those of the same mapping lead to.
  fileprivate func reached(among holders: [Int: [LinkAtom]]) -> [Int] { holders[near]?.map(\.far) ?? [] }
}
