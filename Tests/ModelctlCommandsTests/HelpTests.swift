import Foundation
import TestSupport
import Testing

@Suite("Help that reads well on 80 columns")
struct HelpTests {
  static let commands = [
    "", "init", "check", "lock", "new-version", "diff", "status", "plan", "migrate", "verify", "rescue", "rehearse",
    "matrix", "mapping", "query", "update", "delete", "history", "create", "load", "dump", "convert", "extract",
    "anonymize", "show", "diagram", "log", "hash", "edit", "export", "generate", "merge", "cloudkit",
    "mapping new", "mapping show", "mapping check", "mapping convert", "generate swift", "generate types",
    "edit add", "edit add entity", "edit add attribute", "edit add relationship", "edit add constraint",
    "edit add index", "edit rename", "edit remove", "edit retype", "edit set", "edit current", "edit undo",
    "cloudkit schema", "cloudkit diff",
  ]

  /// The names listed under SUBCOMMANDS, or under the headings of groups such as GUARD SUBCOMMANDS.
  static func subcommands(in help: String) -> [String] {
    help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().flatMap { list in
      list.components(separatedBy: "\n\n")[0].split(separator: "\n")
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
    }
  }

  /// The words of every command, those below others included; none for the program itself.
  static let commandPaths = Result { try commandPaths(in: SampleFolder()) }

  private static func commandPaths(in workspace: SampleFolder, below path: [String] = []) throws -> [[String]] {
    let help = try Modelctl.run(path + ["--help"], in: workspace).standardOutput
    guard help.contains("SUBCOMMANDS:\n") else { return [path] }
    return try [path] + subcommands(in: help).flatMap { try commandPaths(in: workspace, below: path + [$0]) }
  }

  @Test(
    "One line of purpose, then examples; what each option is for; no line is longer than the terminal",
    arguments: commands)
  func layout(_ command: String) throws {
    let help = try Modelctl.run(command.split(separator: " ").map(String.init) + ["--help"], in: SampleFolder())
    #expect(help.status == 0)
    #expect(help.standardError.isEmpty)
    let lines = help.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0.count > 80 } == [])
    // A line that is too long in the source is broken, and its last word stands alone in a sentence or command.
    let text = lines.prefix { !$0.hasPrefix("USAGE: ") }
    let alone = text.filter { !$0.isEmpty && !$0.contains(" ") && !$0.hasSuffix(".") }
    #expect(alone.filter { $0.contains(where: \.isLowercase) || $0 == "\\" } == [])
    #expect(lines[0].hasPrefix("OVERVIEW: ") && lines[0].hasSuffix("."))
    #expect(Array(lines[1...2]) == ["", "EXAMPLES"])
    #expect(lines[3].hasPrefix("  modelctl \(command)"))
    // Every argument and option says what it is for.
    for (number, line) in lines.enumerated() where line.hasPrefix("  -") || line.hasPrefix("  <") {
      let words = line.dropFirst(min(26, line.count)).trimmingCharacters(in: .whitespaces)
      let next = lines[number + 1]
      #expect(!words.isEmpty && line.count > 26 || next.hasPrefix(String(repeating: " ", count: 26)), "\(line)")
    }
  }

  @Test("The first help is one screen, with the commands in four groups")
  func groups() throws {
    let help = try Modelctl.run(["--help"], in: SampleFolder()).standardOutput
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 60)
    let headings = lines.filter { $0.hasSuffix(" SUBCOMMANDS:") }.map { $0.split(separator: " ")[0] }
    #expect(headings == ["GUARD", "MIGRATE", "DATA", "MODELS"])
    #expect(try Self.commandPaths.get().map { $0.joined(separator: " ") }.sorted() == Self.commands.sorted())
  }

  @Test("Commands with more than seven options group them by purpose")
  func optionGroups() throws {
    let workspace = try SampleFolder()
    for path in try Self.commandPaths.get() {
      let help = try Modelctl.run(path + ["--help"], in: workspace).standardOutput
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
      #expect(
        options.count <= 7 || help.contains("\nMODEL OPTIONS:\n") || help.contains("\nSETUP OPTIONS:\n"), "\(path)")
    }
  }

  @Test("The version alone, and help without arguments")
  func root() throws {
    let workspace = try SampleFolder()
    #expect(try workspace.modelctl("--version").standardOutput == "0.1.0\n")
    #expect(try workspace.modelctl() == workspace.modelctl("--help"))
    #expect(
      try workspace.modelctl("help", "status").standardOutput == workspace.modelctl("status", "-h").standardOutput)
  }

  @Test("An unknown option suggests only a similar option")
  func suggestion() throws {
    let workspace = try SampleFolder()
    let far = try workspace.modelctl("check", "--foo").standardError
    #expect(far.hasPrefix("error: unknown option “--foo”\n"), "\(far)")
    let near = try workspace.modelctl("check", "--formt", "json").standardError
    #expect(near.hasPrefix("error: unknown option “--formt”. Did you mean “--format”?\n"), "\(near)")
  }

  @Test("Options of query that need an entity show the usage of query")
  func queryUsage() throws {
    let result = try SampleFolder().modelctl("query", "a.sqlite", "--count")
    #expect(result.status == 64 && result.standardError.contains("Usage: modelctl query <store>"), "\(result)")
  }

  @Test(
    "Wrong usage exits with 64 and prints an error only on standard error",
    arguments: CorpusSample.of(
      [
        ["frobnicate"], ["init", "v1"], ["init", "--format", "markdown"], ["diff", "v1", "v2", "--color", "green"],
        ["status"], ["diff", "v1"], ["plan", "a", "b"], ["hash", "--format", "xml"],
        ["hash", "--format", "json="], ["hash", "--format", "sarif"], ["check", "--format", "sarif="],
        ["check", "--format", "SARIF"], ["check", "--format", "github", "--format", "text"],
        ["hash", "--format", "json", "--format", "text"], ["migrate", "a", "--nothing"],
        ["query", "a", "--count"], ["query", "a", "--where", "x == 1"], ["query", "a", "--columns", "x"],
        ["diff", "a", "b", "--match", "unique"], ["diff", "--base", "a", "--data"],
        ["diff", "a", "b", "--format", "html"],
        ["load", "a.json"], ["load", "a", "--output", "b"], ["load", "a.json", "--output", "b", "--match", "number"],
        ["extract", "a", "--output", "b"], ["extract", "a", "--entity", "E"],
        ["extract", "a", "--entity", "E", "--output", "b", "--depth", "-1"],
        ["migrate", "a", "--in-place", "--copy"], ["plan", "a", "--busy-timeout", "-1"],
        ["create", "a", "--rows", "-1"], ["generate", "types"], ["generate", "swift", "a", "b"],
        ["generate", "types", "a", "--output", ""],
        ["migrate", "a", "--jobs", "0"], ["migrate", "a", "--jobs", "many"], ["migrate", "a", "--shard", "0/4"],
        ["migrate", "a", "--shard", "5/4"], ["migrate", "a", "--shard", "half"], ["migrate", "a", "--shard", "auto"],
        ["migrate", "a", "--journal", ""], ["migrate", "a", "--journal", "j", "--dry-run"],
        ["create", "a", "--uuid", "x"],
        ["status", ""], ["plan", ""], ["migrate", "a", ""], ["create", ""], ["migrate", "a", "--fill", "Order.number"],
        ["migrate", "a", "--backup", "--no-backup"], ["merge", "a", "b"], ["new-version", "a", "b"],
        ["new-version", "--restore"], ["new-version", "--restore", "a", "--as-store", "b"],
        ["mapping", "new", "a", "b", "--format", "json"], ["merge", "a", "b", "c", "--format", "xml"],
        ["matrix", "Models", "--model", "Models"], ["matrix", "--format", "xml"], ["rehearse", "--rows", "0"],
        ["export", "v1"], ["export", "v1", "--output", ""], ["edit", "rename", "A"], ["edit", "retype", "A", "String"],
        ["edit", "retype", "A.b", "Strong"], ["edit", "set", "A.b"], ["edit", "set", "A.b", "optional"],
        ["edit", "set", "A.b", "optinal=no"], ["edit", "chnage"], ["help", "frobnicate"], ["help", "edit", "sett"],
        ["help", "diff", "v1"], ["edit", "add", "attribute", "A.b"], ["edit", "remove", ""],
        ["edit", "add", "attribute", "A.", "--type", "String"],
        ["edit", "add", "relationship", "A.b", "--destination", "C"],
        ["edit", "add", "relationship", "A.b", "--destination", "C", "--to-one", "--to-many"],
        ["edit", "add", "relationship", "A.b", "--destination", "C", "--to-one", "--ordered"],
        ["edit", "add", "relationship", "A.b", "--destination", "C", "--to-many", "--min", "3", "--max", "2"],
        ["edit", "add", "relationship", "A.b", "--destination", "C", "--to-many", "--inverse-to-one"],
        ["edit", "add", "relationship", "A.b", "--destination", "C", "--to-many", "--delete-rule", "drop"],
        ["rehearse", "--format", "markdown"], ["rehearse", "--keep", ""], ["rehearse", "a"],
        ["lock", "--all", "--allow-data-loss", "Order.note"],
        ["show", "v1", "--format", "yaml"], ["show", "a", "--textconv", "--brief"],
        ["show", "--textconv", "a", "--entity", "b"],
        ["diagram", "v1", "v2", "v3"], ["diagram", "v1", "--format", "jpeg"], ["diagram", "v1", "--format", "png="],
        ["diagram", "v1", "--html", "--format", "dot"], ["diagram", "--format", "svg", "--format", "dot"],
        ["migrate", "a", "--report", "out.pdf"], ["migrate", "a", "--report", ""],
        ["migrate", "a", "--report", "html"],
        ["lock", "--retire", "v1"], ["lock", "--reason", "old"], ["lock", "--retire", "v1", "--reason", " "],
        ["lock", "--retire", "v1", "--reason", "old", "--all"], ["lock", "--release"],
        ["lock", "--mapping", "a.xml", "--all"],
        ["lock", "--all", "--relock", "v1"], ["lock", "--all", "--draft", "--allow-data-loss", "A"],
      ], atMost: 40))
  func wrongUsage(_ arguments: [String]) throws {
    let result = try Modelctl.run(arguments, in: SampleFolder())
    #expect(result.status == 64)
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.hasPrefix("error: "))
  }

  @Test(
    "A mistyped word gets the nearest, or all there are",
    arguments: [
      (["stauts", "a"], "“stauts” is not a command; nearest: status"),
      (["edit", "remvoe", "A.b"], "“remvoe” is not a subcommand of edit; nearest: remove"),
      (
        ["edit", "frob"],
        "“frob” is not a subcommand of edit; choose from add, rename, remove, retype, set, current, undo"
      ),
      (["help", "edit", "sett"], "“sett” is not a subcommand of edit; nearest: set"),
      (["edit", "set", "A.b", "optinal=no"], "there is no setting “optinal”; nearest: optional"),
    ])
  func mistyped(_ arguments: [String], _ message: String) throws {
    let result = try Modelctl.run(arguments, in: SampleFolder())
    #expect(result.status == 64 && result.standardOutput.isEmpty)
    #expect(result.standardError.hasPrefix("error: \(message)\n"), "\(result.standardError)")
  }
}
