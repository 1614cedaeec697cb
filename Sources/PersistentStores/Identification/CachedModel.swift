public import Foundation
public import GRDB
public import ModelDescription
public import ModelFiles

/// The copy of the model in a store's table `Z_MODELCACHE`, before it is compared with the store.
public enum CachedModel: Hashable, Sendable {
  case absent
  /// The model, and the bytes of `Z_CONTENT` that it was read from.
  case model(ManagedObjectModel, content: Data)
  case unreadable(ReadingError)

  /// Why a cached model cannot be used.
  public enum ReadingError: Error, Hashable, Sendable {
    /// It has more bytes than any that Core Data writes.
    case oversized(bytes: Int64)
    case file(ModelFileError)
    case structure(ModelStructureError)
  }
}

extension CachedModel.ReadingError: CustomStringConvertible {
  /// The cause, without the store.
  public var description: String {
    switch self {
    case .oversized(let bytes): "it has \(bytes) bytes"
    case .file(.brokenArchive(_, let reason)): reason
    case .file(let error): error.description
    case .structure(let error): error.description
    }
  }
}

extension CachedModel {
  /// The maximum size of `Z_CONTENT` in bytes; real ones have some ten thousand.
  private static let limit: Int64 = 64 << 20

  /// Reads the model in an open store's `Z_MODELCACHE`.
  ///
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
      self = .unreadable(.oversized(bytes: size))
      return
    }
    let row = try Row.fetchOne(
      database, sql: "SELECT CAST(Z_CONTENT AS BLOB) FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1")
    let content = row?.blob(0) ?? Data()
    do {
      self = .model(try ModelCache.decode(content), content: content)
    } catch {
      self = .unreadable(.file(error))
    }
  }
}

extension StoreColumns {
  private static let limit = 100_000

  /// Reads the columns that properties have.
  package init(reading database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT t.name, c.name, c.type FROM sqlite_master AS t, pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND t.name GLOB 'Z[A-Z]*' AND c.name GLOB 'Z[A-Z]*' LIMIT \(Self.limit)
        """)
    var tables: [String: [Column]] = [:]
    for row in rows {
      guard let table = row.text(0), let name = row.text(1) else { continue }
      tables[table, default: []].append(Column(name: name, type: row.text(2) ?? ""))
    }
    self.init(tables: tables)
  }
}

extension StoreReader {
  /// Identifies the version that wrote the store.
  ///
  /// - Parameters:
  ///   - versions: the versions to choose from, in order of preference.
  ///   - mergesBundles: true if the app opens the store with the union of all their bundles.
  /// - Returns: the version, or the facts that are known without it.
  /// - Throws: ``StoreError`` if the file is not a Core Data store or cannot be read.
  public func identify(
    among versions: [LoadedVersion], mergesBundles: Bool = false
  ) throws(StoreError) -> StoreIdentification {
    try StoreError.typed(path: path) {
      try read { database in
        StoreIdentification(
          of: try StoreMetadata(reading: database, path: path), cachedModel: try CachedModel(reading: database),
          among: versions, mergesBundles: mergesBundles, columns: { (try? StoreColumns(reading: database)) ?? .none })
      }
    }
  }
}
