import Foundation
public import GRDB

extension StoreMetadata {
  /// The most bytes `Z_PLIST` may have; real ones have a few thousand.
  private static let limit: Int64 = 16 << 20

  /// Reads the metadata of an open store.
  ///
  /// - Parameters:
  ///   - database: a connection to the store.
  ///   - path: the store, for messages.
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
  /// - Parameter database: a connection in a transaction.
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
  /// - Returns: the schema, the entity numbers and the counts.
  /// - Throws: ``StoreError``.
  public func snapshot(counting: Bool) throws(StoreError) -> StoreSnapshot {
    try StoreError.typed(path: path) { try read { try StoreSnapshot(reading: $0, counting: counting) } }
  }
}
