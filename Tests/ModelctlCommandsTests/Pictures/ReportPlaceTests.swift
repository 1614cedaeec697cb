import Foundation
import TestSupport
import Testing

@Suite("Valid paths for the report of a migration")
struct ReportPlaceTests {
  @Test(
    "If a report cannot be written, nothing is done",
    arguments: [
      ("gone/out.html", "there is no folder"), ("Models/../folder.html", "it is a folder"),
      ("store.md", "it is an SQLite database"), ("dangling.md", "it is a link to a missing file"),
      ("lost.md", "it is a link to a missing file"), ("pipe.md", "it is not a regular file"),
      ("elsewhere.md", "it is an SQLite database"),
    ])
  func unwritable(_ path: String, _ reason: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("folder.html"), withIntermediateDirectories: true)
    let made = try Modelctl.shell(
      "cp shop.sqlite store.md; ln -s store.md elsewhere.md; ln -s away/out.md dangling.md; ln -s none.md lost.md; mkfifo pipe.md",
      in: workspace)
    #expect(made.status == 0)
    let before = try Data(contentsOf: workspace.url.appendingPathComponent("shop.sqlite"))
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--report", path)
    #expect(result.status == 2)
    #expect(result.standardOutput == "")
    #expect(result.standardError.hasPrefix("error: \(path): cannot be written: \(reason)"), "\(result.standardError)")
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("shop.sqlite")) == before)
  }

  @Test("A link is followed to where the report is to be")
  func link() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 1)
    try workspace.write("old", to: "kept/report.md")
    #expect(try Modelctl.shell("ln -s kept/report.md out.md", in: workspace).status == 0)
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--report", "out.md").status == 0)
    let text = String(
      decoding: try Data(contentsOf: workspace.url.appendingPathComponent("kept/report.md")), as: UTF8.self)
    #expect(text.hasPrefix("# Migration of shop.sqlite\n"))
  }

  @Test(
    "A report takes the place of nothing that the run reads or writes",
    arguments: [
      ("shop.md", "shop.md", "it belongs to the store shop.md"),
      ("shop.sqlite", "log.md", "it belongs to the store shop.sqlite"),
      ("shop.sqlite", "backup.md", "it belongs to the store shop.sqlite"),
      ("shop.sqlite --jobs 1 --journal journal.md", "./journal.md", "it is the journal"),
      ("shop.sqlite --jobs 1 --journal journal.md", "journal-link.md", "it is the journal"),
      ("shop.sqlite --format json=out.md", "Models/../out.md", "a --format writes to it too"),
      ("shop.sqlite", "Models/Orders.xcdatamodeld/out.html", "it is inside the bundle Orders.xcdatamodeld"),
      ("shop.sqlite", ".shop_SUPPORT/out.html", "it belongs to the store shop.sqlite"),
    ])
  func reserved(_ arguments: String, _ path: String, _ reason: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let made = try Modelctl.shell(
      """
      mkdir .shop_SUPPORT; touch shop.md shop.sqlite-wal shop.sqlite.v1.backup journal.md; \
      ln -s shop.sqlite-wal log.md; ln -s shop.sqlite.v1.backup backup.md; ln -s journal.md journal-link.md
      """, in: workspace)
    #expect(made.status == 0)
    let before = try workspace.contents()
    let result = try Modelctl.run(
      ["migrate"] + arguments.split(separator: " ").map(String.init) + ["--report", path], in: workspace)
    #expect(result.status == 2)
    #expect(
      result.standardError
        == "error: \(path): cannot be written: \(reason)\n  Name another file\n")
    #expect(try workspace.contents() == before)
  }

  @Test(
    "A report that cannot be written in the end does not make the migration look failed",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full, which is a full disk"))
  func late() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 1)
    #expect(try Modelctl.shell("ln -s /dev/full out.md", in: workspace).status == 0)
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--report", "out.md")
    #expect(result.status == 2)
    #expect(result.standardOutput.hasPrefix("shop.sqlite: migrated from v1 to v6"))
    #expect(result.standardError.hasPrefix("error: out.md: cannot be written: "))
    #expect(
      result.standardError.hasSuffix(
        " no space left on device\n  Only the report is missing; the results printed for the stores are valid\n"),
      "\(result)")
  }
}
