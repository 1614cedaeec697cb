import Foundation
public import GRDB
import ModelFiles

extension CachedModel {
  /// The most bytes `Z_CONTENT` may have; real ones have some ten thousand.
  private static let limit: Int64 = 64 << 20

  /// Reads the model in an open store's `Z_MODELCACHE`.
  ///
  /// - Parameter database: a connection to the store.
  /// - Throws: `DatabaseError` when SQLite cannot read the table.
  public init(reading database: Database) throws {
    let columns = try Row.fetchAll(database, sql: "SELECT name FROM pragma_table_info('Z_MODELCACHE')")
    guard columns.contains(where: { $0.text(0) == "Z_CONTENT" }) else {
      self = .absent
      return
    }
    let sql = "SELECT length(Z_CONTENT) FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1"
    guard let size = try Row.fetchOne(database, sql: sql)?.integer(0), size > 0 else {
      self = .absent
      return
    }
    guard size <= Self.limit else {
      self = .unreadable(reason: "it has \(size) bytes")
      return
    }
    let content = try Row.fetchOne(
      database, sql: "SELECT CAST(Z_CONTENT AS BLOB) FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1")
    do {
      self = .model(try ModelCache.decode(content?.blob(0) ?? Data()))
    } catch {
      guard case .brokenArchive(_, let reason) = error else {
        self = .unreadable(reason: error.description)
        return
      }
      self = .unreadable(reason: reason)
    }
  }
}

extension StoreReader {
  /// Identifies the version that wrote the store.
  ///
  /// - Parameters:
  ///   - versions: the versions to choose from, in the order in which they are preferred.
  ///   - mergesBundles: true when the app opens the store with the union of all their bundles.
  /// - Returns: the version, or what is known without it.
  /// - Throws: ``StoreError`` when it is no Core Data store or cannot be read.
  public func identify(
    among versions: [KnownVersion], mergesBundles: Bool = false
  ) throws(StoreError) -> StoreIdentification {
    try StoreError.typed(path: path) {
      try read { database in
        StoreIdentification(
          of: try StoreMetadata(reading: database, path: path), cachedModel: try CachedModel(reading: database),
          among: versions, mergesBundles: mergesBundles)
      }
    }
  }
}
