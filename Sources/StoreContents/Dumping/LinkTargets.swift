import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The objects that the links of a column may lead to, some of which lead to nothing.
struct LinkTargets {
  private let statement: Statement
  /// The numbers of the entities that the links may lead to; nil where no other entity is in their table.
  private let numbers: Set<Int>?
  private let destination: Int

  /// Looks for a link that leads to nothing.
  ///
  /// - Parameters:
  ///   - column: the column with the keys.
  ///   - entityColumn: the column with the entity numbers beside them, if there is one.
  ///   - table: their table.
  ///   - destination: the destination of the relationship.
  ///   - reading: reads the store.
  /// - Throws: `DatabaseError`.
  init?(
    of column: String, numberedBy entityColumn: String?, in table: String, to destination: String,
    _ reading: RecordReading
  ) throws {
    let store = reading.store
    guard let target = store.table(ofEntity: destination), let number = store.number(of: destination) else {
      return nil
    }
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
    numbers = isOnly ? nil : Set(family)
    self.destination = number
  }

  /// Says whether a link leads to an object.
  ///
  /// - Parameters:
  ///   - key: the key of the link.
  ///   - number: the entity number of the link; what is none stands for the destination.
  ///   - layout: the layout of the store.
  /// - Returns: true when the object is there.
  /// - Throws: `DatabaseError`.
  func contain(_ key: Int64, ofEntity number: Int64?, _ layout: SQLStoreLayout) throws -> Bool {
    guard let row = try Row.fetchOne(statement, arguments: [key]) else { return false }
    guard let numbers else { return true }
    let known = number.flatMap { Int(exactly: $0) }.flatMap { layout.entity(number: $0) == nil ? nil : $0 }
    let wanted = known ?? destination
    return numbers.contains(wanted) && Int.fromDatabaseValue(row[0]) == wanted
  }
}
