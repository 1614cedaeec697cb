import GRDB
import ModelDescription
import PersistentStores

/// A store that a test alters by statements, and then verifies.
protocol AlterableStore {
  var path: String { get }
  var hierarchy: EntityHierarchy { get }
}

extension AlterableStore {
  /// Runs statements on the store.
  func execute(_ sql: String) throws {
    let writer = try StoreWriter(path: path)
    try writer.transaction { try $0.execute(sql: sql) }
    try writer.finish()
  }

  /// The verifier's findings, one per line.
  func problems() throws -> [String] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.verify(against: hierarchy).map(\.description)
  }
}
