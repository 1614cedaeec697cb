import Foundation
import GRDB
import GRDBSQLite
import MigrationSQL
import PersistentStores
import StoreRows

/// Writes an anonymous copy of a store: nothing but what was masked is ever written.
struct AnonymousCopy {
  let source: Database
  let path: String
  let staged: StagedStore
  let seed: UInt64
  let usesLog: Bool
  /// True to refuse a store that lacks a file of external data.
  let needsExternalFiles: Bool

  /// How many other results are tried where a value must be unique.
  private static let tries = 200

  /// Writes the copy.
  ///
  /// - Returns: how many rows it has.
  func write(_ plan: AnonymizationPlan) throws -> Int {
    var plan = plan
    let originals = OriginalTexts()
    let metadata = try StoreMetadata(reading: source, path: path)
    MetadataMask.forEachText(in: metadata) { originals.insert($0) }
    for table in plan.tables { try look(at: table, &plan, originals) }
    let key = KeyedHash(seed: seed)
    let mask = ValueMask(
      key: key, texts: TextMask(key: key, originals: originals),
      shifts: Dictionary(uniqueKeysWithValues: plan.bounds.map { ($0, $1.shift(key.hash($0))) }),
      externalFile: { try externalFile($0, key) }, keptFile: keptFile)
    let queue = try DatabaseQueue(path: staged.path, configuration: try configuration())
    do {
      let count = try queue.inDatabase { target in
        var count = 0
        try target.inTransaction {
          count = try fill(target, plan, mask, metadata)
          return .commit
        }
        _ = try Row.fetchOne(target, sql: "PRAGMA synchronous = FULL")
        if usesLog { try target.execute(sql: "PRAGMA journal_mode = WAL") }
        return count
      }
      try queue.close()
      return count
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      try? queue.close()
      // The source, which is only read, takes no room.
      throw StoreError(error, path: staged.destination)
    } catch {
      try? queue.close()
      throw error
    }
  }

  private func configuration() throws -> Configuration {
    var settings = ["journal_mode = OFF", "synchronous = OFF"]
    for name in ["page_size", "auto_vacuum"] {
      if let value = try Int.fetchOne(source, sql: "PRAGMA \(name)") { settings.insert("\(name) = \(value)", at: 0) }
    }
    let chosen = settings
    let path = staged.path
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      try StoreWriter.prepareSession(database)
      for setting in chosen { _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)") }
      RecordReading.prepare(database, path: path)
    }
    return configuration
  }

  /// Takes in the texts and numbers of a table.
  private func look(at table: TablePlan, _ plan: inout AnonymizationPlan, _ originals: OriginalTexts) throws {
    let columns = table.columns.filter(\.mask.isMasked)
    guard !columns.isEmpty, !isWrittenApart(table.name) else { return }
    var numbers = columns.map { _ -> ClosedRange<Double>? in nil }
    try forEachRow(of: table.name, columns) { row in
      for position in columns.indices {
        switch BorrowedValue(row, Int32(position)) {
        case .text(let text): originals.insert(text)
        case .integer(let number): numbers[position].extend(to: Double(number))
        case .real(let number) where number.isFinite: numbers[position].extend(to: number)
        case .real, .null, .blob: break
        }
      }
    }
    for (column, range) in zip(columns, numbers) {
      guard case .number(let group, _) = column.mask, let range else { continue }
      plan.add(range.lowerBound, to: group)
      plan.add(range.upperBound, to: group)
    }
  }

  private func isWrittenApart(_ table: String) -> Bool {
    [SystemTable.metadata.rawValue, SystemTable.modelCache.rawValue].contains(table.uppercased())
  }

  private func forEachRow(
    of table: String, _ columns: [TablePlan.Column], _ body: (OpaquePointer) throws -> Void
  ) throws {
    let names = columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
    let rows = try RowSteps("SELECT \(names) FROM \(SQLIdentifier(table))", in: source)
    while try rows.next() { try body(rows.row.statement) }
  }

  private func fill(
    _ target: Database, _ plan: AnonymizationPlan, _ mask: ValueMask, _ metadata: StoreMetadata
  ) throws -> Int {
    for table in plan.tables { try target.execute(sql: table.sql) }
    for sql in plan.uniqueIndexes { try target.execute(sql: sql) }
    var count = 0
    for table in plan.tables where !isWrittenApart(table.name) { count += try copy(table, to: target, mask) }
    try target.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      arguments: [metadata.uuid, MetadataMask(values: mask).masked(metadata)])
    for sql in plan.laterStatements { try target.execute(sql: sql) }
    for statement in plan.derivedStatements { try statement.execute(in: target) }
    for sql in plan.spatialStatements { try target.execute(sql: sql) }
    for sql in plan.triggers { try target.execute(sql: sql) }
    return count
  }

  private func copy(_ table: TablePlan, to target: Database, _ mask: ValueMask) throws -> Int {
    guard !table.columns.isEmpty else { return 0 }
    let names = table.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
    let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try target.makeStatement(
      sql: "INSERT INTO \(SQLIdentifier(table.name)) (\(names)) VALUES (\(marks))")
    let mayCollide = table.columns.contains { $0.isUnique && $0.mask.mayCollide }
    let columns = table.columns.map { ColumnMasking($0, mask) }
    var count = 0
    try forEachRow(of: table.name, table.columns) { row in
      for variant in 0... {
        do {
          try insertion.run { statement in
            for (position, column) in columns.enumerated() {
              let value = try column.masked(BorrowedValue(row, Int32(position)), variant: variant)
              let code = value.bind(at: Int32(position + 1), of: statement)
              guard code == SQLITE_OK else { return code }
            }
            return SQLITE_OK
          }
          break
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && mayCollide {
          guard variant < Self.tries else { throw AnonymizationError.notUnique(table: table.name) }
        }
      }
      count += 1
    }
    return count
  }

  /// Writes a file of external data with other bytes, as many as the store's has.
  private func externalFile(_ name: String, _ key: KeyedHash) throws -> String {
    var words = MaskStream(key.hash(name, 1))
    let bytes = words.uuid()
    let other = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
    let place = place(ofExternalFile: name)
    if let size = try? FileManager.default.attributesOfItem(atPath: place)[.size] as? Int {
      try staged.writeExternal(Data(words.bytes(size)), named: other)
    } else if needsExternalFiles {
      throw RecordWritingError.externalFileMissing(path: place)
    }
    return other
  }

  /// Writes a file of external data as it is.
  private func keptFile(_ name: String) throws {
    let place = place(ofExternalFile: name)
    if let bytes = FileManager.default.contents(atPath: place) {
      try staged.writeExternal(bytes, named: name)
    } else if needsExternalFiles {
      throw RecordWritingError.externalFileMissing(path: place)
    }
  }

  private func place(ofExternalFile name: String) -> String { "\(ExternalData.folder(ofStore: path))/\(name)" }
}

extension ClosedRange<Double>? {
  /// Takes a number in.
  fileprivate mutating func extend(to number: Double) {
    self = map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
  }
}
