import Foundation
import GRDB
import ModelDescription
import PersistentStores
import TestSupport

/// Gives the rows of a store values that expressions meet at their edges: missing ones, zeros, texts that differ in case.
struct RandomRows {
  var random: SeededGenerator
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout

  static let texts = ["", "a", "A", "ä", "a\u{308}", "Éclair", "eclair", "😀b", "ab*c", "12", "zz", "Zebra \u{FFFD}"]
  static let uris = ["https://example.org/a", "https://example.org/b"]

  /// Writes values into every attribute, and takes some links away.
  mutating func fill(_ database: Database) throws {
    for table in layout.tables {
      guard case .hierarchy = table.content else { continue }
      let rows = try Row.fetchAll(database, sql: "SELECT Z_PK, Z_ENT FROM \"\(table.name)\"")
      for row in rows {
        let entity = layout.entity(number: row[1]) ?? ""
        for column in table.columns {
          let value: DatabaseValue
          switch column.role {
          case .attribute(let address) where hierarchy.isEntity(entity, kindOf: address.entity):
            guard let attribute = hierarchy.allAttributes(of: entity)[address.property]?.property else { continue }
            value = self.value(of: attribute)
          case .toOne where Int.random(in: 0..<5, using: &random) == 0: value = .null
          default: continue
          }
          let key: Int64 = row[0]
          try database.execute(
            sql: "UPDATE \"\(table.name)\" SET \"\(column.name)\" = ? WHERE Z_PK = ?", arguments: [value, key])
        }
      }
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> DatabaseValue {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return .null }
    let small = Int64.random(in: -4...4, using: &random)
    switch attribute.type {
    case .integer16, .integer32: return small.databaseValue
    case .integer64:
      let isLarge = Int.random(in: 0..<6, using: &random) == 0
      return (isLarge ? Int64.max - small.magnitude.signed : small).databaseValue
    case .decimal, .double, .float, .date: return (Double(Int64.random(in: -12...12, using: &random)) / 4).databaseValue
    case .boolean: return (small > 0 ? 1 : 0).databaseValue
    case .uuid: return Data(repeating: UInt8(small.magnitude), count: 16).databaseValue
    case .uri: return Self.uris.randomElement(using: &random)?.databaseValue ?? .null
    case .binary:
      let data = Data(repeating: UInt8(small.magnitude), count: Int(small.magnitude))
      return (attribute.allowsExternalBinaryDataStorage ? Data([1]) + data : data).databaseValue
    default: return Self.texts.randomElement(using: &random)?.databaseValue ?? .null
    }
  }
}

extension UInt64 {
  fileprivate var signed: Int64 { Int64(self) }
}
