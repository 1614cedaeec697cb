import Foundation
import GRDB
import GRDBSQLite
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Writes an anonymous copy of a store; only masked values are ever written.
struct AnonymousCopy {
  let source: Database
  let hierarchy: EntityHierarchy
  let path: String
  let staged: StagedStore
  let seed: UInt64
  let usesLog: Bool
  /// Whether to refuse a store that lacks a file of external data.
  let needsExternalFiles: Bool
  /// The bytes of the store's model; nil if it contains none.
  let cachedModel: Data?

  /// The number of other results to try, in each of two styles, if a value must be unique.
  static let tries = 200

  func write(_ plan: AnonymizationPlan) throws -> Anonymization.Outcome {
    var plan = plan
    let pages = try Int64.fetchOne(source, sql: "PRAGMA page_count") ?? 0
    let originals = OriginalTexts(storeBytes: pages * (try Int64.fetchOne(source, sql: "PRAGMA page_size") ?? 0))
    let metadata = try StoreMetadata(reading: source, path: path)
    MetadataMask.forEachText(in: metadata) { originals.insert($0) }
    for table in plan.tables { try look(at: table, &plan, originals) }
    let key = KeyedHash(seed: seed)
    let mask = ValueMask(
      key: key, texts: TextMask(key: key, originals: originals),
      shifts: Dictionary(uniqueKeysWithValues: try plan.groups.map { ($0, try $1.shift(key.hash($0))) }),
      externalFile: { try externalFile($0, key) }, keptFile: keptFile)
    let queue = try DatabaseQueue(path: staged.path, configuration: try configuration())
    do {
      let outcome = try queue.inDatabase { target in
        var outcome = Anonymization.Outcome(objects: 0, linksToNothing: DanglingLinks())
        try target.inTransaction { () -> Database.TransactionCompletion in
          outcome = try fill(target, plan, mask, metadata)
          return .commit
        }
        _ = try Row.fetchOne(target, sql: "PRAGMA synchronous = FULL")
        if usesLog { try target.execute(sql: "PRAGMA journal_mode = WAL") }
        return outcome
      }
      try queue.close()
      return outcome
    } catch let error as DatabaseError where error.isOfWriting {
      try? queue.close()
      // The source is only read.
      throw StoreError(error, path: staged.destination)
    } catch {
      try? queue.close()
      throw error
    }
  }

  private func configuration() throws -> GRDB.Configuration {
    var settings = ["journal_mode = OFF", "synchronous = OFF"]
    for name in ["page_size", "auto_vacuum"] {
      if let value = try Int.fetchOne(source, sql: "PRAGMA \(name)") { settings.insert("\(name) = \(value)", at: 0) }
    }
    let chosen = settings
    let path = staged.path
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      try StoreWriter.prepareSession(database)
      for setting in chosen { _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)") }
      RecordReading.prepare(database, path: path)
    }
    return configuration
  }

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
      guard case .number(let group, let member, _) = column.mask, let range else { continue }
      plan.add(range.lowerBound, to: group, member: member)
      plan.add(range.upperBound, to: group, member: member)
    }
  }

  private func isWrittenApart(_ table: String) -> Bool {
    [SystemTable.metadata.rawValue, SystemTable.modelCache.rawValue].contains(table.uppercased())
  }

  private func forEachRow(
    of table: String, _ columns: [TablePlan.Column], _ body: (OpaquePointer) throws -> Void
  ) throws {
    let names = columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
    let rows = try StoredRowCursor("SELECT \(names) FROM \(SQLIdentifier(table))", in: source)
    while try rows.next() { try body(rows.row.statement) }
  }

  private func fill(
    _ target: Database, _ plan: AnonymizationPlan, _ mask: ValueMask, _ metadata: StoreMetadata
  ) throws -> Anonymization.Outcome {
    for table in plan.tables { try target.execute(sql: table.sql) }
    for sql in plan.uniqueIndexes { try target.execute(sql: sql) }
    var count = 0
    for table in plan.tables where !isWrittenApart(table.name) {
      let rows = try copy(table, to: target, mask)
      if table.holdsObjects { count += rows }
    }
    try target.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      arguments: [metadata.uuid, MetadataMask(values: mask).masked(metadata)])
    if let cachedModel {
      let row = StoreMetadata.cachedModelRow(ofGuessedNames: try !metadata.hasNamesOfCoreData(reading: source))
      try target.execute(
        sql: "INSERT INTO Z_MODELCACHE (rowid, Z_CONTENT) VALUES (?, ?)", arguments: [row, cachedModel])
    }
    for sql in plan.laterStatements { try target.execute(sql: sql) }
    let links = try DanglingLinks.remove(in: target, of: hierarchy)
    for statement in plan.derivedStatements { try statement.execute(in: target) }
    for sql in plan.spatialStatements { try target.execute(sql: sql) }
    for sql in plan.triggers { try target.execute(sql: sql) }
    return Anonymization.Outcome(objects: count, linksToNothing: links)
  }

  private func copy(_ table: TablePlan, to target: Database, _ mask: ValueMask) throws -> Int {
    guard !table.columns.isEmpty else { return 0 }
    let names = table.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
    let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try target.makeStatement(
      sql: "INSERT INTO \(SQLIdentifier(table.name)) (\(names)) VALUES (\(marks))")
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
        } catch let error as DatabaseError where Self.uniqueness.contains(error.extendedResultCode) {
          try check(error, table, variant: variant)
        }
      }
      count += 1
    }
    return count
  }

  /// The result codes of a row whose key or unique values another row has.
  private static let uniqueness: [ResultCode] = [
    .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID,
  ]

  /// Throws an error if no further variant can make a row unique.
  private func check(_ error: DatabaseError, _ table: TablePlan, variant: Int) throws {
    let columns = table.columns(refusedBy: error.message)
    let mayCollide = columns.contains(where: \.mask.mayCollide)
    if mayCollide, variant < 2 * Self.tries { return }
    let replaced = columns.first { if case .constant = $0.mask { true } else { false } }
    if let rule = replaced?.rule {
      throw AnonymizationError.replacedUnique(path: rule.path, line: rule.line, name: rule.name)
    }
    guard mayCollide else { throw error }
    let names = columns.filter(\.mask.mayCollide).compactMap(\.attribute)
    throw names.isEmpty
      ? AnonymizationError.notUnique(table: table.name) : AnonymizationError.attributesNotUnique(names)
  }

  /// Writes a file of external data with other bytes, of the same length.
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
    if let bytes = try? FileBytes.whole(place) {
      try staged.writeExternal(bytes, named: name)
    } else if needsExternalFiles {
      throw RecordWritingError.externalFileMissing(path: place)
    }
  }

  private func place(ofExternalFile name: String) -> String { "\(ExternalData.folder(ofStore: path))/\(name)" }
}

extension DatabaseError {
  /// Whether the error is about writing.
  fileprivate var isOfWriting: Bool {
    let codes = [
      ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
    ]
    return resultCode == .SQLITE_FULL || codes.contains(extendedResultCode)
  }
}

extension ClosedRange<Double>? {
  fileprivate mutating func extend(to number: Double) {
    self = map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
  }
}

/// Makes the metadata of an anonymous copy: Core Data's entries are kept; of the app's own entries, only the names are
/// kept.
struct MetadataMask {
  let values: ValueMask

  /// Core Data's entries begin so; an app's own do not.
  private static let prefixes = ["NS", "_NS"]

  static func isOfCoreData(_ name: String) -> Bool { prefixes.contains { name.hasPrefix($0) } }

  /// Calls a function with every text of the app's own entries.
  static func forEachText(in metadata: StoreMetadata, _ body: (String) -> Void) {
    func visit(_ value: PropertyList) {
      switch value {
      case .string(let text): body(text)
      case .array(let members): members.forEach(visit)
      case .dictionary(let members): members.values.forEach(visit)
      default: break
      }
    }
    for (name, value) in metadata.entries where !isOfCoreData(name) { visit(value) }
  }

  func masked(_ metadata: StoreMetadata) -> Data {
    let entries = metadata.entries.map { name, value in (name, Self.isOfCoreData(name) ? value : masked(value)) }
    return PropertyList.dictionary(Dictionary(entries) { first, _ in first }).binary
  }

  private func masked(_ value: PropertyList) -> PropertyList {
    switch value {
    case .string(let text): return .string(values.texts.mask(text))
    case .data(let bytes):
      var stream = MaskStream(values.key.hash(bytes))
      return .data(Data(stream.bytes(bytes.count)))
    case .date(let moment):
      // Whole days within two years, so that a moment stays one.
      return .date(moment - 86_400 * Double(1 + values.key.hash("date") % 730))
    case .array(let members): return .array(members.map(masked))
    case .dictionary(let members): return .dictionary(members.mapValues(masked))
    case .integer, .unsigned, .real, .single, .boolean, .uid: return value
    }
  }
}
