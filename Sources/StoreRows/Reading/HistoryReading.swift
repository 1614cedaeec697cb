import GRDB
import GRDBSQLite
import MigrationSQL
import ModelDescription
import PersistentStores

extension RecordReading {
  /// True for a store with persistent history: an app opened it with `NSPersistentHistoryTrackingKey`.
  ///
  /// - Throws: `DatabaseError`.
  public func hasHistory() throws -> Bool {
    try database.tableExists("ATRANSACTION") && database.tableExists("ACHANGE")
  }

  /// Returns the saves in the store's persistent history, oldest first; empty if it lacks history.
  ///
  /// - Returns: the saves, with the requested changes.
  /// - Throws: ``RecordRequestError``, ``RecordValueError`` for an invalid value of a tombstone, `DatabaseError`.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    guard try hasHistory() else { return [] }
    let plan = try HistoryPlan(request, of: self)
    let statement = try database.makeStatement(sql: plan.statement.text)
    statement.arguments = plan.statement.databaseArguments
    let cursor = HistoryCursor(statement, plan)
    var transactions: [HistoryTransaction] = []
    while let (transaction, change) = try cursor.next() {
      if transactions.last?.number != transaction.number { transactions.append(transaction) }
      if let change { transactions[transactions.count - 1].changes.append(change) }
    }
    return transactions
  }
}

/// A request for history as SQL, with the meaning of its rows.
///
/// The texts of a transaction have their own table; stores of older frameworks have them in the transaction's row.
private struct HistoryPlan {
  /// The columns of a row: five of the transaction and its number, followed by those of the change.
  enum Column {
    static let number: Int32 = 0
    static let moment: Int32 = 1
    static let texts: Int32 = 2
    static let change: Int32 = 6
    static let tombstones: Int32 = 11
  }

  let statement: SQLStatement
  let store: StoreModel
  /// How many columns of tombstones there are.
  let tombstoneCount: Int
  private var bitmaps: HistoryBitmaps
  private var tombstones: [String: [AttributeDescription]] = [:]

  init(_ request: HistoryRequest, of reading: RecordReading) throws {
    store = reading.store
    bitmaps = HistoryBitmaps(store.hierarchy)
    let database = reading.database
    let transactions = Set(try database.columns(in: "ATRANSACTION").map(\.name))
    let changes = Set(try database.columns(in: "ACHANGE").map(\.name))
    let hasTexts = try database.tableExists("ATRANSACTIONSTRING")
    func text(_ name: String) -> SQLStatement {
      let column = "Z\(name)"
      let own: SQLStatement = transactions.contains(column) ? "t.\(name: column)" : "NULL"
      guard hasTexts, transactions.contains("\(column)TS") else { return own }
      return "COALESCE((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = t.\(name: "\(column)TS")), \(own))"
    }
    tombstoneCount = (0...).prefix { changes.contains("ZTOMBSTONE\($0)") }.count
    let moment: SQLStatement = transactions.contains("ZTIMESTAMP") ? "t.ZTIMESTAMP" : "NULL"
    var columns: [SQLStatement] = ["t.Z_PK", moment]
    columns += ["AUTHOR", "CONTEXTNAME", "PROCESSID", "BUNDLEID"].map(text)
    columns += ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"].map {
      changes.contains($0) ? "c.\(name: $0)" : "NULL"
    }
    columns += (0..<tombstoneCount).map { "c.\(name: "ZTOMBSTONE\($0)")" }
    var conditions: [SQLStatement] = []
    if let after = request.after { conditions.append("t.Z_PK > \(.integer(after))") }
    if let since = request.since { conditions.append("\(moment) >= \(.real(since))") }
    if let author = request.author { conditions.append("\(text("AUTHOR")) = \(.text(author))") }
    var join: SQLStatement = "LEFT JOIN"
    var members: SQLStatement = ""
    if let entity = request.entity {
      guard store.hierarchy.entity(named: entity) != nil else {
        let names = store.hierarchy.model.entities.map(\.name)
        throw RecordRequestError.unknownEntity(entity, near: NearNames.nearest(to: entity, among: names))
      }
      join = "JOIN"
      members = " AND c.ZENTITY IN (\(.list(store.familyNumbers(of: entity))))"
    }
    let filter: SQLStatement = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    statement = """
      SELECT \(columns.joined()) FROM ATRANSACTION AS t \(join) ACHANGE AS c ON c.ZTRANSACTIONID = t.Z_PK\(members)\
      \(filter) ORDER BY t.Z_PK, c.Z_PK
      """
  }

  func transaction(_ row: SteppedRow) -> HistoryTransaction {
    HistoryTransaction(
      number: row.integer(Column.number) ?? 0, moment: row.number(Column.moment), author: row.text(Column.texts),
      context: row.text(Column.texts + 1), process: row.text(Column.texts + 2), bundle: row.text(Column.texts + 3))
  }

  /// - Returns: nil for a save without a requested change.
  mutating func change(_ row: SteppedRow) throws(RecordValueError) -> HistoryChange? {
    guard !row.isNull(Column.change) else { return nil }
    let kind = row.integer(Column.change + 1).flatMap { HistoryChange.Kind(rawValue: $0) }
    let entity = row.integer(Column.change + 2).flatMap { Int(exactly: $0) }.flatMap(store.layout.entity(number:))
    guard let entity, let key = row.integer(Column.change + 3) else {
      return HistoryChange(kind: kind, object: nil, properties: [], incoming: [], tombstone: [:])
    }
    let id = RecordID(entity: entity, key: key)
    let changed = row.data(Column.change + 4).map(bitmaps.bitmap(of: entity).changes(in:)) ?? []
    let properties = changed.compactMap { if case .property(let name) = $0 { name } else { nil } }
    let incoming = changed.compactMap { if case .incoming(let address) = $0 { address } else { nil } }
    var kept: [String: RecordValue] = [:]
    if kind == .delete {
      for (offset, attribute) in preserved(in: entity).prefix(tombstoneCount).enumerated() {
        let position = Column.tombstones + Int32(offset)
        guard !row.isNull(position) else { continue }
        guard let value = row.value(position, attribute.type, isMarked: attribute.allowsExternalBinaryDataStorage)
        else { throw RecordValueError(object: id, property: attribute.name, expected: attribute.type) }
        kept[attribute.name] = value
      }
    }
    return HistoryChange(
      kind: kind, object: id, properties: properties.sorted { $0.precedesByBytes($1) }, incoming: incoming,
      tombstone: kept)
  }

  private mutating func preserved(in entity: String) -> [AttributeDescription] {
    if let known = tombstones[entity] { return known }
    let found = store.hierarchy.attributesKeptAfterDeletion(of: entity)
    tombstones[entity] = found
    return found
  }
}

/// Steps through the rows of a statement for history.
private final class HistoryCursor: DatabaseCursor {
  typealias Element = (HistoryTransaction, HistoryChange?)

  var _isDone = false
  let _statement: Statement
  private var plan: HistoryPlan

  init(_ statement: Statement, _ plan: HistoryPlan) { (_statement, self.plan) = (statement, plan) }

  func _element(sqliteStatement: SQLiteStatement) throws -> Element {
    let row = SteppedRow(statement: sqliteStatement)
    return (plan.transaction(row), try plan.change(row))
  }
}
