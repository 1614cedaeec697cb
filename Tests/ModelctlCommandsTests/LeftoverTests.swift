import Foundation
import TestSupport
import Testing

@Suite("A migration leaves only the store and its backup")
struct LeftoverTests {
  @Test(
    "After every way to run",
    arguments: [
      (["--copy"], ["shop.sqlite", "shop.sqlite.v1.backup"]), (["--copy", "--no-backup"], ["shop.sqlite"]),
      (["--copy", "--dry-run"], ["shop.sqlite"]), (["--in-place", "--no-backup"], ["shop.sqlite"]),
      (["--in-place", "--backup"], ["shop.sqlite", "shop.sqlite.v1.backup"]),
    ])
  func files(_ options: [String], left: [String]) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 3000)
    #expect(try Modelctl.run(["migrate", "shop.sqlite"] + options, in: workspace).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.url.path)
    #expect(names.filter { $0 != "Models" && $0 != "Migrations" }.sorted() == left)
  }
}
