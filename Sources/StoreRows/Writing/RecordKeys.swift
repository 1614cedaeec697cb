import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
public import PersistentStores

/// The keys of new objects in a transaction, counted from `Z_PRIMARYKEY`.
///
/// In stores that Core Data wrote, a new key is the root entity's `Z_MAX` plus one, and `Z_MAX` never decreases.
public struct RecordKeys: Sendable {
  private var last: [String: Int64] = [:]
  private var isRaised: Set<String> = []

  /// Begins to count.
  public init() {}

  /// Returns an unused key.
  ///
  /// - Parameter reading: a reader in the transaction that writes the object.
  /// - Throws: ``RecordWritingError``, `DatabaseError`.
  public mutating func next(for entity: String, reading: RecordReading) throws -> Int64 {
    let root = reading.store.hierarchy.rootName(of: entity)
    let used = try last[root] ?? reading.highestKey(ofRoot: root)
    let (key, overflows) = used.addingReportingOverflow(1)
    guard !overflows else { throw RecordWritingError.noKeys(entity: root) }
    last[root] = key
    isRaised.insert(root)
    return key
  }

  package mutating func raise(_ root: String, to key: Int64) {
    last[root] = max(key, last[root] ?? 0)
    isRaised.insert(root)
  }

  /// Writes the highest keys.
  func write(_ store: StoreModel, in database: Database) throws {
    for root in isRaised.sorted() {
      guard let number = store.number(of: root), let key = last[root] else { continue }
      try database.execute(
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX < ?", arguments: [key, number, key])
    }
  }
}

extension RecordReading {
  /// The maximum of `Z_MAX` and the highest used key, so that no key is used twice.
  fileprivate func highestKey(ofRoot root: String) throws -> Int64 {
    let table = try store.existingTable(ofEntity: root)
    guard let number = store.number(of: root) else { throw RecordWritingError.noKeyCount(entity: root) }
    let counted = try Int64.fetchOne(
      database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", arguments: [number])
    guard let counted else { throw RecordWritingError.noKeyCount(entity: root) }
    let query: SQLStatement = "SELECT MAX(Z_PK) FROM \(name: table.name)"
    return max(0, counted, try Int64.fetchOne(database, sql: query.text) ?? 0)
  }
}

/// An error if rows cannot be written.
public enum RecordWritingError: Error, Hashable, Sendable {
  /// `Z_PRIMARYKEY` lacks a row for an entity.
  case noKeyCount(entity: String)
  /// The greatest possible key is already used.
  case noKeys(entity: String)
  /// The version of a row is the greatest possible one.
  case noVersions(RecordID)
  /// A row to change does not exist.
  case rowMissing(RecordID)
  /// A trigger of the store calls a function that this process does not have.
  case unknownFunction(trigger: String, function: String)
  /// A file of external data cannot be written.
  case externalFile(path: String, cause: CaughtError)
  /// The folder of external data is not writable.
  case readOnlyFolder(path: String)
  /// A file of external data that a value names does not exist.
  case externalFileMissing(path: String)
  /// Another object has the same unique values; a value is nil if it has no short text.
  case notUnique(RecordID, properties: [String], values: [String?], other: RecordID)
}

extension RecordWritingError: AdvisedError {
  /// The path of the file of external data or its folder; nil if the error is about a row.
  public var place: String? {
    switch self {
    case .externalFile(let path, _), .readOnlyFolder(let path), .externalFileMissing(let path): path
    default: nil
    }
  }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .noKeyCount(let entity): "Z_PRIMARYKEY has no row for \(entity)"
    case .noKeys(let entity): "\(entity) already uses the greatest key that SQLite can store"
    case .noVersions(let id): "\(id) has the greatest version that SQLite can store, so a save cannot increase it"
    case .rowMissing(let id): "\(id) does not exist any more"
    case .unknownFunction(let trigger, let function):
      "the trigger \(trigger) of the store calls \(function), which only the app has; nothing was written"
    case .externalFile(_, let cause): "the file cannot be written: \(CommonWords.cause(of: cause.error))"
    case .readOnlyFolder: "the folder of the store's external data is not writable; nothing was saved"
    case .externalFileMissing: "the file does not exist, but a value is stored in it"
    case .notUnique(let id, let properties, let values, let other):
      "\(other) and \(id) have the same \(Self.text(properties, values)), which must be unique in an SQLite store"
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .noKeyCount: "verify the store to see every difference from its model"
    case .noVersions: "correct its column Z_OPT first"
    case .readOnlyFolder(let path):
      "make the folder writable and save again: \(run: "chmod", "u+w", path.hasPrefix("-") ? "./\(path)" : path)"
    case .externalFileMissing(let path):
      "copy the hidden folder \(Self.support(of: path)) from the store's original location"
    case .notUnique: "change or remove one of them first"
    case .noKeys, .rowMissing, .unknownFunction, .externalFile: nil
    }
  }

  /// The hidden folder that a file of external data is in.
  private static func support(of path: String) -> String {
    path.split(separator: "/").last { $0.hasPrefix(".") && $0.hasSuffix("_SUPPORT") }.map(String.init) ?? ""
  }

  /// Properties with their values, as in `number “7”`.
  private static func text(_ properties: [String], _ values: [String?]) -> String {
    zip(properties, values).map { name, value in value.map { "\(name) “\($0)”" } ?? name }.joined(separator: ", ")
  }
}
