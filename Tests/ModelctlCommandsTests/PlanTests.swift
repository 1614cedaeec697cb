import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A printed plan is SQL")
struct PlanTests {
  @Test(
    "Running the printed text makes the store that migrate makes",
    arguments: [("Orders@v1", "v4"), ("Todo@v1", "v2"), ("Family@v1", "v2"), ("Company@v1", "v2"), ("Staff@v1", "v2")])
  func run(_ version: String, to destination: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("printed.sqlite", version: version, rows: 20)
    try FileManager.default.copyItem(
      at: workspace.url.appendingPathComponent("printed.sqlite"),
      to: workspace.url.appendingPathComponent("migrated.sqlite"))
    let plan = try workspace.modelctl("plan", "printed.sqlite", "--to", destination)
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent("printed.sqlite").path)
    try queue.write { try $0.execute(sql: plan.standardOutput) }
    try queue.close()
    #expect(try workspace.modelctl("migrate", "migrated.sqlite", "--to", destination, "--in-place").status == 0)
    #expect(try dump("printed.sqlite", in: workspace) == dump("migrated.sqlite", in: workspace))
    let verification = try workspace.modelctl("verify", "printed.sqlite")
    #expect(verification.standardOutput == "printed.sqlite: sound (checked against version \(destination))\n")
  }

  @Test("A plan that cannot be tried without a temporary folder is printed with a note")
  func withoutTemporaryFolder() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 3)
    let note = "modelctl checks the requirements of the new objects when they exist"
    let tried = try workspace.modelctl("plan", "shop.sqlite")
    #expect(tried.status == 0, "\(tried.standardError)")
    #expect(!unwrapped(tried.standardOutput).contains(note))
    let untried = try Modelctl.shell("TMPDIR=$PWD/shop.sqlite/none modelctl plan shop.sqlite", in: workspace)
    #expect(untried.status == 0, "\(untried.standardError)")
    #expect(unwrapped(untried.standardOutput).contains(note), "\(untried.standardOutput)")
  }

  /// A printed plan with each comment in one line.
  private func unwrapped(_ plan: String) -> String {
    plan.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", " "]) }.joined(separator: " ")
  }

  @Test("Every line is SQL or a comment, comments fit the terminal")
  func lines() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let lines = try workspace.modelctl("plan", "shop.sqlite").standardOutput.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("-- ") || $0.hasSuffix(";") })
    #expect(lines.filter { $0.hasPrefix("--") && $0.count > 80 } == [])
  }

  @Test("A comment names the table or index that its statement makes, renames or fills")
  func objects() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1", rows: 3)
    let plan = try workspace.modelctl("plan", "todo.sqlite").standardOutput
    #expect(plan.contains(". index Z_Todo_byDueDate: an index of the new model (up to 3 rows)\n"), "\(plan)")
    #expect(
      plan.contains(". table Z\("Todo".uppercased()): the default of the new attribute (up to 3 rows)\n"), "\(plan)")
  }

  @Test("Plain text has the blockers before the statements")
  func plainRefusal() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("family.sqlite", version: "Family@v2", rows: 3)
    let plan = try workspace.modelctl("plan", "family.sqlite", "--to", "v1", "--plain")
    let text = plan.standardOutput
    let refusal = try #require(text.range(of: "-- refused as it is:\n"))
    let statement = try #require(text.range(of: "\n-- 1. "))
    #expect(refusal.upperBound < statement.lowerBound, "\(text)")
    #expect(plan.standardError.hasSuffix("1 obstacle, listed before its statements\n"), "\(plan.standardError)")
  }

  /// The schema and every row, system tables included.
  private func dump(_ name: String, in workspace: SampleFolder) throws -> [String] {
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent(name).path)
    defer { try? queue.close() }
    return try queue.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
      let schema = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
      return try schema
        + tables.flatMap { table in
          try Row.fetchAll(database, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)").map { "\(table): \($0)" }
        }
    }
  }
}
