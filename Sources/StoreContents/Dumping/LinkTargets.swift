import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The possible targets of a column's links, if some links point to objects that do not exist.
struct LinkTargets {
  private let statement: Statement
  /// The numbers of the entities that the links may point to.
  private let numbers: Set<Int>

  /// Searches for a link to an object that does not exist; nil if there is none.
  ///
  /// - Parameter entityColumn: the column with the entity numbers of the targets, if there is one.
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

  /// The entity number of a link's target; nil if the object does not exist or is not a valid target.
  func entityNumber(of key: Int64) throws -> Int64? {
    guard let number = try Int64.fetchOne(statement, arguments: [key]) else { return nil }
    return Int(exactly: number).map(numbers.contains) ?? false ? number : nil
  }
}

/// The links of a to-many relationship, read beside the objects that have them, in the order of their keys.
final class LinkCursor {
  private let rows: StoredRowCursor
  /// The key of the next link; nil at the end.
  private var next: Int64?
  private var isBegun = false

  init(_ rows: StoredRowCursor) { self.rows = rows }

  /// Visits the links of an object; the keys must be ascending.
  ///
  /// - Parameter body: called with the key and the entity number of each target.
  func forEach(of key: Int64, _ body: (Int64, Int64?) throws -> Void) throws {
    if !isBegun { try step() }
    while let near = next, near < key { try step() }
    while next == key {
      if let far = rows.row.integer(1) { try body(far, rows.row.integer(2)) }
      try step()
    }
  }

  private func step() throws {
    isBegun = true
    next = nil
    // What is no number is no link.
    while next == nil, try rows.next() { next = rows.row.integer(0) }
  }
}
