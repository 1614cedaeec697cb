import Foundation
import GRDB
import ModelKit
import TestSupport
import Testing

@Suite("Names in a file cannot control a terminal")
struct ControlCharacterTests {
  private static func acts(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || (0x7F..<0xA0).contains($0.value) }
  }

  @Test("SQL with control characters in texts runs with the same result")
  func sql() throws {
    let queue = try DatabaseQueue()
    let texts = ["a\u{1B}[31mb", "it''s \u{1B} here", "\u{7}", "''\u{9B}", "plain '' text", "\u{1B}''\u{1B}"]
    for text in texts {
      let shown = PrintableSQL.text("SELECT '\(text)' || 'x' -- of \u{1B}\nWHERE \"a\u{1B}\" IS NOT NULL")
      #expect(!Self.acts(shown))
      let statement = shown.prefix { $0 != "-" }
      let found = try queue.read { try String.fetchOne($0, sql: String(statement)) }
      #expect(found == text.replacing("''", with: "'") + "x", "\(shown)")
    }
    #expect(PrintableSQL.text("SELECT 'a\n::b'") == "SELECT 'a\n::b'")
  }

  @Test("Names of files and values of rows are written out by every command")
  func commands() throws {
    let workspace = try SampleFolder()
    let name = "s\u{1B}[31m.sqlite"
    try workspace.makeStore(name, version: "Orders@v1", rows: 5)
    let queue = try DatabaseQueue(path: workspace.folder.path(name))
    try queue.write { database in
      // A value and a table of an app that bring a control character along.
      try database.execute(sql: "UPDATE ZCUSTOMER SET ZNAME = 'x' || char(27) || '[2J'")
      try database.execute(sql: "CREATE TABLE \"a\u{1B}[2J\" (b)")
      try database.execute(sql: "CREATE INDEX \"i\u{1B}[2J\" ON ZORDER (Z_PK)")
    }
    try queue.close()
    let commands = [
      ["status", name], ["plan", name, "--to", "v4"], ["plan", name, "--to", "v4", "--full"], ["verify", name],
      ["dump", name, "--format", "text"], ["query", name, "Customer"], ["migrate", name, "--to", "v4", "--dry-run"],
      ["diff", name, name], ["create", name, "--version", "Orders@v1"], ["dump", name, "--entity", "n\u{1B}"],
      ["show", "n\u{1B}"], ["check", "n\u{1B}"], ["matrix", "n\u{1B}"],
      ["create", "o\u{1B}.sqlite", "--version", "Orders@v1"],
      ["anonymize", name, "--output", "p\u{1B}.sqlite"], ["dump", name, "--output", "q\u{1B}.jsonl"],
      ["convert", name, "r\u{1B}.json"], ["update", name, "Customer", "--all", "--set", "name=y"],
    ]
    for command in commands {
      let result = try Modelctl.run(command, in: workspace)
      let shown = result.standardOutput + result.standardError
      #expect(!shown.isEmpty && !Self.acts(shown), "\(command): \(shown.debugDescription.prefix(600))")
    }
  }

  @Test("Text formats show the characters of values escaped on a terminal, and keep them in a pipe")
  func formats() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("s.sqlite", version: "Orders@v1", rows: 2)
    let value = "x\u{1B}[2J\u{9B}1m\u{202E}y"
    let queue = try DatabaseQueue(path: workspace.folder.path("s.sqlite"))
    try queue.write { try $0.execute(sql: "UPDATE ZCUSTOMER SET ZNAME = ?", arguments: [value]) }
    try queue.close()
    let dumps = ["json", "jsonl", "csv", "sqlite", "postgresql"].map { format in
      ["dump", "s.sqlite", "--format", format] + (format == "csv" ? ["--entity", "Customer"] : [])
    }
    let queries = ["table", "json", "csv"].map { ["query", "s.sqlite", "Customer", "--format", $0] }
    for command in dumps + queries {
      let shown = try PseudoTerminal.run(command, columns: 200, environment: ["NO_COLOR": "1"], in: workspace)
      #expect(shown.status == 0, "\(command): \(shown.text)")
      let text = shown.text.replacing("\r\n", with: "\n")
      #expect(!Self.acts(text) && !text.contains("\u{202E}"), "\(command): \(text.debugDescription.prefix(600))")
      if ["csv", "sqlite"].contains(command.last) || command.contains("csv") {
        let piped = try Modelctl.run(command, in: workspace)
        #expect(piped.standardOutput.contains("y") && piped.standardOutput.unicodeScalars.contains("\u{202E}"))
      }
    }
  }
}
