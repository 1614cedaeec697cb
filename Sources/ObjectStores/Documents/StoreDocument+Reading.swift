public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
import ModelFiles
public import PersistentStores
import StoreRows

extension StoreDocument {
  /// Reads a SQLite store as one value, with the data that lies in files beside it.
  ///
  /// What only a SQLite store has is left out: versions of objects, persistent history, and tables of other programs.
  ///
  /// - Parameter busyTimeout: how many seconds to wait for another process.
  /// - Throws: `StoreError`, also for a store that lacks tables or columns of the model, `RecordValueError`, and
  ///   `RecordWritingError` for a file of external data that is not there.
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
  /// Empties to-one links in the rows of a store, so that it holds what the document made of it does.
  ///
  /// - Parameter links: the links; those in no column of their objects are passed over.
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
