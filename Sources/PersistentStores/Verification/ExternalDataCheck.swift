import Foundation
import GRDB
import ModelDescription

/// Whether the files that rows refer to are there, each for one value.
struct ExternalDataCheck {
  private typealias Place = (table: String, column: String, address: PropertyAddress)

  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let folder: String

  func problems(in database: Database) throws -> [StoreFinding] {
    let places = places
    var problems: [StoreFinding] = []
    // Every name counts once, so that little is kept of files that are much larger.
    var (named, shared): (Set<UUID>, Set<UUID>) = ([], [])
    for place in places {
      problems += try finding(.missingFile, "the file of external binary data is not in \(folder)", place, database) {
        if let name = UUID(uuidString: $0), !named.insert(name).inserted { shared.insert(name) }
        return FileStatus(folder + "/" + $0)?.kind != .file
      }
    }
    guard !shared.isEmpty else { return problems }
    for place in places {
      problems += try finding(.sharedFile, "the file of external binary data is another value's too", place, database) {
        UUID(uuidString: $0).map(shared.contains) ?? false
      }
    }
    return problems
  }

  /// The columns of the attributes that allow external storage.
  private var places: [Place] {
    layout.tables.flatMap { table in
      table.columns.compactMap { column -> Place? in
        guard case .attribute(let address) = column.role,
          let declared = hierarchy.allAttributes(of: address.entity)[address.property],
          declared.property.allowsExternalBinaryDataStorage
        else { return nil }
        return (table.name, column.name, address)
      }
    }
  }

  /// The rows whose file is one that is looked for; references are short, so that long values stay unread.
  private func finding(
    _ kind: StoreFinding.Kind, _ sentence: String, _ place: Place, _ database: Database,
    where isFound: (String) -> Bool
  ) throws -> [StoreFinding] {
    var count = 0
    var keys: [Int64] = []
    let name = SQLIdentifier(place.column)
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT Z_PK, \(name) FROM \(SQLIdentifier(place.table)) WHERE length(\(name)) = ? AND typeof(\(name)) = ?",
      arguments: [38, "blob"])
    while let row = try rows.next() {
      guard let value = row.blob(1), let file = ExternalData.fileName(in: value), isFound(file) else { continue }
      count += 1
      if keys.count < RowChecker.keyLimit, let key = row.integer(0) { keys.append(key) }
    }
    guard count > 0 else { return [] }
    return [
      StoreFinding(
        kind, entity: place.address.entity, property: place.address.property, count: count, primaryKeys: keys,
        sentence: sentence)
    ]
  }
}
