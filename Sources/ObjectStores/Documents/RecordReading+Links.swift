import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

extension RecordReading {
  /// Empties to-one links in the rows of a store, so that it holds what the document made of it does.
  ///
  /// - Parameter links: the links; those in no column of their objects are passed over.
  /// - Throws: `DatabaseError`.
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
