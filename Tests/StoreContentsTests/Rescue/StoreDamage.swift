import Foundation
import GRDB
import TestSupport

@testable import PersistentStores

/// A way in which a store in a folder can be damaged.
enum StoreDamage: String, CaseIterable {
  case bytes
  case header
  case page
  case swappedPages = "swapped pages"
  case truncated
  case systemRows = "rows of system tables"
  case numbers
  case droppedTable = "dropped table"
  case droppedColumn = "dropped column"
  case links
  case foreignLog = "log of another store"
  case lostLog = "lost log"
  case lostFiles = "lost external files"

  /// True for what SQLite itself does to a store, after which all rows can be read by SQL.
  var isBySQL: Bool {
    switch self {
    case .systemRows, .numbers, .droppedTable, .droppedColumn, .links: true
    default: false
    }
  }

  /// True where pages in a log are lost.
  var isOfLog: Bool { self == .foreignLog || self == .lostLog }

  /// Damages a store.
  ///
  /// - Returns: the pages that are not as they were.
  func put(into path: String, _ generator: inout SeededGenerator) throws -> Set<Int> {
    if isBySQL {
      try putBySQL(into: path, &generator)
      return []
    }
    let url = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: url)
    let size = PageFile(path: path)?.pageSize ?? 4096
    let pages = max(1, bytes.count / size)
    var touched: Set<Int> = []
    switch self {
    case .bytes:
      for _ in 0..<Int.random(in: 1...64, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
        touched.insert(place / size + 1)
      }
    case .header:
      for _ in 0..<Int.random(in: 1...100, using: &generator) {
        bytes[Int.random(in: 0..<100, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      touched = [1]
    case .page:
      for _ in 0..<Int.random(in: 1...max(1, pages / 4), using: &generator) {
        let page = Int.random(in: 0..<pages, using: &generator)
        let isEmpty = Bool.random(using: &generator)
        for place in page * size..<min(bytes.count, (page + 1) * size) {
          bytes[place] = isEmpty ? 0 : UInt8.random(in: 0...255, using: &generator)
        }
        touched.insert(page + 1)
      }
    case .swappedPages:
      guard pages > 2 else { return [] }
      let (one, other) = (Int.random(in: 1..<pages, using: &generator), Int.random(in: 1..<pages, using: &generator))
      let kept = bytes[one * size..<(one + 1) * size]
      bytes.replaceSubrange(one * size..<(one + 1) * size, with: Data(bytes[other * size..<(other + 1) * size]))
      bytes.replaceSubrange(other * size..<(other + 1) * size, with: Data(kept))
      touched = one == other ? [] : [one + 1, other + 1]
    case .truncated:
      let length = Int.random(in: 0..<bytes.count, using: &generator)
      bytes.removeSubrange(length...)
      touched = Set(length / size + 1...pages + 1)
    case .foreignLog:
      try Data((0..<9000).map { _ in UInt8.random(in: 0...255, using: &generator) }).write(
        to: URL(fileURLWithPath: path + "-wal"))
      return []
    case .lostLog:
      try? FileManager.default.removeItem(atPath: path + "-wal")
      return []
    case .lostFiles:
      let folder = ExternalData.folder(ofStore: path)
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where Bool.random(using: &generator) {
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      }
      return []
    default: return []
    }
    try bytes.write(to: url)
    return touched
  }

  private func putBySQL(into path: String, _ generator: inout SeededGenerator) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    var random = generator
    try queue.writeWithoutTransaction { database in
      TriggerFunctions.register(in: database)
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z0-9_]*' ORDER BY name")
      let own = tables.filter { SystemTable(rawValue: $0) == nil }
      guard let table = own.randomElement(using: &random) else { return }
      let name = SQLIdentifier(table).quoted
      let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
      let statements: [String]
      switch self {
      case .systemRows:
        statements = [
          "DELETE FROM Z_PRIMARYKEY WHERE rowid % 2 = \(Int.random(in: 0...1, using: &random))",
          "DELETE FROM Z_METADATA",
          "DELETE FROM Z_PRIMARYKEY", "UPDATE Z_METADATA SET Z_PLIST = x'00'", "DROP TABLE Z_PRIMARYKEY",
          "UPDATE Z_METADATA SET Z_UUID = NULL", "DROP TABLE Z_METADATA",
        ]
      case .numbers:
        statements =
          [
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 99",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 77 WHERE Z_ENT = (SELECT MAX(Z_ENT) FROM Z_PRIMARYKEY)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL",
          ] + (columns.contains("Z_OPT") ? ["UPDATE \(name) SET Z_OPT = NULL", "UPDATE \(name) SET Z_OPT = 'x'"] : [])
          + (columns.contains("Z_ENT") ? ["UPDATE \(name) SET Z_ENT = 4711 WHERE rowid % 3 = 0"] : [])
      case .droppedTable: statements = ["DROP TABLE \(name)"]
      case .droppedColumn:
        let column = columns.filter { $0 != "Z_PK" }.randomElement(using: &random) ?? "Z_OPT"
        for trigger in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
          try database.execute(sql: "DROP TRIGGER \(SQLIdentifier(trigger).quoted)")
        }
        for index in try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        {
          try database.execute(sql: "DROP INDEX \(SQLIdentifier(index).quoted)")
        }
        statements = ["ALTER TABLE \(name) DROP COLUMN \(SQLIdentifier(column).quoted)"]
      default:
        let column = columns.filter { !$0.hasPrefix("Z_") }.randomElement(using: &random)
        guard let column else { return }
        let quoted = SQLIdentifier(column).quoted
        statements = [
          "UPDATE OR IGNORE \(name) SET \(quoted) = 4711 WHERE rowid % 2 = 0",
          "UPDATE OR IGNORE \(name) SET \(quoted) = x'FF00' WHERE rowid % 2 = 0",
          "UPDATE OR IGNORE \(name) SET \(quoted) = CAST(x'FFFE41' AS TEXT) WHERE rowid % 2 = 0",
          "DELETE FROM \(name) WHERE rowid % 3 = 0",
        ]
      }
      if let statement = statements.randomElement(using: &random) { try? database.execute(sql: statement) }
      _ = try? Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    generator = random
  }
}

/// The positions of the rows of a valid store.
struct StoreRowsMap {
  /// The leaves by table and key.
  private(set) var leaves: [String: [Int64: Int]] = [:]

  init?(_ path: String) {
    guard let file = PageFile(path: path) else { return nil }
    let trees = TableTrees(file)
    for table in trees.tables where SystemTable(rawValue: table.name) == nil {
      for page in table.leaves {
        _ = trees.forEachRow(ofPage: page) { leaves[table.name, default: [:]][$0.rowid] = page }
      }
    }
  }
}
