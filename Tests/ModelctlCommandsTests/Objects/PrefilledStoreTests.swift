import Foundation
import TestSupport
import Testing

@Suite("A prefilled store is a build product that caches")
struct PrefilledStoreTests {
  @Test(
    "The same text and seed give the same bytes, on every machine",
    arguments: ["sqlite", "json", "xml", "binary"], ["json", "csv"])
  func sameBytes(_ kind: String, _ form: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.sqlite", version: "Orders@v4", rows: 40)
    try workspace.shell("modelctl dump shop.sqlite --format \(form) --output texts.\(form)")
    try workspace.shell("mkdir place0 place1 temporary0 temporary1")
    let (home, end) = (workspace.url.path, "--version Orders@v4 --store-type \(kind) --uuid-seed shop")
    let runs: [(line: String, environment: [String: String])] = [
      (
        "cd place0 && modelctl load ../texts.\(form) --output made --model ../Models/Orders.xcdatamodeld \(end)",
        ["TZ": "UTC", "LANG": "C", "LC_ALL": "C", "HOME": "/", "USER": "root"]
      ),
      (
        "cd / && modelctl load '\(home)/texts.\(form)' --output '\(home)/place1/made-elsewhere' "
          + "--model '\(home)/Models/Orders.xcdatamodeld' \(end)",
        ["TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "HOME": "/tmp", "USER": "somebody"]
      ),
    ]
    for (number, run) in runs.enumerated() {
      let environment = run.environment.merging(["TMPDIR": "\(home)/temporary\(number)"]) { $1 }
      let result = try Modelctl.shell(run.line, environment: environment, in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
    }
    let files = try workspace.contents()
    let made = try #require(files["place0/made"])
    #expect(files["place1/made-elsewhere"] == made && !made.isEmpty)
    // In XML and binary stores entries of the metadata have the program's name.
    for word in [home, "somebody"] + (["sqlite", "json"].contains(kind) ? ["modelctl"] : []) {
      #expect(made.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let places = files.keys.filter { $0.hasPrefix("place") }.sorted()
    #expect(places == ["place0", "place0/made", "place1", "place1/made-elsewhere"])
    #expect(!files.keys.contains { $0.hasPrefix("temporary") && $0.contains("/") })
    let other = try workspace.modelctl(
      "load", "texts.\(form)", "--output", "other", "--version", "Orders@v4", "--store-type", kind,
      "--uuid-seed", "another")
    #expect(other.status == 0)
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("other")) != made)
  }
}
