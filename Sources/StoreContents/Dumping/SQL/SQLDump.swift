import AtomicStores
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import VersionHashing

/// Dumps a store as statements that make a relational database of it: tables, rows, foreign keys and indexes, in one
/// transaction.
struct SQLDump {
  private let dialect: SQLDialect
  /// What a store of another kind holds and the rows have no room for.
  private let unmirrored: UnmirroredValues?
  private let reading: RecordReading
  private let metadata: StoreMetadata

  init(_ dialect: SQLDialect, _ unmirrored: UnmirroredValues?, _ reading: RecordReading, _ metadata: StoreMetadata) {
    (self.dialect, self.unmirrored, self.reading, self.metadata) = (dialect, unmirrored, reading, metadata)
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
      try SQLRows(table, dialect, unmirrored, in: reading).write(to: &stream) { objects[$0, default: 0] += 1 }
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
