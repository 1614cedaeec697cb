import Foundation
import Testing

@Suite("A prefilled store is a build product that caches")
struct PrefilledStoreTests {
  @Test(
    "The same text and seed give the same bytes, whoever runs the program where",
    arguments: ["sqlite", "json", "xml", "binary"])
  func sameBytes(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.sqlite", version: "Orders@v4", rows: 40)
    #expect(try workspace.modelctl("convert", "shop.sqlite", "shop.json").status == 0)
    let environments: [[String: String]] = [
      ["TZ": "UTC", "LANG": "C", "LC_ALL": "C", "HOME": "/", "USER": "root"],
      ["TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "HOME": "/tmp", "USER": "somebody"],
    ]
    var made: [Data] = []
    for (number, environment) in environments.enumerated() {
      let name = "place\(number)/made\(number == 0 ? "" : "-elsewhere")"
      try FileManager.default.createDirectory(
        at: workspace.url.appendingPathComponent("place\(number)"), withIntermediateDirectories: true)
      let line = "modelctl load shop.json --output \(name) --version Orders@v4 --kind \(kind) --seed shop"
      let result = try Modelctl.shell(line, environment: environment, in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
      made.append(try Data(contentsOf: workspace.url.appendingPathComponent(name)))
    }
    #expect(made[0] == made[1] && !made[0].isEmpty)
    let other = try workspace.modelctl(
      "load", "shop.json", "--output", "other", "--version", "Orders@v4", "--kind", kind, "--seed", "another")
    #expect(other.status == 0)
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("other")) != made[0])
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.url.appendingPathComponent("place0").path)
    #expect(names == ["made"])
  }
}
