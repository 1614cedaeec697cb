import Foundation
import ModelFiles
import ModelKit
import TestSupport
import Testing

@Suite("The report of a migration")
struct MigrationReportTests {
  private func report(_ name: String, in workspace: SampleFolder) throws -> String {
    String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The report without what differs from run to run.
  private func steady(_ text: String) -> String {
    text.replacing(/started [-0-9T:Z]+, [0-9.]+ s/, with: "started TIME, SECONDS")
      .replacing(/time: [0-9.]+ s/, with: "time: SECONDS")
  }

  @Test("The changes, the rows before and after, and the location of the original")
  func migrated() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v3", rows: 3)
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v4", "--backup", "--report", "out.md")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(
      steady(try report("out.md", in: workspace)) == #"""
        # Migration of shop.sqlite

        migrated; started TIME, SECONDS, modelctl 0.1.0

        ## shop.sqlite: migrated from v3 to v4

        - the result was verified before it was kept: its schema, its hashes and the written rows
        - strategy: in place, 8 statements
        - time: SECONDS
        - backup of the original: shop.sqlite.v3.backup
        - unchanged number of rows: 5 entities

        ## What changes from v3 to v4

        - path: inferred
        - Order.number: type changes from Integer 32 to Integer 64; rows: the values are converted
        - Order.payments: added; rows: existing rows have no links
        - Payment: added; rows: its table starts empty

        """#)
  }

  @Test("Each version on the way has its chapter, with the mapping model that was used")
  func way() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 3)
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--report", "out.html")
    #expect(result.status == 0, "\(result.standardError)")
    let page = try PageStructure(try report("out.html", in: workspace))
    #expect(page.faults == [])
    #expect(
      page.elements("h2").map(\.text) == [
        "shop.sqlite: migrated from v1 to v6", "What changes from v1 to v2", "What changes from v2 to v3",
        "What changes from v3 to v4", "What changes from v4 to v5", "What changes from v5 to v6",
      ])
    let way = "path: by the mapping model Migrations/Orders/v4-v5.xml, which decides about the rows"
    #expect(page.text.contains("<li>\(way)</li>"))
    #expect(page.elements("table").count == 1)
    #expect(page.elements("script").isEmpty)
  }

  @Test("A refusal is recorded with its reason and the planned steps; the store is unchanged")
  func refused() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v4", rows: 3)
    let before = try Data(contentsOf: workspace.url.appendingPathComponent("shop.sqlite"))
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v3", "--no-mappings", "--report", "out.md")
    let text = try report("out.md", in: workspace)
    if result.status == 0 {
      Issue.record("the migration was expected to be refused")
    }
    #expect(result.status == 2)
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("shop.sqlite")) == before)
    #expect(text.contains("## shop.sqlite: refused\n\n- the store is unchanged\n- path: from v4 to v3\n"))
    #expect(text.contains("\n- reason: "))
    #expect(text.contains("## What changes from v4 to v3"))
  }

  @Test("Allowed losses are recorded, and a dry run records the expected result")
  func decisions() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v4", rows: 3)
    let result = try workspace.modelctl(
      "migrate", "shop.sqlite", "--to", "v3", "--dry-run", "--allow-data-loss", "Payment", "--allow-data-loss",
      "Order.number", "--report", "out.md")
    #expect(result.status == 0, "\(result.standardError)")
    let text = try report("out.md", in: workspace)
    #expect(text.contains("- allow the loss of Payment\n- allow the loss of Order.number\n"))
    #expect(text.contains("## shop.sqlite: would migrate from v4 to v3\n"))
    #expect(
      text.contains(
        "- the migration was tried on a copy; the result was verified and deleted, and the store is unchanged\n"))
  }

  @Test("Several stores, or a folder, have a table that includes failures")
  func several() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 2)
    try workspace.makeStore("new.sqlite", version: "Orders@v6", rows: 2)
    let result = try workspace.modelctl(
      "migrate", "shop.sqlite", "new.sqlite", "gone.sqlite", "--report", "out.html")
    #expect(result.status == 2)
    let page = try PageStructure(try report("out.html", in: workspace))
    #expect(page.faults == [])
    #expect(page.elements("h1").map(\.text) == ["Migration of 3 stores"])
    let rows = page.elements("tbody").first?.children.map { $0.children.map(\.text).prefix(4).joined(separator: "|") }
    #expect(rows == ["shop.sqlite|migrated|v1|v6", "new.sqlite|already-current|v6|v6", "gone.sqlite|failed||"])

    var fleet = try FleetFolder(in: workspace)
    try fleet.add(30, of: ["Orders@v1", "Todo@v1"])
    try fleet.addStrange("Stores/strange.sqlite")
    let many = try workspace.modelctl("migrate", "Stores", "--model", "Models", "--report", "fleet.md")
    #expect(many.status == 2)
    let text = try report("fleet.md", in: workspace)
    #expect(text.hasPrefix("# Migration of 31 stores\n\n1 failed, 30 migrated; started "))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("| Stores/") }.count == 31)
    #expect(text.contains("| Stores/strange.sqlite | failed |"))
    #expect(!text.contains("## Stores"))
  }

  @Test("Hostile names of files and models act in no report")
  func hostile() throws {
    let workspace = try SampleFolder()
    let name = "<script>alert(1)</script>|`x`\"'.sqlite".replacing("/", with: "")
    let failed = try workspace.modelctl("migrate", name, "--report", "out.html")
    #expect(failed.status == 2)
    let html = try report("out.html", in: workspace)
    #expect(try PageStructure(html).faults == [])
    #expect(!html.contains("<script>"))
    #expect(try workspace.modelctl("migrate", name, "--report", "out.md").status == 2)
    let markdown = try report("out.md", in: workspace)
    #expect(!markdown.contains("<script>") && markdown.contains("&lt;script&gt;"))
  }

  @Test("Hostile names in models, paths, reasons and decisions act in no report")
  func hostileModels() throws {
    let hostile = try EntityHierarchy(try ContentsReader.read(Data(HostileNames.contents.utf8), path: "c").model)
    let none = try EntityHierarchy(ManagedObjectModel(entities: []))
    var record = MigrationRecord(decisions: HostileNames.all, program: "<b>")
    for name in HostileNames.all {
      var store = MigrationRecord.Store(
        MigrationReport.Store(path: name, error: CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])),
        seconds: 1)
      for (former, latter) in [(none, hostile), (hostile, none)] where record.stores.isEmpty {
        let difference = DifferenceReport(
          from: name, to: name, ModelStep(from: former, to: latter))
        store.parts.append(MigrationRecord.PathPart(from: name, to: name, mapping: name, difference: difference))
      }
      record.stores.append(store)
    }
    #expect(try PageStructure(record.html).faults == [])
    #expect(try PageStructure(record.html).elements("script").isEmpty)
    #expect(!record.markdown.contains("<script") && !record.markdown.contains("</svg"))
    // Nothing begins a line but what the report itself begins lines with.
    for line in record.markdown.split(separator: "\n") {
      #expect(
        ["# ", "## ", "- ", "| ", "What ", "33 f", "Result for each store:"].contains { line.hasPrefix($0) }, "\(line)")
    }
    record.stores = Array(record.stores.prefix(3))
    #expect(try PageStructure(record.html).elements("h2").count == 6)
    #expect(try PageStructure(record.html).faults == [])
  }

  @Test("A run that cannot begin leaves a report as well")
  func noBundle() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--model", "gone", "--report", "out.md")
    #expect(result.status == 2)
    #expect(try report("out.md", in: workspace).contains("\n\nno store was reached; started "))
    #expect(try report("out.md", in: workspace).contains("- ended by an error: gone: "))
    let many = try workspace.modelctl("migrate", "Models", "--report", "many.md")
    #expect(many.status == 0 && many.standardError.hasPrefix("warning: there is no Core Data store under Models"))
    #expect(try report("many.md", in: workspace).contains("\n\nno store was found; started "))
  }
}
