import Foundation
import GRDB
import MigrationSQL
import ModelDescription
public import PersistentStores

/// The keys that a transaction gives to new objects, counted on from `Z_PRIMARYKEY`.
///
/// In stores that Core Data wrote a key is one more than the root entity's `Z_MAX`, which never goes down.
public struct RecordKeys: Sendable {
  private var last: [String: Int64] = [:]
  private var isRaised: Set<String> = []

  /// Begins to count.
  public init() {}

  /// A key that no object has had.
  ///
  /// - Parameter reading: reads in the transaction in which the object is written.
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

  /// Writes down how far the keys are given.
  func write(_ store: StoreModel, in database: Database) throws {
    for root in isRaised.sorted() {
      guard let number = store.number(of: root), let key = last[root] else { continue }
      try database.execute(
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX < ?", arguments: [key, number, key])
    }
  }
}

extension RecordReading {
  /// The greater of `Z_MAX` and the greatest key in use, so that a key is never given twice.
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

/// Why rows cannot be written.
public enum RecordWritingError: Error, Hashable, Sendable {
  /// `Z_PRIMARYKEY` has no row for an entity.
  case noKeyCount(entity: String)
  /// The greatest key there can be is given.
  case noKeys(entity: String)
  /// The version of a row is the greatest there can be.
  case noVersions(RecordID)
  /// A row that is to change is not there.
  case rowGone(RecordID)
  /// A trigger of the store calls a function that this program does not have.
  case unknownFunction(trigger: String, function: String)
  /// A file of external data cannot be written.
  case externalFile(path: String, cause: CaughtError)
  /// The user may not write to a folder in which external data is kept.
  case readOnlyFolder(path: String)
  /// A file of external data that a value names is not there.
  case externalFileMissing(path: String)
  /// Another object has the values that are to be unique; a value is nil that no short text gives.
  case notUnique(RecordID, properties: [String], values: [String?], other: RecordID)
}

extension RecordWritingError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .noKeyCount(let entity): "Z_PRIMARYKEY has no row for \(entity); look at the store with: modelctl verify"
    case .noKeys(let entity): "\(entity) has used the greatest key that SQLite has"
    case .noVersions(let id):
      "\(id) has the greatest version that SQLite has, and a save counts it on; mend its column Z_OPT before"
    case .rowGone(let id): "\(id) is not there any more"
    case .unknownFunction(let trigger, let function):
      "the trigger \(trigger) of the store calls \(function), which only the app has that made it; nothing was written"
    case .externalFile(let path, let cause): "\(path) cannot be written: \(cause.error.localizedDescription)"
    case .readOnlyFolder(let path):
      "\(path) may not be written, where the store keeps external data; nothing was saved: run "
        + "`chmod u+w \(ShellWord(path: path).text)`, and save again"
    case .externalFileMissing(let path):
      """
      \(path) is not there, and a value is in this file; copy the hidden folder \(Self.support(of: path)) from where the \
      store was
      """
    case .notUnique(let id, let properties, let values, let other):
      """
      \(other) and \(id) have the same \(Self.text(properties, values)), which must be unique in a SQLite store; change \
      one of them, or remove it, before
      """
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
