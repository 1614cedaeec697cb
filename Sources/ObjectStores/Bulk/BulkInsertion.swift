import Foundation
package import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
package import StoreRows

/// Inserts any number of objects into an empty store, in a single transaction and with constant memory.
///
/// The result is the same as that of one ``Saving`` of all objects. Every object is validated when it is inserted.
/// Rules about several objects are checked in the rows after all are inserted. Indexes and the triggers of derived
/// attributes are created after the rows.
package final class BulkInsertion {
  private static let batchCount = 500
  private static let batchBytes = 4 << 20

  private let reading: RecordReading
  private let model: SavingModel
  private let links: BulkLinks
  private let schema: PausedSchema
  private let fileName: () -> String
  private let expressions = RegularExpressions()
  private var batch = RecordWrites()
  private var batchSize = 0
  private var keys = RecordKeys()

  /// Creates a bulk insertion.
  ///
  /// - Parameter reading: a reader in the transaction that writes the objects.
  package init(_ reading: RecordReading, fileName: @escaping () -> String) throws {
    (self.reading, self.fileName) = (reading, fileName)
    model = SavingModel(reading.hierarchy)
    links = BulkLinks(reading, model)
    schema = try PausedSchema(in: reading.database)
  }

  /// Inserts an object; missing properties get their defaults.
  ///
  /// - Parameters:
  ///   - id: the object; its key must be unused in its table.
  ///   - unread: the properties whose values are known to be invalid, which are not checked again.
  package func insert(
    _ id: RecordID, _ values: [String: RecordValue], unread: Set<String> = []
  ) throws -> [SaveBlocker] {
    guard let entity = model.entity(id.entity) else { return [] }
    guard !entity.isAbstract else { return [SaveBlocker(.abstract, id, isNew: true)] }
    var validation = RecordValidation(entity, id, isNew: true, expressions: expressions)
    var row = entity.initialValues
    for attribute in entity.attributes {
      if let value = values[attribute.name] {
        row[attribute.name] = value
        batchSize += value.size
      }
      guard !unread.contains(attribute.name) else { continue }
      validation.check(attribute, row[attribute.name] ?? .null, path: attribute.name)
    }
    try expressions.checkSum()
    for relation in entity.relations {
      switch values[relation.name] {
      case .object(let target)? where !relation.isToMany: row[relation.name] = .object(target)
      case .objects(let targets)? where relation.isToMany: try links.add(targets, along: relation, of: id.key)
      default: break
      }
    }
    keys.raise(model.roots[entity.root], to: id.key)
    batch.insertions.append(RecordWrites.Row(id: id, version: nil, values: row, changed: []))
    if batch.insertions.count >= Self.batchCount || batchSize >= Self.batchBytes { try flush() }
    return validation.blockers
  }

  private func flush() throws {
    let files = ExternalFiles(ofStore: reading.path, names: fileName)
    try RecordWriting(reading, files: files).write(batch, keys: RecordKeys(), author: nil, derived: .later)
    // The store is not complete yet, so no other process reads the file that a row names.
    files.finish()
    (batch, batchSize) = (RecordWrites(), 0)
  }

  /// Sets links and their inverses, and checks the rules about several objects.
  ///
  /// - Parameter limit: the maximum number of blockers of one kind.
  package func check(limit: Int) throws -> [SaveBlocker] {
    try flush()
    var blockers = try links.settle(limit: limit)
    blockers += try BulkChecks(reading, model, limit: limit).run()
    return blockers
  }

  /// Creates indexes and derived values, if there are no blockers.
  package func complete() throws {
    try schema.makeIndexes()
    let writing = try RecordWriting(reading, files: ExternalFiles(ofStore: reading.path))
    try writing.write(RecordWrites(), keys: keys, author: nil)
    try writing.refreshDerived()
    try schema.makeTriggers()
  }
}

extension RecordValue {
  /// The approximate number of bytes, if it may be large.
  fileprivate var size: Int {
    switch self {
    case .attribute(.binary(let data)), .transformed(let data): data.count
    case .attribute(.string(let text)), .attribute(.uri(let text)): text.utf8.count
    case .composite(let elements): elements.values.reduce(0) { $0 + $1.size }
    default: 0
    }
  }
}

/// The indexes of a store and the triggers of derived attributes, removed while rows are inserted.
package final class PausedSchema {
  private let database: Database
  private let indexes: [String]
  private let triggers: [String]

  /// Removes the indexes and triggers.
  package init(in database: Database) throws {
    self.database = database
    indexes = try Self.take("index", "1", in: database)
    triggers = try Self.take("trigger", "name GLOB 'Z_DA_*'", in: database)
  }

  /// Removes schema objects of a single type, and returns their statements in the order of creation.
  private static func take(_ type: String, _ condition: String, in database: Database) throws -> [String] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND \(condition) ORDER BY rowid",
      arguments: [type])
    for row in rows {
      guard let name = String.fromDatabaseValue(row[0]) else { continue }
      try database.execute(sql: "DROP \(type.uppercased()) \(SQLIdentifier(name).quoted)")
    }
    return rows.compactMap { String.fromDatabaseValue($0[1]) }
  }

  package func makeIndexes() throws { for sql in indexes { try database.execute(sql: sql) } }

  package func makeTriggers() throws { for sql in triggers { try database.execute(sql: sql) } }
}

/// Reads the findings about rows as blockers of objects.
struct BulkRows {
  let reading: RecordReading
  let model: SavingModel
  /// The stored relationships, each once, as the entity that declares it has it.
  let relations: [SavingModel.Relation]
  private let names: [Int64: String]

  init(_ reading: RecordReading, _ model: SavingModel) {
    (self.reading, self.model) = (reading, model)
    let numbers = reading.store.layout.entityNumbers.map { (Int64($0.number), $0.name) }
    names = Dictionary(numbers) { first, _ in first }
    relations = model.hierarchy.model.entities.sorted { $0.name < $1.name }
      .flatMap { entity in model.entity(entity.name)?.relations.filter { $0.owner == entity.name } ?? [] }
  }

  /// Runs a query of entity numbers and keys, and converts its rows to blockers.
  func blockers(
    _ query: SQLStatement, _ make: (_ object: RecordID, _ row: Row) -> [SaveBlocker]
  ) throws -> [SaveBlocker] {
    let cursor = try Row.fetchCursor(reading.database, sql: query.text, arguments: query.databaseArguments)
    var found: [SaveBlocker] = []
    while let row = try cursor.next() {
      guard let object = id(entity: row[0], key: row[1]) else { continue }
      found += make(object, row)
    }
    return found
  }

  /// A dangling link: its key is in the third column, the found entity in the fourth, and the named entity in the
  /// fifth.
  func dangling(_ relation: SavingModel.Relation, _ object: RecordID, _ row: Row) -> [SaveBlocker] {
    guard let key = Int64.fromDatabaseValue(row[2]) else { return [] }
    let there = id(entity: row[3], key: row[2])
    let named = id(entity: row[4], key: row[2]) ?? RecordID(entity: relation.destination, key: key)
    guard let there, there.entity == named.entity || model.hierarchy.isEntity(there.entity, kindOf: named.entity)
    else { return [SaveBlocker(.noSuchObject(named), object, isNew: true, property: relation.name)] }
    return [
      SaveBlocker(
        .wrongDestination(there, expected: relation.destination), object, isNew: true, property: relation.name)
    ]
  }

  /// A link to the object of the third and fourth columns whose inverse differs.
  func contradiction(_ relation: SavingModel.Relation, _ object: RecordID, _ row: Row) -> [SaveBlocker] {
    guard let other = id(entity: row[3], key: row[2]) else { return [] }
    return [
      SaveBlocker(.contradicted(other, inverse: relation.inverse?.name), object, isNew: true, property: relation.name)
    ]
  }

  func id(entity: DatabaseValue, key: DatabaseValue) -> RecordID? {
    guard let number = Int64.fromDatabaseValue(entity), let name = names[number],
      let key = Int64.fromDatabaseValue(key)
    else { return nil }
    return RecordID(entity: name, key: key)
  }
}
