import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("The report of a migration of many stores")
struct FleetReportTests {
  private func report(_ name: String, in workspace: SampleFolder) throws -> String {
    String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent(name)), as: UTF8.self)
      .replacing(/started [-0-9T:Z]+, [0-9.]+ s/, with: "started TIME, SECONDS")
  }

  @Test("Stores that are not listed are counted anyway")
  func counts() throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(1_012, of: ["Todo@v2"])
    try fleet.addStrange("Stores/strange.sqlite")
    let result = try workspace.modelctl("migrate", "Stores", "--model", "Models", "--report", "out.md")
    #expect(result.status == 2)
    let text = try report("out.md", in: workspace)
    #expect(
      text.hasPrefix(
        "# Migration of 1,013 stores\n\n1 failed, 1,012 already current; started TIME, SECONDS, modelctl"), "\(text)")
    #expect(text.contains("\n- not listed: 12 more stores\n") || text.contains("\n- not listed: 13 more stores\n"))
    #expect(text.contains("| Stores/strange.sqlite | failed |"))
  }

  @Test("A run that finds everything done reports it, and lists the remaining stores")
  func resumed() throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(30, of: ["Todo@v1"])
    #expect(try workspace.modelctl("migrate", "Stores", "--journal", "j.sqlite").status == 0)
    let again = try workspace.modelctl("migrate", "Stores", "--journal", "j.sqlite", "--report", "out.md")
    #expect(again.status == 0, "\(again.standardError)")
    #expect(
      try report("out.md", in: workspace) == """
        # Migration of 30 stores

        30 finished before; started TIME, SECONDS, modelctl 0.1.0

        - 30 stores were finished before, according to the journal j.sqlite

        """)
    try fleet.add(2, of: ["Todo@v1"])
    try workspace.write("text", to: "Stores/readme.txt")
    #expect(
      try workspace.modelctl("migrate", "Stores", "--journal", "j.sqlite", "--report", "out.html").status == 0)
    let page = try PageStructure(try report("out.html", in: workspace))
    #expect(page.faults == [])
    #expect(page.text.contains("2 migrated, 30 finished before; started"))
    #expect(page.text.contains("<li>skipped: 1 file, backups and links included</li>"))
    #expect(page.elements("tbody").first?.children.count == 2)
    #expect(
      page.text.contains(
        "<li>rows and changes are not listed for stores in folders; to see the changes: modelctl diff</li>"))
  }

  @Test("Named stores without a chapter have their changes reported once, with a note about missing rows")
  func manyNamed() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("0.sqlite", version: "Todo@v1", rows: 1)
    let names = (0...20).map { "\($0).sqlite" }
    for name in names.dropFirst() {
      try FileManager.default.copyItem(
        at: workspace.url.appendingPathComponent("0.sqlite"), to: workspace.url.appendingPathComponent(name))
    }
    let result = try Modelctl.run(["migrate"] + names + ["--report", "out.md"], in: workspace)
    #expect(result.status == 0, "\(result.standardError)")
    let text = try report("out.md", in: workspace)
    #expect(text.hasPrefix("# Migration of 21 stores\n\n21 migrated; started "))
    #expect(
      text.contains("\n- the rows of each entity are listed only for at most 20 stores\n"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("## ") } == ["## What changes from v1 to v2"])
  }

  @Test("A run that is stopped names the stores that it did not reach", arguments: EndingSignal.all)
  func stopped(_ signal: Int32) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("0.sqlite", rows: 30_000)
    for name in ["1.sqlite", "2.sqlite"] {
      try FileManager.default.copyItem(
        at: workspace.url.appendingPathComponent("0.sqlite"), to: workspace.url.appendingPathComponent(name))
    }
    let before = try workspace.contents()
    let process = try Modelctl.start(
      ["migrate", "0.sqlite", "1.sqlite", "2.sqlite", "--report", "out.md"], in: workspace)
    while process.isRunning,
      (FileManager.default.enumerator(atPath: workspace.url.path)?.allObjects.count ?? 0) <= before.count
    { usleep(1000) }
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
    let text = try report("out.md", in: workspace)
    #expect(text.hasPrefix("# Migration of 3 stores\n\n1 failed, 2 not reached; started "), "\(text)")
    #expect(
      text.contains(
        """

        - interrupted before every store was reached
        - not reached, so it is unchanged: 1.sqlite
        - not reached, so it is unchanged: 2.sqlite

        """))
    #expect(try workspace.contents().filter { $0.key != "out.md" } == before)
  }

  @Test("Signs in names are kept, and the program's own signs are replaced by words")
  func names() throws {
    let workspace = try SampleFolder()
    let names = ["Max’s →…“x”.sqlite", "gone→, ….sqlite"]
    for name in names {
      #expect(try workspace.modelctl("migrate", name, "--report", "out.md").status == 2)
      let text = try report("out.md", in: workspace)
      let reasons = text.split(separator: "\n").filter { $0.hasPrefix("- reason: ") }
      #expect(reasons.contains { $0.hasPrefix("- reason: \(name): ") }, "\(text)")
    }
  }
}
