import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("A check that cannot prove a path reports it in its last lines")
struct UnprovedPathTests {
  private static let policy =
    "1 of 1 released version of Shop: path not proved (1 needs policy classes of the app); see: modelctl matrix "
    + "Shop.xcdatamodeld"

  /// A project of `FirstCheck`, its versions recorded as released.
  private func project(_ name: String) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Shop")
    try workspace.shell("rmdir Shop && cp -R '\(Transcript.firstChecks.appendingPathComponent(name).path)/.' .")
    try workspace.shell("rm expected.txt && modelctl lock --all")
    return workspace
  }

  @Test(
    "The number and the causes, and never “no findings” alone",
    arguments: [
      ("policy-class", "1 needs policy classes of the app"),
      ("drifted-mapping-model", "1 needs a mapping model that is out of date"),
      ("two-mapping-models-for-one-step", "2 have several mapping models for a step"),
    ])
  func causes(name: String, words: String) throws {
    let workspace = try project(name)
    for command in ["check", "init"] {
      let result = try workspace.modelctl(command)
      #expect(result.status == 0, "\(result)")
      let last = result.standardError.split(separator: "\n").suffix(2)
      let count = words.hasPrefix("1") ? "1 of 1 released version" : "2 of 2 released versions"
      let paths = words.hasPrefix("1") ? "1 path" : "2 paths"
      #expect(last.first?.contains("no findings, \(paths) not proved; passed") ?? false, "\(result)")
      #expect(
        last.last
          == "\(count) of Shop: path not proved (\(words)); see: modelctl matrix Shop.xcdatamodeld",
        "\(result)")
    }
  }

  @Test("Every form with a place for it has it")
  func forms() throws {
    let workspace = try project("policy-class")
    func output(_ form: String) throws -> String {
      let result = try workspace.modelctl("check", "--format", form)
      #expect(result.status == 0, "\(result)")
      return result.standardOutput
    }
    let json = try output("json")
    #expect(json.contains("\"unproved\" : [\n    {\n      \"bundle\" : \"Shop.xcdatamodeld\""), "\(json)")
    #expect(json.contains("\"cause\" : \"policy-classes\""), "\(json)")
    let markdown = try output("markdown")
    #expect(markdown.contains("### modelctl check: no findings, 1 path not proved\n"), "\(markdown)")
    #expect(markdown.contains("see `modelctl matrix Shop.xcdatamodeld`.\n"), "\(markdown)")
    #expect(try output("junit").contains(">\(Self.policy)</system-out>"))
    #expect(try output("sarif").contains("\"text\" : \"\(Self.policy)\""))
    #expect(try output("github").contains("::notice title=path not proved::\(Self.policy)\n"))
  }

  @Test("status reports the case, and exits with 1 if migrate refuses for any rows")
  func status() throws {
    for (name, words) in [
      ("policy-class", "the policy class Shop.OrderPolicy is not available"),
      ("drifted-mapping-model", "made with other models"),
      ("two-mapping-models-for-one-step", "several mapping models migrate from v1 to v3"),
    ] {
      let workspace = try project(name)
      try workspace.shell("modelctl create s.sqlite --version v1 --rows 2")
      let status = try workspace.modelctl("status", "s.sqlite")
      #expect(status.status == 1, "\(name): \(status)")
      let text = status.standardOutput.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: " ")
      #expect(text.contains(" as it is: ") && text.contains(words), "\(name): \(status)")
      let migrated = try workspace.modelctl("migrate", "s.sqlite", "--dry-run")
      #expect(migrated.status == 2 && migrated.standardError.contains(words), "\(name): \(migrated)")
    }
  }

  @Test("For a mapping model that is out of date, the mapping made again is named first, and it works")
  func madeAgain() throws {
    let workspace = try project("drifted-mapping-model")
    try workspace.shell("modelctl create s.sqlite --version v1 --rows 2")
    let refused = try workspace.modelctl("migrate", "s.sqlite", "--dry-run")
    let text = refused.standardError
    let (again, without) = (
      text.range(of: "modelctl mapping new Shop@v1 Shop@v2 --write"), text.range(of: "--no-mappings")
    )
    #expect(try #require(again).lowerBound < #require(without).lowerBound, "\(refused)")
    try workspace.shell("modelctl mapping new Shop@v1 Shop@v2 --write")
    let migrated = try workspace.modelctl("migrate", "s.sqlite", "--dry-run")
    #expect(migrated.status == 0 || migrated.standardError.contains("refused"), "\(migrated)")
    #expect(!migrated.standardError.contains("made with other models"), "\(migrated)")
  }

  @Test("A destination of another bundle is reported")
  func otherBundle() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 1)
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--to", "Todo@v2")
    #expect(result.status == 2, "\(result)")
    #expect(
      result.standardError
        == """
        error: shop.sqlite: written by v1 of Models/Orders.xcdatamodeld, but Todo@v2 is of another bundle
          Choose a version of Models/Orders.xcdatamodeld, or omit the version: --to

        """, "\(result)")
  }

  @Test(
    "A store with its model inside and no bundle has nothing to be migrated to, and the commands that read it are named"
  )
  func noBundle() throws {
    let workspace = try SampleFolder(emptyNamed: "Stores")
    let stores = Corpus.sqliteStores
    guard let store = stores.first(where: { $0.path.contains("wibosco") }) ?? stores.first else { return }
    try FileManager.default.copyItem(at: store, to: workspace.url.appendingPathComponent("s.sqlite"))
    let result = try workspace.modelctl("status", "s.sqlite")
    guard result.standardOutput.contains("the store contains its own copy of the model") else { return }
    #expect(result.status == 1, "\(result)")
    #expect(
      result.standardOutput.contains("to migrate it, give the app's model bundle: --model PATH"), "\(result)")
    #expect(result.standardOutput.contains("modelctl show s.sqlite; query, dump and export work too"), "\(result)")
    for command in ["show", "dump"] {
      let read = try workspace.modelctl(command, "s.sqlite")
      #expect(read.status == 0, "\(command): \(read)")
    }
  }

  @Test("Many stores with one cause are one line with their number and the first of them, and JSON has each")
  func oneCause() throws {
    let workspace = try SampleFolder()
    for rows in 1...5 {
      try workspace.shell(
        "mkdir -p Stores && modelctl create Stores/s\(rows).sqlite --version Orders@v6 --rows \(rows)")
    }
    let result = try workspace.modelctl("migrate", "Stores", "--to", "Orders@v1", "--dry-run")
    #expect(result.status == 2, "\(result)")
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("error: 5 stores, the first: Stores/s"), "\(result)")
    let json = try workspace.modelctl("migrate", "Stores", "--to", "Orders@v1", "--dry-run", "--format", "json")
    #expect(json.standardOutput.components(separatedBy: "\"kind\":\"store\"").count == 6, "\(json)")
  }

  @Test("A rehearsal writes a reason once, and how many versions have it")
  func oneReason() throws {
    let workspace = try project("policy-class")
    try workspace.shell("cp -R Shop.xcdatamodeld/v1.xcdatamodel Shop.xcdatamodeld/v0.xcdatamodel")
    try workspace.edit("Shop.xcdatamodeld/v0.xcdatamodel/contents", "<entity ", "<entity name=\"Memo\"/><entity ")
    let result = try workspace.modelctl("rehearse", "--rows", "2")
    #expect(result.status == 1, "\(result)")
    let text = result.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.components(separatedBy: "the policy class").count == 2, "\(result)")
    #expect(result.standardOutput.contains("  2 versions have the reason that is listed for v0\n"), "\(result)")
  }
}
