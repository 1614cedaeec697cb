import Foundation
import TestSupport
import Testing

/// An entity that moves between two bundles of a union that the project guards.
@Suite("An entity that moves between merged bundles")
struct MovedEntityTests {
  /// `Note` moves from Shop to Stock in version 2 of both.
  private func project() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "empty")
    let fixture = Transcript.rules.appendingPathComponent("union-unreachable/silent")
    for name in [".modelctl.json", "current", "previous"] {
      try FileManager.default.copyItem(
        at: fixture.appendingPathComponent(name), to: workspace.url.appendingPathComponent(name))
    }
    return workspace
  }

  private static let check = "modelctl check current --base previous"

  @Test("It loses nothing, as its rows move with it")
  func moved() throws {
    let result = try Modelctl.shell(Self.check, in: project())
    #expect(result.standardOutput == "")
    #expect(result.status == 0, "\(result.standardError)")
  }

  @Test("It is released without consent")
  func released() throws {
    let workspace = try project()
    let lock = try Modelctl.shell(
      "modelctl lock current/Shop.xcdatamodeld/v1.xcdatamodel && modelctl lock current/Shop.xcdatamodeld", in: workspace
    )
    #expect(lock.status == 0, "\(lock.standardError)")
    let file = workspace.url.appendingPathComponent("current/Shop.lock.json")
    #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("allowDataLoss"))
    try workspace.write("{}", to: ".modelctl.json")
    try FileManager.default.removeItem(at: file)
    let refused = try Modelctl.shell("modelctl lock current/Shop.xcdatamodeld", in: workspace)
    #expect(refused.status == 2, "\(refused.standardOutput)")
  }

  @Test("Its rows are lost if the bundles are not merged")
  func notMerged() throws {
    let workspace = try project()
    try workspace.write("{}", to: ".modelctl.json")
    let result = try Modelctl.shell(Self.check, in: workspace)
    #expect(result.standardOutput.contains("v1 → v2: "))
    #expect(result.standardOutput.contains("[data-loss]"))
    #expect(result.status == 1)
  }

  @Test("plan and migrate offer to migrate the bundles together, and then the option that allows the loss")
  func migrated() throws {
    let workspace = try project()
    try workspace.write("{}", to: ".modelctl.json")
    let bundle = "current/Shop.xcdatamodeld"
    let made = try Modelctl.shell("modelctl create s.sqlite --version \(bundle)/v1.xcdatamodel --rows 3", in: workspace)
    #expect(made.status == 0, "\(made.standardError)")
    for command in ["plan", "migrate"] {
      let result = try Modelctl.shell("modelctl \(command) s.sqlite --model \(bundle)", in: workspace)
      let words = (result.standardOutput + result.standardError).replacing(/\n--\s+/, with: " ")
      #expect(result.status == 2)
      let both = "--model \(bundle) --model current/Stock.xcdatamodeld"
      #expect(words.contains("\(both); or allow the loss: --allow-data-loss Note"), "\(words)")
    }
  }

  @Test("Bundles that cannot be merged are not offered, and the lock file allows the loss")
  func notMergeable() throws {
    let workspace = try project()
    try workspace.write("{}", to: ".modelctl.json")
    let bundle = "current/Shop.xcdatamodeld"
    try workspace.shell("modelctl create s.sqlite --version \(bundle)/v1.xcdatamodel --rows 3")
    try workspace.shell(
      "modelctl lock \(bundle)/v1.xcdatamodel && modelctl lock \(bundle) --allow-data-loss Note")
    let mergeable = try workspace.modelctl("migrate", "s.sqlite", "--model", bundle)
    #expect(mergeable.standardError.contains("The lock file allows this loss. "), "\(mergeable)")
    let model = try workspace.shell("cat \(bundle)/v2.xcdatamodel/contents")
    let entity = try #require(model.firstMatch(of: /<entity name="([^"]*)"/)).output.1
    try workspace.edit(
      "current/Stock.xcdatamodeld/v2.xcdatamodel/contents", "</model>",
      "<entity name=\"\(entity)\"><attribute name=\"other\" attributeType=\"Date\"/></entity></model>")
    let refused = try workspace.modelctl("migrate", "s.sqlite", "--model", bundle)
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("Allow the loss: --allow-data-loss Note"), "\(refused)")
    #expect(!refused.standardError.contains("Stock.xcdatamodeld"), "\(refused)")
  }

  @Test("Its losses on the path are reported, and consent to them is not a stale entry")
  func movedWithLoss() throws {
    let workspace = try project()
    try workspace.edit("current/Stock.xcdatamodeld/v2.xcdatamodel/contents", "\"text\"", "\"words\"")
    let result = try Modelctl.shell(Self.check, in: workspace)
    let found = result.standardOutput.split(separator: "\n").filter { $0.contains("[data-loss]") }
    #expect(found.count == 1)
    #expect(found.first?.contains("Note.text") == true)
    #expect(result.standardOutput.contains("--allow-data-loss Note.text"))
    let command = try #require(AdvisedCommand.all(in: result.standardOutput).first { $0.contains("Note.text") })
    #expect(try Modelctl.shell(command, in: workspace).status == 0)
    let again = try Modelctl.shell(Self.check, in: workspace)
    #expect(!again.standardOutput.contains("[data-loss]"), "\(again.standardOutput)")
    #expect(!again.standardOutput.contains("[lock-stale]"), "\(again.standardOutput)")
  }

  @Test("Its rows count as lost where nothing leads to the merged version that has it")
  func movedNowhere() throws {
    let workspace = try project()
    try workspace.shell(
      "sed -i.old '/name=\"text\"/s/attributeType=\"String\"/attributeType=\"Integer 16\"/' "
        + "current/Stock.xcdatamodeld/v2.xcdatamodel/contents && grep -q 'Integer 16' "
        + "current/Stock.xcdatamodeld/v2.xcdatamodel/contents")
    #expect(try Modelctl.shell(Self.check, in: workspace).standardOutput.contains("[data-loss]"))
    let refused = try Modelctl.shell(
      "modelctl lock current/Shop.xcdatamodeld/v1.xcdatamodel && modelctl lock current/Shop.xcdatamodeld", in: workspace
    )
    #expect(refused.status == 2, "\(refused.standardOutput)")
    #expect(refused.standardError.contains("--allow-data-loss Note"), "\(refused.standardError)")
  }

  @Test("Its rows are lost to an app that merges the bundle with another one")
  func movedElsewhere() throws {
    let workspace = try project()
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Badge"><attribute name="title" optional="YES" attributeType="String"/></entity>
      </model>
      """, to: "current/Misc.xcdatamodeld/v1.xcdatamodel/contents")
    let stock = "\"current/Stock.xcdatamodeld\""
    for (other, isLost) in [(stock, false), ("\"current/Misc.xcdatamodeld\"", true)] {
      try workspace.write(
        """
        { "unions": [["current/Shop.xcdatamodeld", \(stock)], ["current/Shop.xcdatamodeld", \(other)]] }
        """, to: ".modelctl.json")
      let found = try Modelctl.shell(Self.check, in: workspace).standardOutput
      #expect(found.contains("[data-loss]") == isLost, "\(found)")
    }
  }
}
