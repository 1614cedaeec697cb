public import Foundation
public import GRDB
public import ModelFiles
public import VersionHashing

/// What a store says about itself: its identity and the versions of the entities it was written with.
///
/// Source: the table `Z_METADATA` of stores that Core Data wrote, whose digests and checksums are computed alike.
public struct StoreMetadata: Hashable, Sendable {
  /// The store's identity, `Z_UUID`, which every migration keeps.
  public var uuid: String
  /// Every entry with its exact type, an app's own ones among them.
  public private(set) var entries: [String: PropertyList]
  /// `NSStoreModelVersionHashes`.
  public private(set) var versionHashes: VersionHashes

  /// Takes metadata that is known to be sound, as that of a new store is.
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

  /// Takes the entries of a store of any kind.
  ///
  /// - Throws: ``StoreError/metadata(path:error:)`` when the version hashes are missing or broken.
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

  /// The version of Core Data that last wrote the store, nil when it does not say.
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

  /// Returns the metadata of the same store written with another model: hashes, digest, checksum and identifiers are
  /// new, everything else stays as it is.
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

  /// The same for a SQLite store that this program makes: its type, and the version of Core Data whose tables it has.
  package var ofSQLite: StoreMetadata {
    var metadata = self
    metadata.entries[Key.storeType] = .string("SQLite")
    metadata.entries[Key.frameworkVersion] = .integer(StoreCreator.frameworkVersion)
    metadata.entries["_NSAutoVacuumLevel"] = .string("2")
    metadata.entries["NSStoreUUID"] = nil
    return metadata
  }

  /// The same for a store of another kind.
  ///
  /// - Parameters:
  ///   - kind: the name of the kind, `NSStoreType`.
  ///   - framework: the version of Core Data that the store records; nil to keep the one that is recorded.
  package func of(kind: String, framework: Int64? = nil) -> StoreMetadata {
    var metadata = self
    metadata.entries[Key.storeType] = .string(kind)
    if let framework { metadata.entries[Key.frameworkVersion] = .integer(framework) }
    metadata.entries["_NSAutoVacuumLevel"] = nil
    return metadata
  }

  /// The bytes of `Z_PLIST`: a binary property list.
  public func encoded() -> Data { PropertyList.dictionary(entries).binary }

  /// The first version of Core Data that keeps its model in every store (iOS 9, OS X 10.11).
  private static let firstWithCachedModel: Int64 = 637

  /// True when Core Data gave the tables of this store their names.
  ///
  /// Core Data keeps its model in `Z_MODELCACHE`, which modelctl empties; in older stores modelctl leaves a digest, which
  /// Core Data did not write then.
  ///
  /// - Returns: false where modelctl may have guessed some.
  package func hasNamesOfCoreData(reading database: Database) throws -> Bool {
    guard let frameworkVersion else { return false }
    guard frameworkVersion >= Self.firstWithCachedModel else { return digest == nil }
    let column = "SELECT 1 FROM pragma_table_info('Z_MODELCACHE') WHERE name = 'Z_CONTENT'"
    guard try Row.fetchOne(database, sql: column) != nil else { return false }
    return try Row.fetchOne(database, sql: "SELECT 1 FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0 LIMIT 1") != nil
  }
}

extension StoreMetadata {
  /// The most bytes `Z_PLIST` may have; real ones have a few thousand.
  private static let limit: Int64 = 16 << 20

  /// Reads the metadata of an open store.
  ///
  /// - Throws: ``StoreError`` when it is no Core Data store or its metadata is broken.
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

  /// The UUID, the size of the property list and the list itself where it is not too large, of the first row if there is
  /// one; nil for a table that lacks the columns.
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
  /// - Throws: ``StoreError`` when it is no Core Data store or its metadata is broken.
  public func metadata() throws(StoreError) -> StoreMetadata {
    try StoreError.typed(path: path) { try read { database in try StoreMetadata(reading: database, path: path) } }
  }

  /// Reads what the store holds.
  ///
  /// - Parameter counting: whether to count rows, which reads every table once.
  public func snapshot(counting: Bool) throws(StoreError) -> StoreSnapshot {
    try StoreError.typed(path: path) { try read { try StoreSnapshot(reading: $0, counting: counting) } }
  }
}
