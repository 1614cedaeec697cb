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
      let schema = try SchemaObject.all(in: database)
      guard let object = schema.first(where: { $0.name.uppercased() == "Z_METADATA" }) else {
        let names = schema.filter { $0.type == "table" }.prefix(5).map(\.name)
        throw StoreError.notCoreData(path: path, tables: names)
      }
      let columns = try Row.fetchAll(database, sql: "SELECT name FROM pragma_table_info('Z_METADATA')")
      guard object.type == "table", !object.isVirtualTable,
        Set(columns.compactMap { $0.text(0) }).isSuperset(of: ["Z_UUID", "Z_PLIST"])
      else { throw StoreError.metadata(path: path, fault: .table) }
      guard let sizes = try Row.fetchOne(database, sql: "SELECT Z_UUID, length(Z_PLIST) FROM Z_METADATA LIMIT 1")
      else { throw StoreError.metadata(path: path, fault: .noRow) }
      guard let uuid = sizes.text(0), !uuid.isEmpty else { throw StoreError.metadata(path: path, fault: .noUUID) }
      let size = sizes.integer(1) ?? 0
      guard size > 0 else { throw StoreError.metadata(path: path, fault: .noPropertyList) }
      guard size <= Self.limit else { throw StoreError.metadata(path: path, fault: .oversized(bytes: size)) }
      let content = try Row.fetchOne(database, sql: "SELECT CAST(Z_PLIST AS BLOB) FROM Z_METADATA LIMIT 1")
      return (uuid, content?.blob(0) ?? Data())
    }
    try self.init(uuid: uuid, propertyList: data, path: path)
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
