import Foundation
import GRDB
import PersistentStores
import StoreMigration

/// The journal's record of a store from an earlier run.
enum FormerState: Hashable {
  /// It is as a run left it that finished it.
  case finished
  /// It is as it was when it was found to be no store.
  case passedOver
}

extension FleetJournal {
  /// The name of a store in the journal.
  ///
  /// - Returns: its path relative to the journal's folder if it is inside that folder; if not, its complete path.
  func key(of realPath: String) -> String {
    guard let folder, realPath.hasPrefix(folder == "/" ? "/" : "\(folder)/") else { return realPath }
    return String(realPath.dropFirst(folder == "/" ? 1 : folder.count + 1))
  }

  /// The record of a store that is unchanged, for the same goal; nil if the store must be examined.
  func formerState(of key: String, _ stamp: FileStatus, goal: String, in database: Database) throws -> FormerState? {
    let statement = try database.cachedStatement(
      sql: "SELECT state, goal, device, inode, size, modified FROM store WHERE path = ?")
    guard let row = try Row.fetchOne(statement, arguments: [key]) else { return nil }
    let known = (2...5).map { Int64.fromDatabaseValue(row[$0]) }
    let now = [Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.number), stamp.size, stamp.modified]
    guard known == now else { return nil }
    switch String.fromDatabaseValue(row[0]) {
    case "done": return String.fromDatabaseValue(row[1]) == goal ? .finished : nil
    case "skipped": return .passedOver
    default: return nil
    }
  }

  /// Puts a store on the list of this run.
  func enlist(_ key: String, given: String, isNamed: Bool, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO store (path, given, named, state, run) VALUES (?, ?, ?, 'pending', ?)
        ON CONFLICT (path) DO UPDATE
        SET given = excluded.given, named = excluded.named, state = 'pending', run = excluded.run
        """
    ).execute(arguments: [key, given, isNamed, run])
  }

  /// Remembers that a crash left a copy of a store behind.
  func noteLeftover(of key: String, in database: Database) throws {
    try database.execute(sql: "INSERT OR IGNORE INTO leftover VALUES (?)", arguments: [key])
  }

  /// The number of stores that this run has yet to work on.
  func pendingCount() throws(FleetJournalError) -> Int {
    try access {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM store WHERE run = ? AND state = 'pending'", arguments: [run])
    } ?? 0
  }

  /// Writes down what came of some stores, and takes the next ones.
  ///
  /// - Parameters:
  ///   - last: the name of the last store that was taken, nil at the beginning.
  ///   - count: how many to take at most.
  /// - Returns: the next ones, in the order of their names.
  func exchange(
    _ results: [FleetResult], goal: String, after last: String?, count: Int
  ) throws(FleetJournalError) -> [FleetStore] {
    var stores: [FleetStore] = []
    try transaction { database in
      for result in results { try record(result, goal: goal, in: database) }
      guard count > 0 else { return }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT path, given, named, attempts, path IN (SELECT path FROM leftover) FROM store
          WHERE run = ? AND state = 'pending' AND path > ? ORDER BY path LIMIT ?
          """, arguments: [run, last ?? "", count])
      for row in rows {
        let store = try Self.store(row)
        try database.cachedStatement(
          sql: "UPDATE store SET state = 'running', attempts = ?, started = ? WHERE path = ?"
        ).execute(arguments: [store.attempt, Date().timeIntervalSince1970, store.key])
        stores.append(store)
      }
    }
    return stores
  }

  /// Takes a row of the list; if a user changed the file, any value may have any type.
  private static func store(_ row: Row) throws -> FleetStore {
    guard let key = String.fromDatabaseValue(row[0]), let path = String.fromDatabaseValue(row[1]),
      let isNamed = Bool.fromDatabaseValue(row[2]), let attempts = Int32.fromDatabaseValue(row[3]),
      let hasLeftovers = Bool.fromDatabaseValue(row[4])
    else { throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "a row has no sense") }
    let name = key.split(separator: "/").last ?? ""
    return FleetStore(
      path: path, key: key, isNamed: isNamed, attempt: Int(attempts) + 1,
      mayHaveLeftovers: hasLeftovers || isNamed || !CloneName.isWhole(String(name)))
  }

  /// Gives stores back that were taken and not worked on.
  func giveBack(_ stores: [FleetStore]) throws(FleetJournalError) {
    try transaction { database in
      for store in stores {
        try database.execute(
          sql: "UPDATE store SET state = 'pending', attempts = ? WHERE path = ?",
          arguments: [store.attempt - 1, store.key])
      }
    }
  }

  private func record(_ result: FleetResult, goal: String, in database: Database) throws {
    let (state, outcome, message): (String, MigrationOutcome?, String?) =
      switch result.ending {
      case .finished(let outcome): ("done", outcome, nil)
      case .failed(let error): ("failed", nil, "\(error)")
      case .passedOver(let error): ("skipped", nil, error.cause)
      case .interrupted: ("pending", nil, nil)
      }
    let stamp = result.stamp
    try database.cachedStatement(
      sql: """
        UPDATE store SET state = ?, outcome = ?, source = ?, destination = ?, message = ?, uuid = ifnull(?, uuid),
          seconds = ?, goal = ?, device = ?, inode = ?, size = ?, modified = ?
        WHERE path = ?
        """
    ).execute(arguments: [
      state, outcome?.result.rawValue, outcome?.from, outcome?.to, message, outcome?.uuid, result.seconds, goal,
      stamp.map { Int64(bitPattern: $0.device) }, stamp.map { Int64(bitPattern: $0.number) }, stamp?.size,
      stamp?.modified, result.store.key,
    ])
  }
}
