import Foundation
import GRDB
import TestSupport
import Testing

@Suite("rescue makes a new store of one that does not open") struct RescueTests {
  private func execute(_ sql: String, _ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func count(_ sql: String, _ path: String) throws -> Int {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }

  @Test("A missing table, links to nothing and wrong numbers are named, and all other objects are in the new store")
  func tables() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    try execute(
      """
      DROP TABLE ZSERVICE; UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Order';
      UPDATE ZORDER SET Z_OPT = NULL WHERE Z_PK = 2; UPDATE ZCUSTOMER SET ZNAME = x'FF' WHERE Z_PK = 3
      """, store)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite", "--version", "v1")
    #expect(result.status == 1, "\(result)")
    for words in [
      "table ZSERVICE is missing", "Z_MAX is 1", "Order: 5 kept", "Z_OPT is 1 now", "Z_PK 3) [value]",
    ] {
      #expect(result.standardOutput.contains(words), "\(words): \(result)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    #expect(try count("SELECT COUNT(*) FROM ZORDER", workspace.folder.path("new.sqlite")) == 5)
    #expect(try workspace.modelctl("verify", "new.sqlite").status == 0)
    #expect(try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite").status == 2)
  }

  @Test("Damaged pages are read one by one, and the new store has the current version") func pages() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 200)
    let store = workspace.folder.path("shop.sqlite")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    for place in 0..<100 { bytes[place] = 0xAA }
    try bytes.write(to: URL(fileURLWithPath: store))
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 2)
    let rehearsal = try workspace.modelctl("rescue", "shop.sqlite", "--dry-run", "--format", "json")
    #expect(rehearsal.standardOutput.contains("\"damaged-schema\""), "\(rehearsal)")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: workspace.url.path).contains { $0.contains("rescued") })
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--version", "Orders@v1", "--report", "r.html")
    #expect(result.status == 0, "\(result)")
    #expect(try count("SELECT COUNT(*) FROM ZCUSTOMER", workspace.folder.path("shop.rescued.sqlite")) == 200)
    #expect(try workspace.modelctl("verify", "shop.rescued.sqlite").status == 0)
    let page = try String(contentsOfFile: workspace.folder.path("r.html"), encoding: .utf8)
    #expect(page.contains("Objects by entity"))
  }

  @Test("What is no store is one error, and nothing is made", arguments: ["hello", "", "\u{1}\u{2}\u{3}"])
  func foreign(_ content: String) throws {
    let workspace = try SampleFolder()
    try workspace.write(content, to: "store.sqlite")
    let before = try workspace.contents()
    let result = try workspace.modelctl("rescue", "store.sqlite")
    #expect(result.status == 2 && result.standardError.hasPrefix("error: store.sqlite"), "\(result)")
    #expect(try workspace.contents() == before)
  }

  @Test("The database of another program is refused") func otherProgram() throws {
    let workspace = try SampleFolder()
    try execute("CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url)", workspace.folder.path("places.sqlite"))
    let result = try workspace.modelctl("rescue", "places.sqlite")
    #expect(result.status == 2 && result.standardError.contains("another program"), "\(result)")
  }
}

@Suite("rescue reads what can be read of stores that are text") struct DocumentRescueTests {
  @Test("A text that is cut off, and values and links that are none", arguments: ["xml", "json"])
  func texts(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.\(kind)")
    let path = workspace.folder.path("shop.\(kind)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let sound = try workspace.modelctl("rescue", "shop.\(kind)", "--output", "a.\(kind)", "--version", "Orders@v1")
    #expect(sound.status == 0, "\(sound)")
    #expect(try workspace.modelctl("verify", "a.\(kind)").status == 0)
    try workspace.write(String(text.prefix(text.count * 3 / 4)), to: "shop.\(kind)")
    let cut = try workspace.modelctl("rescue", "shop.\(kind)", "--output", "b.\(kind)", "--version", "Orders@v1")
    #expect(cut.status == 1 && cut.standardOutput.contains("Customer: 5 kept"), "\(cut)")
    #expect(try workspace.modelctl("status", "b.\(kind)").status == 0)
    try workspace.write("\(text.prefix(40))", to: "shop.\(kind)")
    let none = try workspace.modelctl("rescue", "shop.\(kind)", "--output", "c.\(kind)")
    #expect(none.status == 2, "\(none)")
  }
}
