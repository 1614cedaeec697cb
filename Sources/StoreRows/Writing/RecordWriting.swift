import Foundation
import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores

/// Writes the rows of a save, in the transaction in which the objects were read.
///
/// No other type writes rows of objects.
///
/// It removes deleted rows first, because their unique values become free. Changed rows, new rows, links, derived
/// values and history follow in Core Data's order.
public struct RecordWriting {
  /// The author of a save, for persistent history.
  public struct Author: Hashable, Sendable {
    /// The transaction's author, which apps use as a filter.
    public var name: String
    /// The name of the program.
    public var process: String
    /// The name of the context; nil for no name.
    public var context: String?

    /// Creates an author.
    public init(_ name: String = "modelctl", process: String? = nil, context: String? = nil) {
      (self.name, self.context) = (name, context)
      self.process = process ?? ProcessInfo.processInfo.processName
    }
  }

  let reading: RecordReading
  let files: ExternalFiles
  var store: StoreModel { reading.store }
  var database: Database { reading.database }

  /// Creates a writer.
  ///
  /// - Parameter files: the files of external data; finish or discard them after the transaction has ended.
  /// - Throws: ``RecordWritingError`` if a trigger calls an unknown function.
  public init(_ reading: RecordReading, files: ExternalFiles) throws {
    (self.reading, self.files) = (reading, files)
    try TriggerCheck.run(in: reading.database)
  }

  /// Writes rows.
  ///
  /// - Parameter author: the author of the save; nil for rows that are reverted later, which keep their versions and
  ///   get no history.
  /// - Throws: ``RecordWritingError``, ``RecordRequestError`` for a value that the store lacks a column for,
  ///   `DatabaseError`.
  public func write(_ writes: RecordWrites, keys: RecordKeys, author: Author?) throws {
    try write(writes, keys: keys, author: author, derived: .computed)
  }

  /// Writes rows, with a choice of the derived values.
  ///
  /// - Parameter author: the author of the save; nil for no history.
  package func write(_ writes: RecordWrites, keys: RecordKeys, author: Author?, derived: DerivedWriting) throws {
    try keys.write(store, in: database)
    guard !writes.isEmpty else { return }
    var plans: [String: EntityColumns] = [:]
    func columns(_ entity: String) -> EntityColumns {
      if let known = plans[entity] { return known }
      let columns = EntityColumns(of: entity, in: store, keepsDerived: derived == .kept || derived == .restored)
      plans[entity] = columns
      return columns
    }
    let refresh = try derived == .later || derived == .restored ? nil : DerivedRefresh(reading, before: writes)
    try delete(writes.deletions, columns)
    try makeRoom(for: writes.updates, columns)
    for row in writes.updates { try update(row, columns(row.id.entity), isKept: author != nil) }
    for row in writes.insertions { try insert(row, columns(row.id.entity)) }
    try writeLinks(writes)
    try refresh?.run(after: writes, keepsMoments: derived == .kept)
    if let author, let history = try HistoryWriting(reading) { try history.write(writes, author: author) }
    try files.settle()
  }

  /// Computes the derived attributes of all objects.
  ///
  /// - Parameter keepsMoments: true to keep the dates of rows that have one.
  package func refreshDerived(keepsMoments: Bool = false) throws {
    try DerivedRefresh(reading).runForAll(keepsMoments: keepsMoments)
  }

  /// Sets all attributes derived as `now()` to one date.
  ///
  /// - Parameter moment: seconds since 2001.
  package func setMoment(_ moment: Int) throws { try DerivedRefresh(reading).setMoment(.number(moment)) }

  // MARK: Rows

  private func insert(_ row: RecordWrites.Row, _ columns: EntityColumns) throws {
    guard let number = columns.number, let insertion = columns.insertion else {
      throw RecordRequestError.noTable(entity: row.id.entity)
    }
    try columns.check(row.values)
    var values: [SQLValue] = [.integer(row.id.key), .number(number), .integer(row.version ?? 1)]
    for column in columns.columns { values.append(try stored(column, row.values, replacing: nil) ?? .null) }
    do {
      try database.cachedStatement(sql: insertion).run(values)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      if let collision = try collision(of: row, columns) { throw collision }
      throw error
    }
    try writeExactValues(of: row, columns)
  }

  private func update(_ row: RecordWrites.Row, _ columns: EntityColumns, isKept: Bool) throws {
    guard let table = columns.table else { return }
    try columns.check(row.values)
    let (version, overflows) = (row.version ?? 0).addingReportingOverflow(isKept ? 1 : 0)
    guard !overflows else { throw RecordWritingError.noVersions(row.id) }
    let references = columns.hasExternalData && !row.values.isEmpty ? try self.references(of: row.id, columns) : [:]
    var names: [String] = []
    var values: [SQLValue] = []
    for column in columns.columns {
      guard let value = try stored(column, row.values, replacing: references[column.name]) else { continue }
      names.append(column.name)
      values.append(value)
    }
    // The trigger of `now()` hangs on the column of the version.
    names.append("Z_OPT")
    values.append(.integer(version))
    let list = names.map { "\(SQLIdentifier($0).quoted) = ?" }.joined(separator: ", ")
    let statement = try database.cachedStatement(
      sql: "UPDATE \(SQLIdentifier(table).quoted) SET \(list) WHERE Z_PK = ?")
    try statement.run(values + [.integer(row.id.key)])
    guard database.changesCount == 1 else { throw RecordWritingError.rowMissing(row.id) }
    try writeExactValues(of: row, columns)
  }

  /// Replaces the exact values of a row in the ``ExactValueTable``.
  private func writeExactValues(of row: RecordWrites.Row, _ columns: EntityColumns) throws {
    for (path, type) in columns.exact {
      guard let value = row.values.value(at: path) else { continue }
      // A save sets a composite attribute as a whole, and says nothing of elements without a type.
      if type == .undefined, path.count > 1, value == .null { continue }
      let place: [SQLValue] = [
        .integer(row.id.key), .text(path.joined(separator: ".")), .text(row.id.entity),
      ]
      guard let exact = ExactValue.stored(value, type) else {
        let sql = "DELETE FROM \(ExactValueTable.name) WHERE key = ? AND path = ? AND entity = ?"
        try database.cachedStatement(sql: sql).run(place)
        continue
      }
      let sql = "INSERT OR REPLACE INTO \(ExactValueTable.name) (key, path, entity, near, value) VALUES (?, ?, ?, ?, ?)"
      try database.cachedStatement(sql: sql).run(place + [exact.near, exact.bytes])
    }
  }

  /// Sets changed unique values to NULL first, so that two rows can exchange values.
  private func makeRoom(for updates: [RecordWrites.Row], _ columns: (String) -> EntityColumns) throws {
    let trading = updates.filter { !$0.changed.isDisjoint(with: columns($0.id.entity).unique) }
    guard trading.count > 1 else { return }
    for row in trading {
      let columns = columns(row.id.entity)
      guard let table = columns.table else { continue }
      let names = columns.columns.filter { columns.unique.contains($0.path[0]) && row.changed.contains($0.path[0]) }
      guard !names.isEmpty else { continue }
      let list = names.map { "\(quoted($0.name)) = NULL" }.joined(separator: ", ")
      try database.cachedStatement(sql: "UPDATE \(quoted(table)) SET \(list) WHERE Z_PK = ?").execute(
        arguments: [row.id.key])
    }
  }

  /// The new value of a column with external data; nil if its property is not among the values.
  private func stored(
    _ column: EntityColumns.Column, _ values: [String: RecordValue], replacing old: Data?
  ) throws -> SQLValue? {
    guard let value = column.value(in: values) else { return nil }
    switch column.content {
    case .attribute(let isMarked):
      if isMarked, let old { files.retire(old) }
      return RecordEncoding.stored(try placed(value, isMarked), isMarked: isMarked)
    case .key: return RecordEncoding.stored(value, isMarked: false)
    case .entity:
      guard case .object(let id) = value, let number = store.number(of: id.entity) else { return .null }
      return .number(number)
    }
  }

  /// A value with large data in a file.
  private func placed(_ value: RecordValue, _ isMarked: Bool) throws -> RecordValue {
    switch value {
    case .attribute(.binary(let data)) where isMarked && data.count > ExternalFiles.threshold,
      .transformed(let data) where isMarked && data.count > ExternalFiles.threshold:
      .external(reference: files.add(data))
    case .external(let reference): .external(reference: try files.copy(reference))
    default: value
    }
  }

  /// The references of a row to its external data, by column.
  private func references(of id: RecordID, _ columns: EntityColumns) throws -> [String: Data] {
    guard let table = columns.table else { return [:] }
    let names = columns.columns.filter(\.isMarked).map(\.name)
    let sql: SQLStatement = "SELECT \(.names(names)) FROM \(name: table) WHERE Z_PK = \(.integer(id.key))"
    guard let row = try Row.fetchOne(database, sql: sql.text, arguments: sql.databaseArguments) else { return [:] }
    var found: [String: Data] = [:]
    for (position, name) in names.enumerated() { found[name] = Data.fromDatabaseValue(row[position]) }
    return found
  }

  private func delete(_ records: [ObjectRecord], _ columns: (String) -> EntityColumns) throws {
    for (entity, records) in Dictionary(grouping: records, by: \.id.entity).sorted(by: { $0.key < $1.key }) {
      let columns = columns(entity)
      guard let table = columns.table else { continue }
      for record in records {
        for case .external(let reference) in record.values.values { files.retire(reference) }
      }
      let keys = SQLStatement.values(records.map(\.id.key))
      for link in columns.links { try link.removing(keys).execute(in: database) }
      let sql: SQLStatement = "DELETE FROM \(name: table) WHERE Z_PK IN (\(keys))"
      try sql.execute(in: database)
      guard store.keepsExactValues else { continue }
      let exact: SQLStatement = """
        DELETE FROM \(name: ExactValueTable.name) WHERE key IN (\(keys)) AND entity = \(.text(entity))
        """
      try exact.execute(in: database)
    }
  }

  // MARK: Links

  private func writeLinks(_ writes: RecordWrites) throws {
    for (relationship, links) in ordered(writes.oldLinks) {
      switch store.linkStorage(of: relationship) {
      case .join(let table, let near, let far, _, _):
        try run("DELETE FROM \(quoted(table)) WHERE \(quoted(near)) = ? AND \(quoted(far)) = ?", for: links)
      case .foreignColumn(let table, let column, let order):
        let place = order.map { ", \(quoted($0)) = NULL" } ?? ""
        try run(
          "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(place) WHERE \(quoted(column)) = ? AND Z_PK = ?",
          for: links)
      case .column, .none: break
      }
    }
    for (relationship, links) in ordered(writes.newLinks) {
      switch store.linkStorage(of: relationship) {
      case .join(let table, let near, let far, _, _):
        try run("INSERT OR IGNORE INTO \(quoted(table)) (\(quoted(near)), \(quoted(far))) VALUES (?, ?)", for: links)
      case .foreignColumn(let table, let column, _):
        try run("UPDATE \(quoted(table)) SET \(quoted(column)) = ? WHERE Z_PK = ?", for: links)
      case .column: break
      case nil: throw RecordRequestError.notKept(relationship, named: relationship.property)
      }
    }
    let storages: [PropertyAddress: LinkStorage] = Set(writes.places.map(\.relationship))
      .reduce(into: [:]) { $0[$1] = store.linkStorage(of: $1) }
    // An object that moved from one list to another has lost its place in the first before it gets one in the other.
    for place in writes.places where place.place == nil { try write(place, storages[place.relationship]) }
    for place in writes.places where place.place != nil { try write(place, storages[place.relationship]) }
  }

  /// The links by relationship, then by the keys at their ends.
  private func ordered(
    _ links: Set<RecordWrites.Link>
  ) -> [(relationship: PropertyAddress, links: [RecordWrites.Link])] {
    Dictionary(grouping: links, by: \.relationship)
      .sorted { $0.key.description < $1.key.description }
      .map { ($0.key, $0.value.sorted { ($0.near, $0.far) < ($1.near, $1.far) }) }
  }

  private func write(_ place: RecordWrites.Place, _ storage: LinkStorage?) throws {
    switch storage {
    case .join(let table, let near, let far, let order?, _):
      let sql = "UPDATE \(quoted(table)) SET \(quoted(order)) = ? WHERE \(quoted(near)) = ? AND \(quoted(far)) = ?"
      try database.cachedStatement(sql: sql).execute(arguments: [place.place, place.near, place.far])
    case .foreignColumn(let table, _, let order?):
      let sql = "UPDATE \(quoted(table)) SET \(quoted(order)) = ? WHERE Z_PK = ?"
      try database.cachedStatement(sql: sql).execute(arguments: [place.place, place.far])
    default: break
    }
  }

  private func quoted(_ name: String) -> String { SQLIdentifier(name).quoted }

  private func run(_ sql: String, for links: [RecordWrites.Link]) throws {
    let statement = try database.cachedStatement(sql: sql)
    for link in links { try statement.execute(arguments: [link.near, link.far]) }
  }
}
