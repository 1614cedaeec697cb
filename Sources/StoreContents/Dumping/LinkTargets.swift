import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The objects that the links of a column may lead to, some of which lead to nothing.
struct LinkTargets {
  private let statement: Statement
  /// The numbers of the entities that the links may lead to.
  private let numbers: Set<Int>

  /// Looks for a link that leads to nothing.
  ///
  /// - Parameter entityColumn: the column with the entity numbers beside them, if there is one.
  init?(
    of column: String, numberedBy entityColumn: String?, in table: String, to destination: String,
    _ reading: RecordReading
  ) throws {
    let store = reading.store
    guard let target = store.table(ofEntity: destination) else { return nil }
    let family = store.familyNumbers(of: destination)
    let isOnly = store.familyNumbers(of: store.hierarchy.rootName(of: destination)).count == 1
    var ofEntity: SQLStatement = isOnly ? "" : " AND d.Z_ENT IN (\(SQLStatement.list(family)))"
    if !isOnly, let entityColumn { ofEntity = "\(ofEntity) AND d.Z_ENT IS t.\(name: entityColumn)" }
    let leadsNowhere = try Bool.fetchOne(
      """
      SELECT EXISTS (SELECT 1 FROM \(name: table) AS t WHERE t.\(name: column) IS NOT NULL AND NOT EXISTS \
      (SELECT 1 FROM \(name: target.name) AS d WHERE d.Z_PK = t.\(name: column)\(ofEntity)))
      """, in: reading)
    guard leadsNowhere == true else { return nil }
    let sql: SQLStatement = "SELECT Z_ENT FROM \(name: target.name) WHERE Z_PK = ?"
    statement = try reading.database.makeStatement(sql: sql.text)
    numbers = Set(family)
  }

  /// The entity number of the object that a link leads to; nil where no object is there that it may lead to.
  func entityNumber(of key: Int64) throws -> Int64? {
    guard let number = try Int64.fetchOne(statement, arguments: [key]) else { return nil }
    return Int(exactly: number).map(numbers.contains) ?? false ? number : nil
  }
}

/// The links of a to-many relationship, read beside the objects that have them, in the order of their keys.
final class LinkSteps {
  private let steps: RowSteps
  /// The key that the link has which comes next; nil at the end.
  private var next: Int64?
  private var isBegun = false

  init(_ steps: RowSteps) { self.steps = steps }

  /// Takes the links of an object; keys are asked for in ascending order.
  ///
  /// - Parameter body: takes the key and the entity number of each object at the other end.
  func forEach(of key: Int64, _ body: (Int64, Int64?) throws -> Void) throws {
    if !isBegun { try step() }
    while let near = next, near < key { try step() }
    while next == key {
      if let far = steps.row.integer(1) { try body(far, steps.row.integer(2)) }
      try step()
    }
  }

  private func step() throws {
    isBegun = true
    next = nil
    // What is no number is no link.
    while next == nil, try steps.next() { next = steps.row.integer(0) }
  }
}
