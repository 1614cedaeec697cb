import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Reads what is wrong with rows, as blockers of objects.
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

  /// Runs a query of entity numbers and keys, and makes blockers of its rows.
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

  /// A link whose key is in the third column, what is there in the fourth, and what was named in the fifth.
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

  /// A link to the object of the third and fourth column, which says something else.
  func contradiction(_ relation: SavingModel.Relation, _ object: RecordID, _ row: Row) -> [SaveBlocker] {
    guard let other = id(entity: row[3], key: row[2]) else { return [] }
    return [
      SaveBlocker(
        .contradicted(other, inverse: relation.inverse?.name), object, isNew: true, property: relation.name)
    ]
  }

  func id(entity: DatabaseValue, key: DatabaseValue) -> RecordID? {
    guard let number = Int64.fromDatabaseValue(entity), let name = names[number],
      let key = Int64.fromDatabaseValue(key)
    else { return nil }
    return RecordID(entity: name, key: key)
  }
}
