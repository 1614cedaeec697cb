/// A difference between a store's schema and the layout of its model.
public enum LayoutDifference: Hashable, Sendable {
  /// The model's entity lacks a row in `Z_PRIMARYKEY`.
  case missingEntity(name: String)
  /// The row of a renamed entity in `Z_PRIMARYKEY` has the source name, as after Core Data's in-place migration.
  case entityName(expected: String, actual: String)
  /// `Z_PRIMARYKEY` has a row that belongs to neither an entity of the model nor Core Data.
  case unknownEntity(name: String, number: Int)
  /// An entity has another number than expected.
  case entityNumber(name: String, expected: Int, actual: Int)
  /// An entity has another parent number than expected.
  case superentityNumber(name: String, expected: Int, actual: Int)
  case missingTable(String)
  /// A table of the store that is not part of the model.
  case extraTable(String)
  /// A table of a Core Data service, such as persistent history or CloudKit mirroring.
  case serviceTable(String)
  case missingColumn(table: String, column: String, type: String)
  case extraColumn(table: String, column: String)
  case columnType(table: String, column: String, expected: String, actual: String)
  /// A join table has the other one of its two possible names.
  case joinTableName(expected: String, actual: String)
  /// A column has another name than expected: another suffix, case or entity number.
  case columnName(table: String, expected: String, actual: String)
  /// No index of the store covers these columns in this order, with this uniqueness and condition.
  case missingIndex(SQLIndex)
  /// The store's index of this name has other columns, another order or another condition.
  case indexDefinition(SQLIndex, actual: String)
  /// An index of the store that is not part of the model, such as an index that the app created.
  case extraIndex(name: String, table: String, isUnique: Bool)
  /// An index has the name that an earlier version gave it.
  case indexName(table: String, expected: String, actual: String)
  case missingSpatialIndex(String)
  case missingTrigger(name: String, table: String)
  case extraTrigger(name: String, table: String)

  /// The effect of a difference on Core Data.
  public enum Severity: Int, Hashable, Sendable, Comparable {
    /// Core Data works with it.
    case note
    /// Core Data works, but slower or without updating some values.
    case warning
    /// Core Data fails, or reads or writes something wrong.
    case error

    /// A note is less than a warning, a warning less than an error.
    public static func < (first: Severity, second: Severity) -> Bool { first.rawValue < second.rawValue }
  }

  /// The effect on Core Data.
  public var severity: Severity {
    switch self {
    case .missingEntity, .entityNumber, .superentityNumber, .missingTable, .missingColumn, .missingSpatialIndex: .error
    case .missingIndex(let index), .indexDefinition(let index, _): index.isUnique ? .error : .warning
    case .extraIndex(_, _, let isUnique): isUnique ? .warning : .note
    case .unknownEntity, .columnType, .entityName, .joinTableName, .missingTrigger, .extraTrigger: .warning
    case .columnName: .warning
    case .extraTable, .serviceTable, .extraColumn, .indexName: .note
    }
  }
}

extension LayoutDifference: CustomStringConvertible {
  /// The difference as a sentence.
  public var description: String {
    switch self {
    case .missingEntity(let name): "entity \(name) has no row in Z_PRIMARYKEY"
    case .entityName(let expected, let actual): "entity \(expected) still has the name \(actual) in Z_PRIMARYKEY"
    case .unknownEntity(let name, let number): "Z_PRIMARYKEY has entity \(name) (\(number)), which is not in the model"
    case .entityNumber(let name, let expected, let actual):
      "entity \(name) has the number \(actual) instead of \(expected)"
    case .superentityNumber(let name, let expected, let actual):
      "entity \(name) has the parent number \(actual) instead of \(expected)"
    case .missingTable(let table): "table \(table) is missing"
    case .extraTable(let table): "table \(table) is not part of the model"
    case .serviceTable(let table): "table \(table) belongs to a service of Core Data"
    case .missingColumn(let table, let column, let type): "column \(table).\(column) (\(type)) is missing"
    case .extraColumn(let table, let column): "column \(table).\(column) is not part of the model"
    case .columnType(let table, let column, let expected, let actual):
      "column \(table).\(column) is declared \(actual.isEmpty ? "without a type" : actual) instead of \(expected)"
    case .joinTableName(let expected, let actual): "join table \(expected) is named \(actual)"
    case .columnName(let table, let expected, let actual): "column \(table).\(expected) is named \(actual)"
    case .missingIndex(let index):
      "\(index.isUnique ? "unique index" : "index") \(index.name) on \(index.table) "
        + "(\(index.columns.map { $0.isAscending ? $0.name : "\($0.name) DESC" }.joined(separator: ", ")))"
        + (index.condition.map { " WHERE \($0)" } ?? "") + " is missing"
    case .indexDefinition(let index, let actual):
      "index \(index.name) differs from the model's: the store has “\(actual)” instead of “\(index.createStatement)”"
    case .extraIndex(let name, let table, let isUnique):
      "\(isUnique ? "unique index" : "index") \(name) on \(table) is not part of the model"
    case .indexName(let table, let expected, let actual): "index \(expected) on \(table) is named \(actual)"
    case .missingSpatialIndex(let name): "R-tree table \(name) is missing"
    case .missingTrigger(let name, let table): "trigger \(name) on \(table) is missing"
    case .extraTrigger(let name, let table): "trigger \(name) on \(table) is not part of the model"
    }
  }
}
