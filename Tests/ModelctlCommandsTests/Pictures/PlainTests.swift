import Foundation
import TestSupport
import Testing

@Suite("Text for a screen reader, quiet runs and dry runs")
struct PlainTests {
  private static let prepared = Result {
    let workspace = try SampleFolder()
    try workspace.shell(
      "modelctl create old.sqlite --version Orders@v1 --rows 3 && modelctl convert old.sqlite shop.json")
    try workspace.shell("cp old.sqlite changed.sqlite && modelctl update changed.sqlite Order --all --set number=77")
    return workspace
  }

  private func run(_ line: String, in workspace: SampleFolder) throws -> Modelctl.Result {
    try Modelctl.run(line.split(separator: " ").map(String.init), in: workspace)
  }

  private func workspace() throws -> SampleFolder { try SampleFolder(copying: Self.prepared.get()) }

  /// Commands of each kind of report.
  static let long = [
    "status old.sqlite", "matrix Models/Orders.xcdatamodeld", "plan old.sqlite", "migrate old.sqlite --dry-run",
    "diff old.sqlite changed.sqlite --data",
  ]

  @Test("--plain and MODELCTL_PLAIN print the same text, without arrows", arguments: long)
  func words(_ line: String) throws {
    let workspace = try workspace()
    let plain = try run("\(line) --plain", in: workspace).standardOutput
    #expect(!plain.isEmpty && !plain.contains("→"), "\(plain)")
    let byEnvironment = try Modelctl.shell("modelctl \(line)", environment: ["MODELCTL_PLAIN": "1"], in: workspace)
    #expect(byEnvironment.standardOutput == plain)
  }

  /// Commands whose text has arrows, and the words that plain text has instead.
  static let arrows = [
    ("diff old.sqlite changed.sqlite --data", " to 77"), ("diff Orders@v1 Orders@v4", "Integer 32 to Integer 64"),
    ("diff --base HEAD", "defaultValue: no to yes"), ("log", "Integer 32 to Integer 64"),
    ("check", "infers v4 to v5"),
  ]

  @Test("--plain and MODELCTL_PLAIN print words instead of arrows", arguments: arrows)
  func arrow(_ line: String, _ words: String) throws {
    let workspace = try workspace()
    if line.hasSuffix("HEAD") {
      try workspace.shell(
        """
        git init -q && git add Models && git -c user.name=a -c user.email=a@example.org commit -qm one && \
        modelctl edit set Todo.isDone default=YES --in Todo@v2 --allow-released
        """)
    }
    #expect(try run(line, in: workspace).standardOutput.contains("→"))
    let plain = try run("\(line) --plain", in: workspace).standardOutput
    #expect(plain.contains(words) && !plain.contains("→"), "\(plain)")
    let byEnvironment = try Modelctl.shell("modelctl \(line)", environment: ["MODELCTL_PLAIN": "1"], in: workspace)
    #expect(byEnvironment.standardOutput == plain)
  }

  @Test("A table becomes one line per value, and no value is cut")
  func table() throws {
    let workspace = try workspace()
    let plain = try run("query old.sqlite Order --limit 1 --plain", in: workspace).standardOutput
    let lines = plain.split(separator: "\n")
    #expect(lines[0].hasPrefix("key: "), "\(plain)")
    #expect(lines.dropLast().allSatisfy { $0.contains(": ") } && !plain.contains("…"), "\(plain)")
  }

  @Test("The number of objects follows a blank line")
  func count() throws {
    let plain = try run("query old.sqlite Order --limit 1 --plain", in: workspace()).standardOutput
    #expect(plain.hasSuffix("\n\n1 of 3 objects of Order\n"), "\(plain)")
  }

  @Test("Versions in a row have words instead of an ellipsis")
  func matrix() throws {
    let plain = try run("matrix Models/Orders.xcdatamodeld --no-mappings --downgrades --plain", in: workspace())
      .standardOutput
    #expect(plain.contains("from v2 to v6, 5 versions") && !plain.contains("…"), "\(plain)")
  }

  @Test("A hash follows its name")
  func hash() throws {
    let plain = try run("hash Orders@v1 --plain", in: workspace()).standardOutput
    #expect(plain.hasPrefix("Customer: ") && plain.contains("\ndigest: ") && !plain.contains("  "), "\(plain)")
  }

  @Test("A folder: a sentence with the failures first and without zeros")
  func fleet() throws {
    let workspace = try workspace()
    try workspace.shell("mkdir Stores && cp old.sqlite Stores/a.sqlite && head -c 9000 old.sqlite > Stores/b.sqlite")
    let trial = try run("migrate Stores --dry-run --plain", in: workspace).standardOutput
    #expect(trial.hasPrefix("Failed 1 store, would migrate 1 store; "), "\(trial)")
    let result = try run("migrate Stores --plain", in: workspace).standardOutput
    #expect(result.hasPrefix("Failed 1 store, migrated 1 store; "), "\(result)")
    #expect(result.contains("\njournal: Stores/.modelctl-journal.sqlite\n"), "\(result)")
  }

  @Test("A heading of a table is never cut: if the columns do not fit, each value has its line")
  func headings() throws {
    let workspace = try workspace()
    let text = try run("query old.sqlite Order --limit 1", in: workspace).standardOutput
    let names = try run("query old.sqlite Order --limit 1 --format csv", in: workspace).standardOutput
      .split(separator: "\r\n")[0].split(separator: ",").dropFirst(2)
    for name in names { #expect(text.contains(name), "\(name): \(text)") }
  }

  @Test("Every command that prints text takes --plain, --color and -q")
  func everyCommand() throws {
    let paths = try HelpTests.commandPaths.get()
    for path in paths where !path.isEmpty {
      let help = try Modelctl.run(path + ["--help"], in: SampleFolder()).standardOutput
      guard !help.contains("SUBCOMMANDS:\n") else { continue }
      #expect(help.contains("--plain") && help.contains("-q, --quiet") && help.contains("--color"), "\(path)")
    }
  }

  @Test("-q prints no note")
  func quiet() throws {
    let workspace = try workspace()
    let arguments = "plan old.sqlite --to v1 --write-losses losses.txt"
    #expect(try run(arguments, in: workspace).standardError.hasPrefix("note: "))
    #expect(try run("\(arguments) -q", in: workspace).standardError == "")
  }

  @Test(
    "A dry run writes nothing",
    arguments: [
      "lock --all Models/Family.xcdatamodeld -n", "new-version --model Models/Orders.xcdatamodeld -n",
      "export Orders@v1 --output Models/Orders.xcdatamodeld --name v0 -n",
      "export Orders@v1 --output New.xcdatamodeld -n",
      "load shop.json --output new.sqlite --version Orders@v1 -n",
      "load shop.json --output old.sqlite --version Orders@v1 --upsert -n",
    ])
  func dryRun(_ line: String) throws {
    let workspace = try workspace()
    let files = "find . -type f ! -name '*-shm' ! -name '*-wal' -exec cksum {} + | sort"
    let before = try workspace.shell(files)
    let result = try run(line, in: workspace)
    #expect(result.status == 0 && result.standardError.contains("--dry-run: modelctl wrote nothing"), "\(result)")
    #expect(try workspace.shell(files) == before)
  }
}
