public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
import ModelFiles
public import PersistentStores
import StoreRows

extension StoreDocument {
  /// Reads an SQLite store as one value, including its external data.
  ///
  /// Parts that only an SQLite store has are omitted: versions of objects, persistent history, and tables of other
  /// programs.
  ///
  /// - Parameter busyTimeout: the seconds to wait for another process.
  /// - Throws: `StoreError`, also for a store that lacks tables or columns of the model, `RecordValueError`, and
  ///   `RecordWritingError` for a missing file of external data.
  public init(
    storeAt path: String, model: EntityHierarchy, busyTimeout: Double = StoreWriter.defaultBusyTimeout
  ) throws {
    let reader = try StoreReader(path: path, busyTimeout: busyTimeout)
    defer { reader.close() }
    try self.init(of: reader, model: model)
  }

  /// Reads the SQLite store that a reader has open.
  init(of reader: StoreReader, model: EntityHierarchy) throws {
    self = try reader.read { database in
      let reading = try RecordReading(of: model, readBy: reader, in: database)
      try reading.checkWholeness()
      let metadata = try StoreMetadata(reading: database, path: reader.file)
      return try StoredObjects(reading, removesLinks: false).content(metadata).document()
    }
  }
}

extension RecordReading {
  /// Sets to-one links in the rows of a store to NULL, so that the store equals its document.
  ///
  /// - Parameter links: the links; links without a column in the rows of their objects are ignored.
  func empty(_ links: [LinkToNothing]) throws {
    for link in links {
      let address = PropertyAddress(entity: link.object.entity, property: link.relationship)
      let storage = store.layout.storage(ofRelationship: address, in: hierarchy)
      guard case .toOne(let table, let key, let number, let order)? = storage else { continue }
      let columns = [key, number, order].compactMap { $0 }.map { "\(name: $0) = NULL" as SQLStatement }
      let sql: SQLStatement = "UPDATE \(name: table) SET \(columns.joined()) WHERE Z_PK = \(.integer(link.object.key))"
      try sql.execute(in: database)
    }
  }
}
