import Foundation
import GRDB
import MigrationSQL
import ModelDescription
package import PersistentStores

/// The files of external data of saves that a crash ended: new ones that no row names, and old ones that were to go.
///
/// Only files that a note of ``ExternalFiles`` names are looked at, so that nothing of another program is ever removed.
package struct ExternalLeftovers {
  static let prefix = "modelctl-save-"

  private let folder: String
  private let notes: [String]

  /// Looks for notes; nil when there is none, as after every save that ended.
  ///
  /// - Parameter path: the store's path.
  package init?(ofStore path: String) {
    folder = ExternalData.folder(ofStore: path)
    let support = (folder as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: support)) ?? []
    notes = names.filter { $0.hasPrefix(Self.prefix) }.sorted().map { "\(support)/\($0)" }
    guard !notes.isEmpty else { return nil }
  }

  /// Removes the files that no row names, and the notes.
  ///
  /// - Parameters:
  ///   - reading: reads in a transaction that keeps every other writer away.
  ///   - files: what removes them.
  /// - Throws: `DatabaseError`.
  package func remove(_ reading: RecordReading, _ files: any FileOperations) throws {
    let used = try usedNames(reading)
    for note in notes {
      let text = FileManager.default.contents(atPath: note).map { String(decoding: $0, as: UTF8.self) } ?? ""
      for name in text.split(separator: "\n").map(String.init) where UUID(uuidString: name) != nil {
        if !used.contains(name) { try? files.remove("\(folder)/\(name)") }
      }
      try? files.remove(note)
    }
  }

  private func usedNames(_ reading: RecordReading) throws -> Set<String> {
    let store = reading.store
    var used: Set<String> = []
    for entity in store.hierarchy.model.entities {
      for attribute in entity.attributes where attribute.allowsExternalBinaryDataStorage {
        let address = PropertyAddress(entity: entity.name, property: attribute.name)
        guard let column = store.place(.attribute(address))?.column.name, let table = store.table(ofEntity: entity.name)
        else { continue }
        let sql: SQLStatement = """
          SELECT \(name: column) FROM \(name: table.name) WHERE length(\(name: column)) = 38 \
          AND substr(\(name: column), 1, 1) = x'02'
          """
        let values = try Data.fetchCursor(reading.database, sql: sql.text)
        while let value = try values.next() { if let name = ExternalData.fileName(in: value) { used.insert(name) } }
      }
    }
    return used
  }
}
