import Foundation
import GRDB
import ModelDescription

/// Whether the files that rows refer to are there.
struct ExternalDataCheck {
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let folder: String

  func problems(in database: Database) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    for table in layout.tables {
      for column in table.columns {
        guard case .attribute(let address) = column.role,
          let declared = hierarchy.allAttributes(of: address.entity)[address.property],
          declared.property.allowsExternalBinaryDataStorage
        else { continue }
        let (count, keys) = try missingFiles(of: column.name, in: table.name, database)
        guard count > 0 else { continue }
        problems.append(
          StoreFinding(
            .missingFile, entity: address.entity, property: address.property, count: count, primaryKeys: keys,
            sentence: "the file of external binary data is not in \(folder)"))
      }
    }
    return problems
  }

  /// References are short, so that long values stay unread.
  private func missingFiles(
    of column: String, in table: String, _ database: Database
  ) throws -> (count: Int, keys: [Int64]) {
    var count = 0
    var keys: [Int64] = []
    let name = SQLIdentifier(column)
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT Z_PK, \(name) FROM \(SQLIdentifier(table)) WHERE length(\(name)) = ? AND typeof(\(name)) = ?",
      arguments: [38, "blob"])
    while let row = try rows.next() {
      guard let value = row.blob(1), let file = ExternalData.fileName(in: value),
        FileStatus(folder + "/" + file)?.kind != .file
      else { continue }
      count += 1
      if keys.count < RowChecker.keyLimit, let key = row.integer(0) { keys.append(key) }
    }
    return (count, keys)
  }
}
