import Foundation
import GRDB
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("rescue makes a new store of one that does not open") struct RescueTests {
  @Test("A missing table, dangling links and wrong numbers are named, and all other objects are in the new store")
  func tables() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    try Damage.execute(
      """
      DROP TABLE ZSERVICE; UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Order';
      UPDATE ZORDER SET Z_OPT = NULL WHERE Z_PK = 2; UPDATE ZCUSTOMER SET ZNAME = x'FF' WHERE Z_PK = 3
      """, store)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite", "--version", "v1")
    #expect(result.status == 1, "\(result)")
    for words in [
      "table ZSERVICE is missing", "Z_MAX is 1", "Order: 5 kept", "Z_OPT was set to 1", "Z_PK 3) [value]",
    ] {
      #expect(result.standardOutput.contains(words), "\(words): \(result)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    #expect(try Damage.count("SELECT COUNT(*) FROM ZORDER", workspace.folder.path("new.sqlite")) == 5)
    #expect(try workspace.modelctl("verify", "new.sqlite").status == 0)
    #expect(try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite").status == 2)
  }

  @Test("A damaged header is named, with the command that saves the rows", arguments: [100, 4096])
  func damagedHeader(bytes: Int) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try Damage.overwrite(workspace.folder.path("shop.sqlite"), 0..<bytes, by: 0)
    for command in ["status", "verify", "show"] {
      let result = try workspace.modelctl(command, "shop.sqlite")
      let error = result.standardError
      #expect(result.status == 2 && error.contains("the header of the SQLite file is damaged"), "\(result)")
      #expect(error.contains("modelctl rescue shop.sqlite"), "\(result)")
    }
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite", "--version", "v1")
    #expect(result.standardOutput.contains("Order: 5 kept"), "\(result)")
  }

  @Test("A newer version of Core Data is a note about a sound store")
  func newerFramework() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    let queue = try DatabaseQueue(path: store)
    try queue.write { database in
      let bytes = try #require(try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA"))
      let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
      var list = try #require(read as? [String: Any])
      list["NSPersistenceFrameworkVersion"] = 1403
      let changed = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [changed])
    }
    try queue.close()
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--version", "v1")
    #expect(result.status == 0 && result.standardOutput.contains("it opens without problems. Note:"), "\(result)")
  }

  @Test("Damaged pages are read one by one, and the new store has the current version") func pages() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 200)
    let store = workspace.folder.path("shop.sqlite")
    try Damage.behead(store)
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 2)
    let rehearsal = try workspace.modelctl("rescue", "shop.sqlite", "--dry-run", "--format", "json")
    #expect(rehearsal.standardOutput.contains("\"damaged-schema\""), "\(rehearsal)")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: workspace.url.path).contains { $0.contains("rescued") })
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--version", "Orders@v1", "--report", "r.html")
    #expect(result.status == 0, "\(result)")
    #expect(try Damage.count("SELECT COUNT(*) FROM ZCUSTOMER", workspace.folder.path("shop.rescued.sqlite")) == 200)
    #expect(try workspace.modelctl("verify", "shop.rescued.sqlite").status == 0)
    let page = try String(contentsOfFile: workspace.folder.path("r.html"), encoding: .utf8)
    #expect(page.contains("Objects by entity"))
  }

  @Test("Rows that fit no table are listed with their page in each form, of many pages the first")
  func unplaced() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let store = workspace.folder.path("shop.sqlite")
    try Damage.execute(
      """
      CREATE TABLE other (a, b); INSERT INTO other WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
      WHERE i < 3000) SELECT 'a' || i, 'b' FROM n
      """, store)
    let root = try Damage.count("SELECT rootpage FROM sqlite_master WHERE name = 'other'", store)
    try Damage.empty(page: root, of: store)
    // Without a pointer map nobody knows whose pages they are.
    try Damage.overwrite(store, 52..<56, by: 0)
    let arguments = ["rescue", "shop.sqlite", "--dry-run", "--version", "v1"]
    let result = try Modelctl.run(arguments + ["--report", "r.md"], in: workspace)
    let words = result.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(result.status == 1, "\(result)")
    #expect(words.components(separatedBy: "the row fits no table (").count == 7, "\(words)")
    #expect(words.contains("of an unknown table: the row fits no table"), "\(words)")
    #expect(words.contains("rowid 1, 2, 3, 4, 5, …) [unknown]"), "\(words)")
    #expect(words.contains(" more pages of an unknown table: the row fits no table ("), "\(words)")
    let page = try String(contentsOfFile: workspace.folder.path("r.md"), encoding: .utf8)
    #expect(page.contains("the row fits no table") && page.contains("more pages"))
    let document = try Modelctl.run(arguments + ["--format", "json"], in: workspace).standardOutput
    let parsed = try #require(JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
    let lost = (parsed["entities"] as? [[String: Any]] ?? []).flatMap { $0["lost"] as? [[String: Any]] ?? [] }
    let unplaced = lost.filter { $0["kind"] as? String == "unknown" }
    #expect(unplaced.allSatisfy { $0["page"] is Int })
    #expect(unplaced.flatMap { $0["keys"] as? [Int] ?? [] }.sorted() == Array(1...3000))
  }

  @Test("The new store has the current version also where a mapping model leads to it") func mapping() throws {
    let workspace = try SampleFolder()
    try workspace.migrateByModelctl()
    try workspace.makeStore(version: "Orders@v4", rows: 50)
    let store = workspace.folder.path("shop.sqlite")
    let contacts = try Damage.count(
      "SELECT COUNT(*) FROM ZCUSTOMER WHERE ZEMAIL IS NOT NULL OR ZPHONE IS NOT NULL", store)
    try Damage.behead(store)
    let result = try workspace.modelctl("rescue", "shop.sqlite", "--output", "new.sqlite", "--version", "Orders@v6")
    #expect(result.status == 0 && result.standardOutput.contains("new store of v6, read as v4"), "\(result)")
    #expect(contacts > 0)
    #expect(try Damage.count("SELECT COUNT(*) FROM ZCONTACT", workspace.folder.path("new.sqlite")) == contacts)
    #expect(try workspace.modelctl("verify", "new.sqlite").status == 0)
  }

  @Test("A store of two bundles, and one of a configuration", arguments: [true, false]) func parts(_ isMerged: Bool)
    throws
  {
    let workspace = try SampleFolder(emptyNamed: "Aa.xcdatamodeld")
    for (bundle, rest) in [
      ("Aa", #"<configuration name="C"><memberEntity name="EAa"/></configuration>"#), ("Bb", ""),
    ] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="E\(bundle)"><attribute name="a" optional="YES" attributeType="String"/></entity>
        \(bundle == "Aa" ? #"<entity name="Other"><attribute name="b" optional="YES" attributeType="String"/></entity>"# : "")
        \(rest)</model>
        """, to: "\(bundle).xcdatamodeld/v.xcdatamodel/contents")
    }
    let made = try Modelctl.run(
      ["create", "s.sqlite", "--rows", "20", "--version"]
        + (isMerged ? ["Aa@v + Bb@v"] : ["Aa@v", "--configuration", "C"]), in: workspace)
    try #require(made.status == 0, "\(made)")
    try Damage.behead(workspace.folder.path("s.sqlite"))
    let result = try workspace.modelctl("rescue", "s.sqlite", "--output", "new.sqlite")
    #expect(result.status == 0 && result.standardOutput.contains("EAa: 20 kept"), "\(result)")
    #expect(result.standardOutput.contains("EBb: 20 kept") == isMerged, "\(result)")
    #expect(!result.standardOutput.contains("Other: ") || isMerged, "\(result)")
    let verified = try workspace.modelctl("verify", "new.sqlite")
    #expect(verified.status == 0, "\(verified)")
  }

  @Test("An unfinished transaction is undone only in the new store", arguments: [true, false])
  func journal(_ readsPages: Bool) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 300)
    let (store, hot) = (workspace.folder.path("shop.sqlite"), workspace.folder.path("hot.sqlite"))
    let queue = try DatabaseQueue(path: store)
    try queue.inDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN")
      try database.execute(sql: "UPDATE ZCUSTOMER SET ZNAME = 'begun'; UPDATE ZORDER SET ZNOTE = 'begun'")
      for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: store + suffix, toPath: hot + suffix) }
      try database.execute(sql: "ROLLBACK")
    }
    try queue.close()
    if readsPages {
      let root = try Damage.count("SELECT rootpage FROM sqlite_master WHERE name = 'ZROWOFORDER_ZORDER_INDEX'", store)
      try Damage.overwrite(hot, (root - 1) * 4096..<root * 4096, by: 0)
    }
    let before = try workspace.contents().filter { $0.key.hasPrefix("hot") }
    try #require(before.count == 2)
    let result = try workspace.modelctl("rescue", "hot.sqlite", "--output", "new.sqlite", "--version", "v1")
    #expect(result.status == 0, "\(result)")
    #expect(result.standardOutput.contains("hot.sqlite: it opens without problems.") != readsPages, "\(result)")
    #expect(try workspace.contents().filter { $0.key.hasPrefix("hot") } == before)
    let new = workspace.folder.path("new.sqlite")
    #expect(try Damage.count("SELECT COUNT(*) FROM ZCUSTOMER WHERE ZNAME <> 'begun'", new) == 300)
    #expect(try Damage.count("SELECT COUNT(*) FROM ZORDER WHERE ZNOTE = 'begun'", new) == 0)
  }

  @Test("A file that is not a store is one error, and nothing is created", arguments: ["hello", "", "\u{1}\u{2}\u{3}"])
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
    try Damage.execute("CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url)", workspace.folder.path("places.sqlite"))
    let result = try workspace.modelctl("rescue", "places.sqlite")
    #expect(result.status == 2 && result.standardError.contains("another program"), "\(result)")
  }
}

@Suite("rescue reads all readable parts of text stores") struct DocumentRescueTests {
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

  @Test(
    "A value that its attribute cannot hold is listed with the key, and the object is kept", arguments: ["xml", "json"])
  func values(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.\(kind)")
    let text = try String(contentsOfFile: workspace.folder.path("shop.\(kind)"), encoding: .utf8)
    let right =
      kind == "xml"
      ? #/(<attribute name="minutes" type="[a-z0-9]*">)[-0-9]+(</attribute>)/# : #/("minutes": )[-0-9]+(,)/#
    let match = try #require(text.firstMatch(of: right))
    try workspace.write(
      text.replacingCharacters(in: match.range, with: "\(match.1)\(kind == "xml" ? "abc" : "\"abc\"")\(match.2)"),
      to: "shop.\(kind)")
    #expect(try workspace.modelctl("verify", "shop.\(kind)").status == 2)
    let result = try workspace.modelctl("rescue", "shop.\(kind)", "--output", "new.\(kind)", "--version", "Orders@v1")
    #expect(result.status == 1 && result.standardOutput.contains("Service: 5 kept"), "\(result)")
    #expect(result.standardOutput.contains("lost: minutes: ") && result.standardOutput.contains("[value]"), "\(result)")
    #expect(result.standardOutput.contains("(1, Z_PK "), "\(result)")
    #expect(try workspace.modelctl("verify", "new.\(kind)").status == 0)
  }

  @Test("Thousands of errors cost no more than a text without them", arguments: ["xml", "json"])
  func manyErrors(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.\(kind)", version: "Orders@v1", rows: 150)
    let text = try String(contentsOfFile: workspace.folder.path("shop.\(kind)"), encoding: .utf8)
    let wrong =
      kind == "xml"
      ? text.replacing(#/(<attribute name="minutes" type="[a-z0-9]*">)[-0-9]+(<)/#) { "\($0.1)abc\($0.2)" }
      : text.replacing(#/("minutes": )[-0-9]+(,)/#) { "\($0.1)\"abc\"\($0.2)" }
    // One object has more errors than it is worth to cut out.
    let names = (0..<400).map { kind == "xml" ? "<attribute name=\"x\($0)\">1</attribute>" : "\"x\($0)\": 1, " }
    let start = try #require(
      kind == "xml"
        ? wrong.firstMatch(of: #/<object type="CUSTOMER"[^>]*>/#)?.range.upperBound
        : wrong.firstMatch(of: #/"Customer": \[\s*\{/#)?.range.upperBound)
    try workspace.write(wrong[..<start] + names.joined() + wrong[start...], to: "shop.\(kind)")
    let result = try Modelctl.shell(
      "ulimit -t 60; modelctl rescue shop.\(kind) --output new.\(kind) --version Orders@v1", in: workspace)
    #expect(result.status == 1 && result.standardOutput.contains("Service: 150 kept"), "\(result)")
    #expect(result.standardOutput.contains("Customer: 149 kept"), "\(result)")
    #expect(try workspace.modelctl("verify", "new.\(kind)").status == 0)
  }

  @Test("A binary store is read completely or not at all") func binary() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.binary")
    let sound = try workspace.modelctl("rescue", "shop.binary", "--output", "new.binary", "--version", "Orders@v1")
    #expect(sound.status == 0 && sound.standardOutput.contains("Customer: 5 kept"), "\(sound)")
    let same = try workspace.modelctl("diff", "--data", "shop.binary", "new.binary")
    #expect(same.status == 0 && same.standardOutput.contains("the same objects"), "\(same)")
    let store = workspace.url.appendingPathComponent("shop.binary")
    try Data(contentsOf: store).dropLast(200).write(to: store)
    let before = try workspace.contents()
    let cut = try workspace.modelctl("rescue", "shop.binary", "--output", "cut.binary", "--version", "Orders@v1")
    #expect(cut.status == 2 && cut.standardError.hasPrefix("error: shop.binary: "), "\(cut)")
    #expect(try workspace.contents() == before)
  }
}

@Suite("status reads the text of a failed opening") struct LoggedOpeningTests {
  @Test(
    "From a file and from standard input", arguments: ["status console.txt", "cat console.txt | modelctl status -"])
  func text(_ command: String) throws {
    let workspace = try SampleFolder()
    let versions = LoadedVersion.load(from: [try ModelBundle(at: SampleModels.path("Orders"))]).versions
    let hashes = versions[1].versionHashes.entities.sorted { $0.key < $1.key }.map { name, hash in
      "\(name) = <\(hash.bytes.map { String(256 + Int($0), radix: 16).dropFirst() }.joined())>;"
    }
    try workspace.write(
      "CoreData: error\n NSStoreModelVersionHashes = {\n\(hashes.joined(separator: "\n"))\n };\n", to: "console.txt")
    let line = command.hasPrefix("cat") ? command : "modelctl \(command)"
    let result = try Modelctl.shell(line, in: workspace)
    #expect(result.status == 0 && result.standardOutput.contains("version v2 of "), "\(result)")
    let none = try Modelctl.shell("echo hello | modelctl status -", in: workspace)
    #expect(none.status == 1 || none.status == 2, "\(none)")
    #expect(none.standardError.hasPrefix("error: "), "\(none)")
  }
}
