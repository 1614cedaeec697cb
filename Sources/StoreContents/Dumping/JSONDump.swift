import AtomicStores
import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Dumps a store as a JSON store, byte for byte as a conversion writes it.
struct JSONDump {
  private let part: DumpedPart
  private let reading: RecordReading
  private let metadata: StoreMetadata

  init(_ part: DumpedPart, _ reading: RecordReading, _ metadata: StoreMetadata) {
    (self.part, self.reading, self.metadata) = (part, reading, metadata)
  }

  func write(_ stream: DumpStream) throws -> StoreDump.Outcome {
    var (stream, outcome) = (stream, StoreDump.Outcome())
    stream.text = JSONStoreWriter.beginning(metadata.of(kind: JSONStoreKind().name), lastKeys: try lastKeys())
    var isFirst = true
    let references = JSONObjects.references(in: reading)
    for entity in part.entities {
      let objects = JSONObjects(
        try DumpedObjects(of: entity, part, in: reading) { _ in true }, part, references,
        model: reading.hierarchy, namesEntity: false)
      var count = 0
      var separator = JSONStoreWriter.firstObject(of: entity.name, isFirstEntity: isFirst)
      while try objects.appendNext(to: &stream, after: separator, counting: &outcome) {
        separator = JSONStoreWriter.nextObject
        count += 1
        try stream.flushIfFull()
      }
      if count > 0 { isFirst = false }
      outcome.objects[entity.name] = count
    }
    stream.text.append(JSONStoreWriter.end(hasObjects: !isFirst))
    try stream.flush()
    return outcome
  }

  /// The last keys that are greater than the keys of the dumped objects; for a part of a store, all last keys.
  private func lastKeys() throws -> [String: Int64] {
    let hierarchy = reading.hierarchy
    let families = Dictionary(grouping: part.entities.map(\.name)) { hierarchy.rootName(of: $0) }
    var lastKeys: [String: Int64] = [:]
    for row in try Row.fetchAll(reading.database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") {
      guard let name = String.fromDatabaseValue(row[0]), let last = Int64.fromDatabaseValue(row[1]),
        hierarchy.entity(named: name) != nil, hierarchy.rootName(of: name) == name,
        part.isWhole || families[name] != nil,
        last > (part.isWhole ? try greatestKey(of: families[name] ?? [], below: name) : 0)
      else { continue }
      lastKeys[name] = last
    }
    return lastKeys
  }

  private func greatestKey(of entities: [String], below root: String) throws -> Int64 {
    guard let table = reading.store.table(ofEntity: root) else { return 0 }
    let numbers = SQLStatement.list(entities.compactMap(reading.store.number))
    // A table of one entity is asked without the condition, as it is when its objects are read.
    let isOnly = reading.store.familyNumbers(of: root).count == 1
    let condition: SQLStatement = isOnly ? "" : "WHERE Z_ENT IN (\(numbers)) "
    let sql: SQLStatement = "SELECT Z_PK FROM \(name: table.name) \(condition)ORDER BY Z_PK DESC LIMIT 1"
    return try Int64.fetchOne(reading.database, sql: sql.text, arguments: sql.databaseArguments) ?? 0
  }
}

/// Dumps objects as JSON, each on a line with the name of its entity.
struct JSONLinesDump {
  private let part: DumpedPart
  private let reading: RecordReading

  init(_ part: DumpedPart, _ reading: RecordReading) { (self.part, self.reading) = (part, reading) }

  func write(_ stream: DumpStream) throws -> StoreDump.Outcome {
    var (stream, outcome) = (stream, StoreDump.Outcome())
    let references = JSONObjects.references(in: reading)
    for entity in part.entities {
      let objects = JSONObjects(
        try DumpedObjects(of: entity, part, in: reading) { _ in true }, part, references,
        model: reading.hierarchy, namesEntity: true)
      var count = 0
      while try objects.appendNext(to: &stream, after: "", counting: &outcome) {
        stream.text.append("\n")
        count += 1
        try stream.flushIfFull()
      }
      outcome.objects[entity.name] = count
    }
    try stream.flush()
    return outcome
  }
}
