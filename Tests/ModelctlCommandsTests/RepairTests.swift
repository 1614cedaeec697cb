import Foundation
import GRDB
import TestSupport
import Testing

@Suite("verify --repair repairs errors that have only one correct result") struct RepairTests {
  @Test("Each repairable error is repaired, the rest is listed, and the original store is kept")
  func repair() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    #expect(try IndexFault.emptied.put(into: "ZROWOFORDER_ZORDER_INDEX", of: store))
    try Damage.execute(
      """
      UPDATE ZROWOFORDER SET ZSERVICE = 4711 WHERE Z_PK < 3;
      DROP INDEX Z_Order_byDate;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Order';
      DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Service';
      """, store)
    let before = try rows(store)
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 1)
    let result = try workspace.modelctl("verify", "--repair", "shop.sqlite")
    #expect(
      result.standardOutput.replacingOccurrences(of: workspace.url.path + "/", with: "") == """
        shop.sqlite: sound with warnings after the repair
          repaired: the index ZROWOFORDER_ZORDER_INDEX was rebuilt from the rows of
            ZROWOFORDER [stale-index]
          repaired: Z_MAX of Order is 5 now [primary-key-maximum]
          repaired: entity Service now has a row in Z_PRIMARYKEY, with the number 4
            [schema]
          repaired: RowOfOrder.service: 2 dangling links, emptied [dangling-reference]
          repaired: created the missing index Z_Order_byDate [schema]
          repaired: Z_MAX of Service is 5 now [primary-key-maximum]
          backup: shop.sqlite.unrepaired.backup
          warning: RowOfOrder.service: the mandatory value is missing (2 rows, Z_PK 1,
            2) [missing-value]

        """)
    #expect(result.status == 0)
    #expect(try rows(workspace.folder.path("shop.sqlite.unrepaired.backup")) == before)
    let again = try workspace.modelctl("verify", "--repair", "shop.sqlite")
    #expect(again.status == 0 && !again.standardOutput.contains("repaired:"), "\(again)")
    #expect(try names(workspace).filter { $0.hasSuffix("backup") }.count == 1)
  }

  @Test("A dry run has the same output and changes no byte")
  func rehearsal() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try Damage.execute("UPDATE ZROWOFORDER SET ZSERVICE = 4711 WHERE Z_PK < 3", workspace.folder.path("shop.sqlite"))
    let before = try workspace.contents()
    let result = try workspace.modelctl("verify", "--repair", "--dry-run", "shop.sqlite", "--format", "json")
    #expect(result.status == 0)
    #expect(result.standardOutput.contains("\"isRehearsal\" : true"))
    #expect(result.standardOutput.contains("RowOfOrder.service: 2 dangling links, emptied"))
    #expect(try workspace.contents() == before)
  }

  @Test("A backup has the name that it is given, and never that of a file that is there")
  func backup() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    try Damage.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Order'", store)
    let before = try rows(store)
    try workspace.write("mine", to: "there.sqlite")
    let refused = try workspace.modelctl("verify", "--repair", "shop.sqlite", "--backup", "there.sqlite")
    #expect(refused.status == 2 && refused.standardError.contains("there.sqlite"), "\(refused)")
    #expect(try rows(store) == before)
    #expect(try String(contentsOfFile: workspace.folder.path("there.sqlite"), encoding: .utf8) == "mine")
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("kept"), withIntermediateDirectories: true)
    let result = try workspace.modelctl("verify", "--repair", "shop.sqlite", "--backup", "kept/old.sqlite")
    #expect(result.status == 0 && result.standardOutput.contains("kept/old.sqlite"), "\(result)")
    #expect(try rows(workspace.folder.path("kept/old.sqlite")) == before)
    #expect(try !names(workspace).contains { $0.hasSuffix(".backup") || $0.contains(".modelctl-") })
  }

  @Test("Options of a repair want one", arguments: [["--dry-run"], ["--backup", "old.sqlite"]])
  func usage(_ options: [String]) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    #expect(try Modelctl.run(["verify", "shop.sqlite"] + options, in: workspace).status == 64)
    #expect(try workspace.modelctl("verify", "--repair", "shop.sqlite", "--backup", "a.sqlite-wal").status == 64)
  }

  @Test("Dangling rows of a join table are deleted, and a missing empty table is created again")
  func tables() throws {
    let workspace = try SampleFolder()
    let (store, join, columns) = try storeWithJoinTable(in: workspace)
    try Damage.execute("INSERT INTO \(join) (\(columns)) VALUES (4711, 4712)", store)
    #expect(try workspace.modelctl("verify", "store.sqlite").standardOutput.contains("[dangling-reference]"))
    let result = try workspace.modelctl("verify", "--repair", "store.sqlite")
    #expect(result.status == 0 && result.standardOutput.contains("removed [dangling-reference]"), "\(result)")
    let empty = try workspace.modelctl("create", "empty.sqlite", "--version", "Orders@v1")
    #expect(empty.status == 0)
    try Damage.execute("DROP TABLE ZSERVICE", workspace.folder.path("empty.sqlite"))
    let made = try workspace.modelctl("verify", "--repair", "empty.sqlite")
    #expect(made.status == 0 && made.standardOutput.contains("created table ZSERVICE, which was missing"), "\(made)")
    #expect(try workspace.modelctl("verify", "empty.sqlite").status == 0)
    // Of a table that had rows nobody knows what they were.
    try workspace.makeStore("full.sqlite")
    try Damage.execute("DROP TABLE ZSERVICE", workspace.folder.path("full.sqlite"))
    let left = try workspace.modelctl("verify", "--repair", "full.sqlite")
    #expect(left.status == 1 && left.standardOutput.contains("table ZSERVICE is missing"), "\(left)")
    // The way on is named, and is one.
    #expect(left.standardOutput.hasSuffix("\n  next: modelctl rescue full.sqlite\n"), "\(left)")
    for command in ["migrate", "dump"] {
      let refused = try workspace.modelctl(command, "full.sqlite")
      #expect(refused.status == 2 && refused.standardError.contains("modelctl rescue full.sqlite"), "\(refused)")
    }
    let rescued = try workspace.modelctl("rescue", "full.sqlite", "--output", "new.sqlite")
    #expect(rescued.standardOutput.contains("\nnew.sqlite: sound"), "\(rescued)")
    #expect(try workspace.modelctl("verify", "new.sqlite").status == 0)
  }

  @Test("A unique index with duplicate rows is kept, and so is the data that its repair would need")
  func duplicates() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    #expect(try IndexFault.emptied.put(into: "Z_Customer_UNIQUE_number", of: store))
    try Damage.execute(
      "INSERT INTO ZCUSTOMER (Z_ENT, Z_OPT, ZNUMBER, ZNAME) SELECT Z_ENT, 1, ZNUMBER, 'b' FROM ZCUSTOMER LIMIT 1", store
    )
    let before = try workspace.contents()
    let result = try workspace.modelctl("verify", "--repair", "shop.sqlite")
    #expect(result.status == 1 && result.standardOutput.contains("[stale-index]"), "\(result)")
    for command in [["migrate", "shop.sqlite"], ["dump", "shop.sqlite"], ["plan", "shop.sqlite"]] {
      let refused = try Modelctl.run(command, in: workspace)
      #expect(refused.status == 2 && refused.standardError.contains("modelctl verify --repair"), "\(refused)")
    }
    #expect(try workspace.contents() == before)
  }

  @Test("A migration creates an index again and reports it", arguments: ["--in-place", "--copy"])
  func migration(_ way: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    #expect(
      try IndexFault.emptied.put(into: "ZROWOFORDER_ZORDER_INDEX", of: workspace.folder.path("shop.sqlite")))
    let result = try workspace.modelctl("migrate", "shop.sqlite", way, "--format", "json")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.standardOutput.contains(
        "the index ZROWOFORDER_ZORDER_INDEX lacks entries for rows of its table, and is rebuilt from the rows"))
    let wrong = try Damage.count(
      "SELECT COUNT(*) FROM ZORDER AS o WHERE ZROWCOUNT IS NOT (SELECT COUNT(*) FROM ZROWOFORDER AS r NOT INDEXED "
        + "WHERE r.ZORDER = o.Z_PK)", workspace.folder.path("shop.sqlite"))
    #expect(wrong == 0)
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("A free page that leads back to itself stops a migration in place, as it stops one by clone")
  func freePages() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    try Damage.execute(
      "CREATE TABLE filler (a); INSERT INTO filler VALUES (zeroblob(200000)); DROP TABLE filler", store)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
    #expect(trunk > 0)
    bytes.replaceSubrange((trunk - 1) * size..<(trunk - 1) * size + 4, with: bytes[32..<36])
    try bytes.write(to: URL(fileURLWithPath: store))
    let before = try workspace.contents()
    for way in ["--in-place", "--copy"] {
      let result = try workspace.modelctl("migrate", "shop.sqlite", way)
      #expect(result.status == 2, "\(way): \(result)")
      #expect(try workspace.contents() == before)
    }
    // Damaged pages are no matter of a repair.
    #expect(try workspace.modelctl("verify", "--repair", "shop.sqlite").status == 1)
    #expect(try workspace.contents() == before)
  }

  private func storeWithJoinTable(in workspace: SampleFolder) throws -> (path: String, table: String, columns: String) {
    for bundle in ["Company", "Family", "Staff", "Todo"] {
      let folder = workspace.url.appendingPathComponent("Models/\(bundle).xcdatamodeld").path
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      where name.hasSuffix(".xcdatamodel") {
        try? FileManager.default.removeItem(atPath: workspace.folder.path("store.sqlite"))
        try workspace.makeStore("store.sqlite", version: "\(bundle)@\(name.dropLast(12))")
        let path = workspace.folder.path("store.sqlite")
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let row = try queue.read {
          try Row.fetchOne(
            $0,
            sql: """
              SELECT t.name, group_concat(c.name) FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c \
              WHERE t.type = 'table' AND t.name GLOB 'Z_[0-9]*' AND c.name NOT GLOB 'Z_FOK*' GROUP BY t.name LIMIT 1
              """)
        }
        if let row { return (path, row[0], row[1]) }
      }
    }
    throw CocoaError(.fileNoSuchFile, userInfo: ["reason": "no sample has a join table"])
  }

  /// All rows of tables, as text.
  private func rows(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flatMap {
        try Row.fetchAll(database, sql: "SELECT * FROM \($0) NOT INDEXED").map(\.description)
      }
    }
  }

  private func names(_ workspace: SampleFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: workspace.url.path)
  }
}
