import Foundation
import GRDB
import ModelDescription
import ModelFiles
import StoreContents
import TestSupport
import Testing

@testable import PersistentStores

@Suite("A row of a page outside every tree is kept if only one table fits; if not, it is listed with its page")
struct UnplacedRowTests {
  /// A store that was damaged, and what a rescue made of it.
  private struct Rescued {
    let outcome: RescueOutcome
    let folder: TemporaryFolder

    init(_ version: LoadedVersion, rows: Int, sql: String, _ damage: (inout Data, TableTrees) throws -> Void) throws {
      folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      try StoreCreator(of: version.hierarchy).create(at: path, filling: SyntheticRows(seed: 7, rowsPerEntity: rows))
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      try queue.close()
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try damage(&bytes, TableTrees(#require(PageFile(path: path))))
      try bytes.write(to: URL(fileURLWithPath: path))
      outcome = try StoreRescue(of: path, versions: [version]).run(to: folder.path("new.sqlite"))
    }

    func entity(_ name: String) -> RescuedEntity? { outcome.entities.first { $0.name == name } }

    func keys(_ table: String) throws -> [Int64] {
      let queue = try DatabaseQueue(path: folder.path("new.sqlite"))
      defer { try? queue.close() }
      return try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM \(table) ORDER BY 1") }
    }
  }

  private static func orders() throws -> LoadedVersion {
    let bundle = try ModelBundle(at: SampleModels.path("Orders"))
    return try #require(LoadedVersion.load(from: [bundle]).versions.first)
  }

  /// Empties the page at the top of a table's tree.
  private static func empty(_ table: String, _ bytes: inout Data, _ trees: TableTrees) throws {
    let found = try #require(trees.tables.first { $0.name == table })
    #expect(found.leaves.count > 2, "\(table) has a root that is no leaf")
    let size = trees.file.pageSize
    bytes.replaceSubrange((found.root - 1) * size..<found.root * size, with: Data(count: size))
  }

  /// Has the header say that there is no pointer map.
  private static func removeMap(_ bytes: inout Data) { bytes.replaceSubrange(52..<56, with: Data(count: 4)) }

  @Test("A row without a readable entity number, of a page without a tree", arguments: [true, false])
  func numbers(_ hasMap: Bool) throws {
    let rescued = try Rescued(Self.orders(), rows: 500, sql: "UPDATE ZCUSTOMER SET Z_ENT = 99 WHERE Z_PK % 7 = 0") {
      try Self.empty("ZCUSTOMER", &$0, $1)
      if !hasMap { Self.removeMap(&$0) }
    }
    #expect(try rescued.keys("ZCUSTOMER") == Array(1...500))
    let repaired = rescued.entity("Customer")?.repaired.first { $0.kind == .entity }
    #expect(repaired?.keys == (1...500).filter { $0 % 7 == 0 }.map(Int64.init))
    #expect(!rescued.outcome.findings.contains { $0.severity == .error })
  }

  @Test("Rows that fit no table are listed with their page and their numbers") func unplaced() throws {
    let sql = """
      CREATE TABLE other (a, b, c); INSERT INTO other WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
      WHERE i < 2000) SELECT 'a' || i, 'b', 'c' FROM n
      """
    var leaves: [Int] = []
    let rescued = try Rescued(Self.orders(), rows: 5, sql: sql) {
      try Self.empty("other", &$0, $1)
      leaves = $1.tables.first { $0.name == "other" }?.leaves ?? []
      Self.removeMap(&$0)
    }
    let items = rescued.entity("")?.lost.filter { $0.kind == .unknown } ?? []
    #expect(items.compactMap(\.page) == leaves && !leaves.isEmpty)
    #expect(items.flatMap(\.keys).sorted() == Array(1...2000))
    #expect(!rescued.outcome.isComplete)
    // The pointer map says whose pages they are.
    let mapped = try Rescued(Self.orders(), rows: 5, sql: sql) { try Self.empty("other", &$0, $1) }
    let rows = mapped.entity("")?.lost.first { $0.kind == .unknown }
    #expect(rows?.count == 2000 && rows?.page == nil && rows?.sentence.contains("table other") == true, "\(mapped)")
  }

  @Test("A cell of such a page that is not a row counts, with the entity of the page") func cells() throws {
    var page = 0
    let rescued = try Rescued(Self.orders(), rows: 500, sql: "") { bytes, trees in
      try Self.empty("ZCUSTOMER", &bytes, trees)
      page = try #require(trees.tables.first { $0.name == "ZCUSTOMER" }?.leaves.last)
      let start = (page - 1) * trees.file.pageSize
      // A record of no bytes is none.
      bytes[start + Int(bytes[start + 8]) << 8 + Int(bytes[start + 9])] = 0
    }
    let item = rescued.entity("Customer")?.lost.first { $0.kind == .row }
    #expect(item?.page == page && item?.count == 1, "\(rescued.outcome.entities)")
    #expect(try rescued.keys("ZCUSTOMER").count == 499)
  }

  @Test("A table without entity numbers keeps its rows, with any value in the number's column") func column() throws {
    func entity(_ name: String, _ attributes: [String]) -> EntityDescription {
      var made = EntityDescription(name: name)
      made.attributes = attributes.map { AttributeDescription(name: $0, type: .integer64, isOptional: true) }
      return made
    }
    let model = ManagedObjectModel(entities: [entity("First", ["one"]), entity("Second", ["two"])])
    let version = try LoadedVersion(bundle: "", name: "v", isCurrent: true, model: model)
    let rescued = try Rescued(
      version, rows: 20, sql: "UPDATE ZSECOND SET Z_OPT = 1; ALTER TABLE ZSECOND DROP COLUMN Z_ENT"
    ) { _, _ in }
    #expect(try rescued.keys("ZSECOND") == Array(1...20))
    #expect(try rescued.keys("ZFIRST") == Array(1...20))
    #expect(rescued.entity("First")?.lost == [] && rescued.entity("Second")?.lost == [])
  }

  @Test(
    "A table whose name or statement is damaged has its rows",
    arguments: [
      "name = 'ZCUSTOMEX'", "sql = replace(sql, 'ZCUSTOMER', 'ZCUSTOMEX')", "sql = 'x'", "sql = NULL",
      "sql = replace(sql, 'PRIMARY KEY', 'PRIMARY xEY')",
    ])
  func schema(_ change: String) throws {
    let rescued = try Rescued(
      Self.orders(), rows: 50,
      sql: "PRAGMA writable_schema = 1; UPDATE sqlite_master SET \(change) WHERE type = 'table' AND name = 'ZCUSTOMER'"
    ) { try Self.removeIndexPage(&$0, $1) }
    #expect(try rescued.keys("ZCUSTOMER") == Array(1...50))
    let isAssumed = rescued.entity("Customer")?.repaired.contains { $0.kind == .table } ?? false
    #expect(isAssumed == (change == "sql = 'x'" || change == "sql = NULL"), "\(rescued.outcome.entities)")
  }

  @Test("A header with a wrong reserved size of pages") func reserved() throws {
    let rescued = try Rescued(Self.orders(), rows: 50, sql: "") { bytes, _ in bytes[20] = 60 }
    #expect(try rescued.keys("ZCUSTOMER") == Array(1...50))
    #expect(rescued.outcome.isComplete, "\(rescued.outcome.entities)")
  }

  /// Empties a page of an index, of which a rescue has no need.
  private static func removeIndexPage(_ bytes: inout Data, _ trees: TableTrees) throws {
    let size = trees.file.pageSize
    let page = try #require((1..<bytes.count / size).first { bytes[$0 * size] == 0x0A })
    bytes.replaceSubrange(page * size..<(page + 1) * size, with: Data(count: size))
  }
}
