import Foundation
import TestSupport
import Testing

@Suite("Programs that write one model file take turns")
struct EditTurnTests {
  @Test("Of 20 concurrent edits, each edit that exits with 0 is in the file")
  func edits() throws {
    let workspace = try SampleFolder()
    #expect(try workspace.modelctl("new-version", "--model", "Models/Todo.xcdatamodeld").status == 0)
    let edits = try (1...20).map { number in
      try Modelctl.start(
        [
          "edit", "add", "attribute", "Todo.turn\(number)x", "--type", "String", "--model", "Models/Todo.xcdatamodeld",
        ], in: workspace)
    }
    let statuses = edits.map { edit in
      edit.waitUntilExit()
      return edit.terminationStatus
    }
    let path = workspace.url.appendingPathComponent("Models/Todo.xcdatamodeld/v3.xcdatamodel/contents")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    for (number, status) in statuses.enumerated() where status == 0 {
      #expect(text.contains("\"turn\(number + 1)x\""), "\(number + 1)")
    }
    #expect(statuses.count { $0 == 0 } == 20, "\(statuses)")
  }

  @Test("Leftovers of a killed new-version are removed by the next one, and nothing else is")
  func leftovers() throws {
    let workspace = try SampleFolder()
    let bundle = "Models/Todo.xcdatamodeld"
    let left = "\(bundle)/.v9.xcdatamodel.\(UUID().uuidString).partial"
    for path in [left, "\(bundle)/.notes", "\(bundle)/.v9.xcdatamodel.mine.partial"] {
      try workspace.write("", to: "\(path)/contents")
    }
    try workspace.write("", to: "\(bundle)/..xccurrentversion.\(UUID().uuidString).partial")
    #expect(try workspace.modelctl("new-version", "--model", bundle).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.url.appendingPathComponent(bundle).path)
    #expect(
      names.filter { $0.hasPrefix(".") }.sorted() == [".notes", ".v9.xcdatamodel.mine.partial", ".xccurrentversion"])
  }
}
