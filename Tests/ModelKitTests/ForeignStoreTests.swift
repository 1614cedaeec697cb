import Foundation
import TestSupport
import Testing

/// A store with the model of another app inside, in a folder with one bundle.
@Suite("The store of another app is not migrated to the only bundle here")
struct ForeignStoreTests {
  private func foreign(rows: Int) throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.shell("mv Models/Todo.xcdatamodeld . && rm -r Models Migrations")
    try Self.makeStore("app.sqlite", attributeType: 700, rows: rows, in: workspace)
    return workspace
  }

  /// Makes a store that contains its model: an entity with an attribute of a type of Core Data.
  static func makeStore(_ name: String, attributeType: Int, rows: Int, in workspace: SampleFolder) throws {
    let model = ExportTests.compiledModel(attributeType: attributeType)
    try model.write(to: workspace.url.appendingPathComponent("App.mom"))
    try workspace.shell("modelctl create \(name) --model App.mom --rows \(rows) && rm App.mom")
    // A raw DEFLATE stream of one stored block.
    let length = UInt16(model.count)
    let head = [1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
    let archive = (head + Array(model)).map { String(format: "%02x", $0) }.joined()
    try Damage.execute("INSERT INTO Z_MODELCACHE VALUES (x'\(archive)')", workspace.folder.path(name))
  }

  @Test("plan and migrate refuse it, and status reports that no bundle fits", arguments: [0, 2])
  func refused(rows: Int) throws {
    let workspace = try foreign(rows: rows)
    let before = try workspace.contents()
    let status = try workspace.modelctl("status", "app.sqlite")
    #expect(
      status.status == 1 && status.standardOutput.contains("written by a version that is not in this project"),
      "\(status)")
    for command in [["plan"], ["migrate"], ["migrate", "--copy"], ["migrate", "--model", "Todo.xcdatamodeld"]] {
      let result = try Modelctl.run(command + ["app.sqlite"], in: workspace)
      #expect(result.status == 2 && result.standardOutput.isEmpty, "\(command): \(result)")
      #expect(
        result.standardError.hasPrefix("error: app.sqlite: no model here has an entity of this store"), "\(result)")
    }
    #expect(try workspace.contents() == before)
  }

  @Test("A version that is named with its bundle is planned, and loses nothing unasked")
  func named() throws {
    let workspace = try foreign(rows: 2)
    let plan = try workspace.modelctl("plan", "app.sqlite", "--to", "Todo@v2")
    #expect(plan.standardOutput.contains("-- app.sqlite: from cached model to v2"), "\(plan)")
    let result = try workspace.modelctl("migrate", "app.sqlite", "--to", "Todo@v2")
    #expect(result.status == 2 && result.standardError.contains("--allow-data-loss A"), "\(result)")
  }
}
