package import GRDB

extension StoreMetadata {
  /// The first version of Core Data that keeps its model in every store (iOS 9, OS X 10.11).
  private static let firstWithCachedModel: Int64 = 637

  /// True when Core Data gave the tables of this store their names.
  ///
  /// Core Data keeps its model in `Z_MODELCACHE`, which modelctl empties; in older stores modelctl leaves a digest, which
  /// Core Data did not write then.
  ///
  /// - Parameter database: a connection to the store.
  /// - Returns: false where modelctl may have guessed some.
  /// - Throws: `DatabaseError`.
  package func hasNamesOfCoreData(reading database: Database) throws -> Bool {
    guard let frameworkVersion else { return false }
    guard frameworkVersion >= Self.firstWithCachedModel else { return digest == nil }
    let column = "SELECT 1 FROM pragma_table_info('Z_MODELCACHE') WHERE name = 'Z_CONTENT'"
    guard try Row.fetchOne(database, sql: column) != nil else { return false }
    return try Row.fetchOne(database, sql: "SELECT 1 FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0 LIMIT 1") != nil
  }
}
