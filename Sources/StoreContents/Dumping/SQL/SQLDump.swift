import AtomicStores
import Foundation
import MappingModels
import MigrationSQL
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import VersionHashing

/// Dumps a store as SQL for a relational database: tables, rows, foreign keys and indexes, in a single transaction.
struct SQLDump {
  private let dialect: SQLDialect
  private let reading: RecordReading
  private let metadata: StoreMetadata

  private let missing: MissingFiles

  init(_ dialect: SQLDialect, _ part: DumpedPart, _ reading: RecordReading, _ metadata: StoreMetadata) {
    (self.dialect, missing) = (dialect, part.missing)
    (self.reading, self.metadata) = (reading, metadata)
  }

  func write(_ begin: () throws -> DumpStream) throws -> StoreDump.Outcome {
    var planning = RelationalPlanning(dialect, reading)
    let tables = try planning.plan()
    let schema = SchemaStatements(dialect: dialect, tables: tables)
    var stream = try begin()
    var objects: [String: Int] = [:]
    for entity in reading.hierarchy.model.entities where !entity.isAbstract { objects[entity.name] = 0 }
    stream.text.append(header(tables))
    for table in tables { stream.text.append(schema.creation(of: table)) }
    for table in tables {
      try SQLRows(table, dialect, missing, in: reading).write(to: &stream) { objects[$0, default: 0] += 1 }
    }
    for table in tables {
      for statement in schema.indexes(of: table) + schema.foreignKeys(of: table) { stream.text.append(statement) }
    }
    stream.text.append("COMMIT;\n")
    try stream.flush()
    return StoreDump.Outcome(objects: objects)
  }

  private func header(_ tables: [RelationalTable]) -> String {
    let rows = tables.filter { $0.root != nil }.map { "\($0.name) \($0.count)" }
    let comments = [
      "The objects of a Core Data store, written by modelctl dump",
      "store UUID: \(metadata.uuid)",
      "digest of the version hashes: \(metadata.versionHashes.digest)",
      "rows: \(rows.joined(separator: ", "))",
    ]
    let text = comments.map { "-- \(SchemaStatements.comment($0))\n" }.joined()
    return switch dialect {
    case .sqlite: text + "PRAGMA foreign_keys = ON;\nBEGIN;\n"
    case .postgresql:
      text + "BEGIN;\nSET LOCAL standard_conforming_strings = on;\nSET LOCAL client_encoding = 'UTF8';\n"
    }
  }
}

/// Writes the rows of a table as statements that insert several at once.
struct SQLRows {
  private let dialect: SQLDialect
  private let table: RelationalTable
  private let missing: MissingFiles
  private let rows: StoredRowCursor
  private let beginning: String
  private let folder: String
  /// The number of bytes after which a statement ends, because databases limit its length.
  private static let longStatement = 1 << 16

  init(
    _ table: RelationalTable, _ dialect: SQLDialect, _ missing: MissingFiles, in reading: RecordReading
  ) throws {
    let table = table.exact(in: reading.store)
    (self.dialect, self.table, self.missing) = (dialect, table, missing)
    let sources = table.columns.map(\.source).joined()
    let sql: SQLStatement = "SELECT \(sources) \(table.rows) \(table.order)"
    rows = try StoredRowCursor(sql.text, arguments: sql.databaseArguments, in: reading.database)
    let names = table.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
    beginning = "INSERT INTO \(SQLIdentifier(table.name)) (\(names)) VALUES\n"
    folder = ExternalData.folder(ofStore: reading.path)
  }

  /// Writes all rows.
  ///
  /// - Parameters:
  ///   - stream: receives the rows.
  ///   - count: called with the entity of each object; with the root entity if the table has only one.
  func write(to stream: inout DumpStream, count: (String) -> Void) throws {
    var written = 0
    while try rows.next() {
      let start = stream.total
      stream.text.append(written == 0 ? beginning : ",\n")
      stream.text.append("(")
      var entity = table.root
      for (position, column) in table.columns.enumerated() {
        if position > 0 { stream.text.append(", ") }
        if case .entity(let names) = column.content {
          entity = rows.row.integer(Int32(position)).flatMap { names[$0] }
        }
        try append(column, Int32(position), of: entity, to: &stream)
      }
      stream.text.append(")")
      if table.root != nil, let entity { count(entity) }
      written += stream.total - start
      if written > Self.longStatement {
        stream.text.append(";\n")
        written = 0
      }
      try stream.flushIfFull()
    }
    if written > 0 { stream.text.append(";\n") }
  }

  private func append(
    _ column: RelationalColumn, _ position: Int32, of entity: String?, to stream: inout DumpStream
  ) throws {
    let row = rows.row
    switch column.content {
    case .number:
      guard let number = row.integer(position) else { return stream.text.append("NULL") }
      stream.text.append(number)
    case .entity(let names): appendText(row.integer(position).flatMap { names[$0] } ?? "", to: &stream)
    case .seconds: try append(value(column, .date, false, position), isSeconds: true, to: &stream)
    case .value(let type, let isMarked):
      var cell = try value(column, type, isMarked, position)
      if case .file(let name) = cell, missing.passesOver("\(folder)/\(name)") {
        // A column that takes no NULL has the next best.
        cell = column.isMandatory ? .data(UnsafeRawBufferPointer(start: nil, count: 0)) : .null
      }
      try append(cell, isSeconds: false, to: &stream)
    }
  }

  private func value(
    _ column: RelationalColumn, _ type: AttributeType, _ isMarked: Bool, _ position: Int32
  ) throws -> CellValue {
    guard let value = rows.row.cell(position, type, isMarked: isMarked) else {
      let id = RecordID(entity: table.root ?? table.name, key: rows.row.integer(0) ?? 0)
      throw RecordValueError(object: id, property: column.property, expected: type)
    }
    return value
  }

  private func append(_ value: CellValue, isSeconds: Bool, to stream: inout DumpStream) throws {
    switch value {
    case .null: stream.text.append("NULL")
    case .integer(let number): stream.text.append(number)
    case .boolean(let flag): stream.text.append(dialect == .sqlite ? (flag ? "1" : "0") : flag ? "true" : "false")
    case .real(let number): append(number, to: &stream)
    case .date(let seconds): if isSeconds { append(seconds, to: &stream) } else { append(date: seconds, to: &stream) }
    case .wholeDecimal(let number): appendDecimal(to: &stream) { $0.append(number) }
    case .decimal(let number): appendDecimal(to: &stream) { $0.append(decimal: number) }
    case .longDecimal(let number): appendDecimal(to: &stream) { $0.append("\(number)") }
    case .notANumber: stream.text.append("'NaN'")
    case .text(let text): append(text: text, to: &stream)
    case .uuid(let bytes):
      stream.text.append("'")
      stream.text.append(uuid: bytes)
      stream.text.append("'")
    case .data(let data): appendData(to: &stream) { $0.text.append(hexadecimal: data) }
    case .file(let name):
      try appendData(to: &stream) { stream in
        _ = try stream.append(file: "\(folder)/\(name)") { $0.append(hexadecimal: $1) }
      }
    }
  }

  private func append(_ number: Double, to stream: inout DumpStream) {
    if number.isFinite { return stream.text.append(number) }
    switch dialect {
    case .sqlite: stream.text.append(number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999")
    case .postgresql: stream.text.append(number.isNaN ? "'NaN'" : number < 0 ? "'-Infinity'" : "'Infinity'")
    }
  }

  private func append(date seconds: Double, to stream: inout DumpStream) {
    guard let text = ISO8601Date.losslessText(of: seconds), dialect == .sqlite || isTimestamp(text) else {
      guard dialect == .postgresql else { return append(seconds, to: &stream) }
      if !seconds.isFinite { return stream.text.append(seconds < 0 ? "'-infinity'" : "'infinity'") }
      stream.text.append("to_timestamp(978307200 + (")
      stream.text.append(seconds)
      return stream.text.append("))")
    }
    stream.text.append("'")
    stream.text.append(text)
    stream.text.append("'")
  }

  /// Whether PostgreSQL accepts a text as a date: it does not have a year 0, and limits texts to 128 characters.
  private func isTimestamp(_ text: String) -> Bool { !text.hasPrefix("0000") && text.utf8.count < 100 }

  private func appendDecimal(to stream: inout DumpStream, _ append: (inout ByteText) -> Void) {
    if dialect == .sqlite { stream.text.append("'") }
    append(&stream.text)
    if dialect == .sqlite { stream.text.append("'") }
  }

  private func appendData(to stream: inout DumpStream, _ append: (inout DumpStream) throws -> Void) rethrows {
    stream.text.append(dialect == .sqlite ? "X'" : "'\\x")
    try append(&stream)
    stream.text.append("'")
  }

  private func appendText(_ text: String, to stream: inout DumpStream) {
    var text = text
    text.withUTF8 { append(text: UnsafeRawBufferPointer($0), to: &stream) }
  }

  private func append(text: UnsafeRawBufferPointer, to stream: inout DumpStream) {
    // No literal of SQLite holds NUL.
    if dialect == .sqlite, text.contains(0) {
      stream.text.append("CAST(X'")
      stream.text.append(hexadecimal: text)
      return stream.text.append("' AS TEXT)")
    }
    stream.text.append("'")
    var start = 0
    for position in 0..<text.count where text[position] == UInt8(ascii: "'") {
      stream.text.append(UnsafeRawBufferPointer(rebasing: text[start...position]))
      stream.text.append("'")
      start = position + 1
    }
    stream.text.append(UnsafeRawBufferPointer(rebasing: text[start...]))
    stream.text.append("'")
  }
}
