public import Foundation
public import GRDB
public import ModelFiles
public import VersionHashing

/// The metadata of a store: its identity and the versions of its entities.
///
/// Source: the table `Z_METADATA` of stores that Core Data wrote; digests and checksums are computed in the same way.
public struct StoreMetadata: Hashable, Sendable {
  /// The store's identity, `Z_UUID`, which every migration keeps.
  public var uuid: String
  /// All entries with their exact types, including the app's own entries.
  public private(set) var entries: [String: PropertyList]
  /// `NSStoreModelVersionHashes`.
  public private(set) var versionHashes: VersionHashes

  /// Creates metadata from valid parts, such as those of a new store.
  public init(
    uuid: String, versionHashes: VersionHashes, identifiers: [String], entries: [String: PropertyList] = [:]
  ) {
    (self.uuid, self.entries, self.versionHashes) = (uuid, entries, versionHashes)
    adopt(versionHashes, identifiers: identifiers)
  }

  /// Reads a store's property list.
  ///
  /// - Parameter propertyList: the bytes of `Z_PLIST`.
  public init(uuid: String, propertyList: Data, path: String) throws(StoreError) {
    let root: PropertyList
    do {
      root = try PropertyList(decoding: propertyList, path: path)
    } catch {
      throw .metadata(path: path, error: .propertyList(error))
    }
    guard case .dictionary(let entries) = root else { throw .metadata(path: path, error: .root) }
    if case .string(let type)? = entries[Key.storeType], type != "SQLite" {
      throw .metadata(path: path, error: .storeType(type))
    }
    (self.uuid, self.entries) = (uuid, entries)
    versionHashes = try Self.versionHashes(in: entries, path: path)
  }

  /// Reads the entries of a store of any type.
  ///
  /// - Throws: ``StoreError/metadata(path:error:)`` if the version hashes are missing or invalid.
  public init(uuid: String, entries: [String: PropertyList], path: String) throws(StoreError) {
    (self.uuid, self.entries) = (uuid, entries)
    versionHashes = try Self.versionHashes(in: entries, path: path)
  }

  private static func versionHashes(
    in entries: [String: PropertyList], path: String
  ) throws(StoreError) -> VersionHashes {
    guard case .dictionary(let hashes)? = entries[Key.versionHashes] else {
      throw .metadata(path: path, error: .noVersionHashes)
    }
    var entities: [String: VersionHash] = [:]
    for (entity, value) in hashes.sorted(by: { $0.key < $1.key }) {
      guard case .data(let bytes) = value, let hash = VersionHash(bytes) else {
        var count = 0
        if case .data(let bytes) = value { count = bytes.count }
        throw .metadata(path: path, error: .hash(entity: entity, bytes: count))
      }
      entities[entity] = hash
    }
    return VersionHashes(entities: entities)
  }

  /// The names of the entries that Core Data itself writes.
  enum Key {
    static let versionHashes = "NSStoreModelVersionHashes"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let identifiers = "NSStoreModelVersionIdentifiers"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let storeType = "NSStoreType"
    static let digest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
  }

  /// The model's own version identifiers.
  public var identifiers: [String] {
    guard case .array(let values)? = entries[Key.identifiers] else { return [] }
    return values.compactMap { value in
      guard case .string(let text) = value else { return nil }
      return text
    }
  }

  /// The version of Core Data that last wrote the store; nil if it is not recorded.
  public var frameworkVersion: Int64? {
    guard case .integer(let version)? = entries[Key.frameworkVersion] else { return nil }
    return version
  }

  /// The digest over the version hashes, which Core Data writes since iOS 13.
  public var digest: String? { text(Key.digest) }

  /// The checksum over the version hashes, which Core Data writes since iOS 17.
  public var checksum: String? { text(Key.checksum) }

  private func text(_ key: String) -> String? {
    guard case .string(let text)? = entries[key] else { return nil }
    return text
  }

  /// Returns the metadata of the same store written with a different model: with new hashes, digest, checksum and
  /// identifiers.
  ///
  /// Everything else is kept.
  public func rewritten(for versionHashes: VersionHashes, identifiers: [String]) -> StoreMetadata {
    var metadata = self
    metadata.adopt(versionHashes, identifiers: identifiers)
    return metadata
  }

  private mutating func adopt(_ hashes: VersionHashes, identifiers: [String]) {
    versionHashes = hashes
    entries[Key.versionHashes] = .dictionary(hashes.entities.mapValues { .data(Data($0.bytes)) })
    entries[Key.hashesVersion] = .integer(3)
    entries[Key.identifiers] = .array((identifiers.isEmpty ? [""] : identifiers).map { .string($0) })
    entries[Key.digest] = .string(hashes.digest)
    entries[Key.checksum] = .string(hashes.checksum)
  }

  /// The same metadata for an SQLite store that modelctl creates: its type, and the version of Core Data whose tables
  /// it has.
  package var ofSQLite: StoreMetadata {
    var metadata = self
    metadata.entries[Key.storeType] = .string("SQLite")
    metadata.entries[Key.frameworkVersion] = .integer(StoreCreator.frameworkVersion)
    metadata.entries["_NSAutoVacuumLevel"] = .string("2")
    metadata.entries["NSStoreUUID"] = nil
    return metadata
  }

  /// The same metadata for an atomic store.
  ///
  /// - Parameters:
  ///   - kind: the name of the store type, `NSStoreType`.
  ///   - framework: the version of Core Data that the store records; nil to keep the recorded version.
  package func of(kind: String, framework: Int64? = nil) -> StoreMetadata {
    var metadata = self
    metadata.entries[Key.storeType] = .string(kind)
    if let framework { metadata.entries[Key.frameworkVersion] = .integer(framework) }
    metadata.entries["_NSAutoVacuumLevel"] = nil
    return metadata
  }

  /// The bytes of `Z_PLIST`: a binary property list.
  public func encoded() -> Data { PropertyList.dictionary(entries).binary }

  /// The first version of Core Data that stores its model in every store (iOS 9, OS X 10.11).
  private static let firstWithCachedModel: Int64 = 637

  /// True if Core Data named the tables of this store.
  ///
  /// Core Data stores its model in row 1 of `Z_MODELCACHE`, which modelctl empties or fills with a known model. In older
  /// stores modelctl leaves a digest, which Core Data did not write then.
  ///
  /// - Returns: false if modelctl may have guessed some names.
  package func hasNamesOfCoreData(reading database: Database) throws -> Bool {
    guard let frameworkVersion else { return false }
    guard frameworkVersion >= Self.firstWithCachedModel else { return digest == nil }
    let column = "SELECT 1 FROM pragma_table_info('Z_MODELCACHE') WHERE name = 'Z_CONTENT'"
    guard try Row.fetchOne(database, sql: column) != nil else { return false }
    let row = Self.cachedModelRow(ofGuessedNames: false)
    let sql = "SELECT 1 FROM Z_MODELCACHE WHERE rowid = \(row) AND length(Z_CONTENT) > 0"
    return try Row.fetchOne(database, sql: sql) != nil
  }

  /// The row number of a cached model: 1 as in stores of Core Data, or 2 if modelctl guessed names of tables.
  package static func cachedModelRow(ofGuessedNames isGuess: Bool) -> Int { isGuess ? 2 : 1 }
}

extension StoreMetadata {
  /// The maximum size of `Z_PLIST` in bytes; real ones have a few thousand.
  private static let limit: Int64 = 16 << 20

  /// Reads the metadata of an open store.
  ///
  /// - Throws: ``StoreError`` if the file is not a Core Data store or its metadata is invalid.
  public init(reading database: Database, path: String) throws(StoreError) {
    let (uuid, data) = try StoreError.typed(path: path) { () throws -> (String, Data) in
      guard let object = try SchemaObject.named("Z_METADATA", in: database) else {
        let names = try SchemaObject.all(in: database).filter { $0.type == "table" }.prefix(5).map(\.name)
        throw StoreError.notCoreData(path: path, tables: names)
      }
      guard object.type == "table", !object.isVirtualTable, let row = try Self.row(in: database) else {
        throw StoreError.metadata(path: path, error: .table)
      }
      guard let row = row.first else { throw StoreError.metadata(path: path, error: .noRow) }
      guard let uuid = row.text(0), !uuid.isEmpty else { throw StoreError.metadata(path: path, error: .noUUID) }
      let size = row.integer(1) ?? 0
      guard size > 0 else { throw StoreError.metadata(path: path, error: .noPropertyList) }
      guard size <= Self.limit else { throw StoreError.metadata(path: path, error: .oversized(bytes: size)) }
      return (uuid, row.blob(2) ?? Data())
    }
    try self.init(uuid: uuid, propertyList: data, path: path)
  }

  /// The UUID, the size of the property list, and the list itself if it is not too large, of the first row.
  ///
  /// Nil if the table lacks the columns.
  private static func row(in database: Database) throws -> [Row]? {
    do {
      return try Row.fetchAll(
        database,
        sql: """
          SELECT m.Z_UUID, length(m.Z_PLIST), CASE WHEN length(m.Z_PLIST) <= ? THEN CAST(m.Z_PLIST AS BLOB) END \
          FROM Z_METADATA AS m LIMIT 1
          """, arguments: [limit])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
  }

  /// Writes the metadata over that of an open store.
  ///
  /// - Throws: `DatabaseError`.
  public func write(to database: Database) throws {
    try database.execute(sql: "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", arguments: [uuid, encoded()])
  }
}

extension StoreReader {
  /// Reads the store's metadata.
  ///
  /// - Throws: ``StoreError`` if the file is not a Core Data store or its metadata is invalid.
  public func metadata() throws(StoreError) -> StoreMetadata {
    try StoreError.typed(path: path) { try read { database in try StoreMetadata(reading: database, path: path) } }
  }

  /// Reads the schema and the entity numbers of the store.
  ///
  /// - Parameter counting: true to count rows, which reads every table once.
  public func snapshot(counting: Bool) throws(StoreError) -> StoreSnapshot {
    try StoreError.typed(path: path) { try read { try StoreSnapshot(reading: $0, counting: counting) } }
  }
}
