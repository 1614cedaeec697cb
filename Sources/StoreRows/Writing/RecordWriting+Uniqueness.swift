import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension RecordWriting {
  /// Finds the object with the same unique values as a new object whose row SQLite refused.
  ///
  /// Returns nil if no uniqueness constraint of the model explains the refusal.
  func collision(of row: RecordWrites.Row, _ columns: EntityColumns) throws -> RecordWritingError? {
    guard let table = columns.table else { return nil }
    for entity in store.hierarchy.lineage(of: row.id.entity) {
      for properties in entity.uniquenessConstraints where !properties.isEmpty {
        let places = properties.compactMap { columns.column(of: $0) }
        let values = places.compactMap { $0.value(in: row.values) }.filter { $0 != .null }
        guard places.count == properties.count, values.count == places.count else { continue }
        let conditions = zip(places, values).map { place, value in
          "\(name: place.name) = \(RecordEncoding.stored(value, isMarked: place.isMarked))" as SQLStatement
        }
        let query: SQLStatement = """
          SELECT Z_PK, Z_ENT FROM \(name: table) WHERE Z_ENT IN (\(.list(store.layout.numbers(ofFamily: entity.name)))) \
          AND \(conditions.joined(" AND ")) LIMIT 1
          """
        guard let found = try Row.fetchOne(database, sql: query.text, arguments: query.databaseArguments),
          let key = Int64.fromDatabaseValue(found[0]), let number = Int.fromDatabaseValue(found[1])
        else { continue }
        let name = store.layout.entityNumbers.first { $0.number == number }?.name ?? entity.name
        return .notUnique(
          row.id, properties: properties, values: values.map(\.brief), other: RecordID(entity: name, key: key))
      }
    }
    return nil
  }
}

extension EntityColumns {
  /// The column of a property, or of an element of a composite attribute, in a uniqueness constraint.
  fileprivate func column(of property: String) -> Column? {
    columns.first { column in
      if case .entity = column.content { return false }
      return column.path.joined(separator: ".") == property
    }
  }
}

extension RecordValue {
  /// The value in a message; nil if it is not a short text.
  fileprivate var brief: String? {
    switch self {
    case .attribute(let value): value.text.flatMap { $0.count > 40 ? nil : $0 }
    case .object(let id): id.description
    default: nil
    }
  }
}

/// Looks for functions of Core Data's connection that triggers call and this program does not have.
enum TriggerCheck {
  private static let begin = "NSCoreData"

  static func run(in database: Database) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%NSCoreData%'")
    while let row = try rows.next() {
      guard let name = String.fromDatabaseValue(row[0]), let sql = String.fromDatabaseValue(row[1]) else { continue }
      for function in functions(in: sql) where !TriggerFunctions.names.contains(function) {
        throw RecordWritingError.unknownFunction(trigger: name, function: function)
      }
    }
  }

  private static func functions(in sql: String) -> Set<String> {
    var found: Set<String> = []
    for part in sql.ranges(of: begin) {
      let name = sql[part.lowerBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if sql[name.endIndex...].drop(while: \.isWhitespace).first == "(" { found.insert(String(name)) }
    }
    return found
  }
}
