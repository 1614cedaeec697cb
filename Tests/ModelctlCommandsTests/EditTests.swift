import Foundation
import TestSupport
import Testing

@Suite("edit changes only an unreleased version")
struct EditTests {
  private static let file = "Models/Todo.xcdatamodeld/v3.xcdatamodel/contents"

  /// A workspace in which a version of Todo may be edited.
  private static func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    #expect(
      try workspace.modelctl("new-version", "--model", "Models/Todo.xcdatamodeld").status == 0)
    return workspace
  }

  private static let todo = ["--model", "Models/Todo.xcdatamodeld"]

  private static let edits: [[String]] = [
    ["add", "entity", "List"], ["add", "entity", "Chore", "--parent", "Todo"],
    ["add", "attribute", "Todo.note", "--type", "String", "--default", "it's <\"&\">"],
    ["add", "relationship", "Todo.parent", "--destination", "Todo", "--to-one", "--inverse", "children"],
    ["rename", "Todo.dueDate", "deadline"], ["rename", "Todo", "Task"], ["remove", "Todo.dueDate"],
    ["retype", "Todo.priority", "Integer 64"], ["set", "Todo.priority", "optional=yes", "default=", "maximum=9"],
    ["add", "constraint", "Todo", "title", "dueDate"], ["remove", "index", "Todo", "byDueDate"],
    ["add", "index", "Todo", "byTitle", "title", "priority:descending"],
  ]

  @Test("A dry run writes nothing, and prints a patch that git apply turns into the same file", arguments: edits)
  func dryRun(_ edit: [String]) throws {
    let workspace = try Self.workspace()
    let before = try workspace.contents()
    let dry = try Modelctl.run(["edit"] + edit + ["--dry-run"] + Self.todo, in: workspace)
    #expect(dry.status == 0, "\(dry.standardError)")
    #expect(try workspace.contents() == before)
    #expect(
      dry.standardOutput.contains("\n\(Self.file): not written, a dry run\n\n--- \(Self.file)\n+++ \(Self.file)\n@@ "))
    try workspace.write(dry.standardOutput, to: "edit.patch")
    #expect(try Modelctl.shell("git apply -p0 edit.patch && rm edit.patch", in: workspace).status == 0)
    let applied = try workspace.contents()
    try before[Self.file]?.write(to: workspace.url.appendingPathComponent(Self.file))
    #expect(try Modelctl.run(["edit"] + edit + Self.todo, in: workspace).status == 0)
    #expect(try workspace.contents() == applied)
  }

  @Test(
    "A refused edit leaves every file unchanged and gives advice",
    arguments: [
      (["remove", "Todo.title", "--in", "Todo@v1"], "users have version v1"),
      (["remove", "Todo.titel"], "nearest: Todo.title"),
      (["set", "Todo", "parent=Todo"], "parent=Todo: it is this entity, or inherits from it\n  Name another parent"),
      (["set", "Todo", "parent=Tod"], "the model has no entity “Tod”; nearest: Todo"),
      (["add", "constraint", "Todo", "titel"], "nearest: Todo.title"),
      (["add", "constraint", "Todo", "title", "title"], "Todo.title: it is named twice"),
      (["add", "index", "Todo", "byDueDate", "title"], "byDueDate” already"),
      (["remove", "constraint", "Todo", "title"], "Todo does not have a uniqueness constraint by title"),
      (["remove", "index", "Todo", "byDate"], "Todo does not have an index “byDate”\n  Choose one of byDueDate"),
      (["current", "v3"], "v3 is the current version already"),
      (["current", "v4"], "v4"),
      (["rename", "Todo.title", "description"], "modelctl wrote nothing"),
      (["rename", "Todo.title", "a\nb"], "is not a valid name"),
      (["rename", "Todo.title", "<a & \"b\">"], "is not a valid name"),
      (["add", "attribute", "Todo.n", "--type", "Date", "--default", "soon"], "--default soon: "),
      (["add", "relationship", "Todo.list", "--destination", "Lists", "--to-one"], "the model has no entity “Lists”"),
      (["rename", "Todo.title", "heading", "--in", "gone"], "no model version “gone”"),
      (
        ["add", "attribute", "Todo.p", "--type", "Composite", "--composite", "Place"],
        "the model has no composite type “Place”"
      ),
    ])
  func refused(_ edit: [String], _ words: String) throws {
    let workspace = try Self.workspace()
    let before = try workspace.contents()
    let result = try Modelctl.run(["edit"] + edit + Self.todo, in: workspace)
    #expect(result.status == 2)
    #expect(result.standardOutput.isEmpty)
    #expect(
      result.standardError.hasPrefix("error: ") && result.standardError.contains(words), "\(result.standardError)")
    #expect(try workspace.contents() == before)
  }

  @Test(
    "Incompatible options are refused in one line that names valid options",
    arguments: [
      (
        ["attribute", "Todo.a", "--type", "String", "--composite", "P"],
        "--type String does not support --composite, which is for Composite"
      ),
      (
        ["attribute", "Todo.a", "--type", "String", "--transformer", "T"],
        "--type String does not support --transformer, which is for Transformable"
      ),
      (
        ["attribute", "Todo.a", "--type", "Boolean", "--min", "0"],
        "--type Boolean does not support --min, which is for Integer 16, Integer 32, Integer 64, Decimal, Double, Float, "
          + "String, Date"
      ),
      (["attribute", "Todo.a", "--type", "Date", "--pattern", "a"], "--type Date does not support --pattern"),
      (["attribute", "Todo.a", "--type", "UUID", "--class", "C"], "--type UUID does not support --class"),
      (["attribute", "Todo.a", "--type", "Float", "--external-storage"], "does not support --external-storage"),
      (["attribute", "Todo.a", "--type", "String", "--pattern", "["], "--pattern [: not a valid regular expression"),
      (
        ["attribute", "Todo.a", "--type", "Composite"],
        "--type Composite needs --composite with the name of the composite type"
      ),
      (["attribute", "Todo.a", "--type", "Float", "--min", "7", "--max", "3"], "--min is greater than --max"),
      (
        ["attribute", "Todo.a", "--type", "String", "--max", "3", "--default", "abcd"], "--default is above --max"
      ),
      (
        ["attribute", "Todo.a", "--type", "Date", "--min", "2020-01-02", "--default", "2020-01-01"],
        "--default is below --min"
      ),
      (
        ["relationship", "Todo.a", "--destination", "Todo", "--to-many", "--max", "9223372036854775807"],
        "--min and --max must not be above 2147483647"
      ),
      (
        ["relationship", "Todo.a", "--destination", "Todo", "--to-many", "--min", "2147483648"],
        "--min and --max must not be above 2147483647"
      ),
    ])
  func contradictions(_ arguments: [String], _ words: String) throws {
    let workspace = try Self.workspace()
    let before = try workspace.contents()
    let result = try Modelctl.run(["edit", "add"] + arguments + Self.todo, in: workspace)
    #expect(result.status == 64 && result.standardOutput.isEmpty)
    #expect(result.standardError.contains(words), "\(result.standardError)")
    #expect(try workspace.contents() == before)
  }

  @Test("A renamed element and a new element never share an identifier: the version can be reached")
  func reachable() throws {
    let workspace = try Self.workspace()
    #expect(try Modelctl.run(["edit", "rename", "Todo.title", "heading"] + Self.todo, in: workspace).status == 0)
    let add = ["edit", "add", "attribute", "Todo.title", "--type", "String"]
    let refused = try Modelctl.run(add + Self.todo, in: workspace)
    #expect(
      refused.status == 2
        && refused.standardError.contains("“title” identifies Todo.heading in other versions"))
    let other = ["edit", "add", "attribute", "Todo.caption", "--type", "String"]
    #expect(try Modelctl.run(other + Self.todo, in: workspace).status == 0)
    try workspace.makeStore("todo.sqlite", version: "Todo@v2")
    let migrated = try workspace.modelctl("migrate", "todo.sqlite", "--to", "v3", "--model", "Models/Todo.xcdatamodeld")
    #expect(migrated.status == 0, "\(migrated.standardError)")
  }

  @Test("After any number of renames the identifier is the previous version's name; a new element needs no identifier")
  func renamedAgain() throws {
    let workspace = try Self.workspace()
    func edit(_ arguments: String...) throws {
      let result = try Modelctl.run(["edit"] + arguments + Self.todo, in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
    }
    func shown() throws -> String {
      try workspace.modelctl("show", "Todo@v3", "--model", "Models/Todo.xcdatamodeld").standardOutput
    }
    try edit("rename", "Todo.title", "heading")
    try edit("rename", "Todo.heading", "subject")
    #expect(try shown().contains("renaming identifier title"))
    try edit("add", "attribute", "Todo.note", "--type", "String")
    try edit("rename", "Todo.note", "remark")
    #expect(try !shown().contains("renaming identifier note"))
    #expect(try Modelctl.run(["new-version"] + Self.todo, in: workspace).status == 0)
    let file = workspace.url.appendingPathComponent("Models/Todo.xcdatamodeld/v4.xcdatamodel/contents")
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing(" elementID=\"title\"", with: "").utf8).write(to: file)
    try edit("rename", "Todo.subject", "caption")
    let v4 = try String(contentsOf: file, encoding: .utf8)
    #expect(v4.contains("name=\"caption\"") && v4.contains(" elementID=\"title\""), "\(v4)")
    try workspace.makeStore("todo.sqlite", version: "Todo@v2")
    let migrated = try workspace.modelctl("migrate", "todo.sqlite", "--to", "v4", "--model", "Models/Todo.xcdatamodeld")
    #expect(migrated.status == 0, "\(migrated.standardError)")
  }

  @Test("Edits are undone, the last edit first, if no other program changed the file")
  func undo() throws {
    let workspace = try Self.workspace()
    func edit(_ arguments: String...) throws -> Modelctl.Result {
      try Modelctl.run(["edit"] + arguments + Self.todo, in: workspace)
    }
    let states = [try workspace.contents()]
    let nothing = try edit("undo")
    #expect(nothing.status == 2 && nothing.standardError.contains("modelctl has no edit to undo"))
    #expect(try edit("set", "Todo.title", "optional=yes").status == 0)
    let second = try workspace.contents()
    #expect(try edit("rename", "Todo.title", "heading").status == 0)
    #expect(try edit("undo", "--dry-run").status == 0)
    #expect(try edit("undo").status == 0)
    #expect(try workspace.contents() == second)
    try workspace.edit(Self.file, "</model>", "<!-- mine --></model>")
    let touched = try workspace.contents()
    let refused = try edit("undo")
    #expect(refused.status == 2 && refused.standardError.contains("it changed after its last edit"))
    #expect(try workspace.contents() == touched)
    try workspace.edit(Self.file, "<!-- mine --></model>", "</model>")
    #expect(try edit("undo").status == 0)
    #expect(try workspace.contents() == states[0])
    #expect(try edit("undo").status == 2)
  }

  @Test("Edits to and fro are taken back one by one")
  func undoToAndFro() throws {
    let workspace = try Self.workspace()
    var states: [[String: Data]] = []
    for value in ["yes", "no", "yes", "no", "yes"] {
      states.append(try workspace.contents())
      #expect(
        try Modelctl.run(["edit", "set", "Todo.title", "optional=\(value)"] + Self.todo, in: workspace).status == 0)
    }
    for state in states.reversed() {
      #expect(try Modelctl.run(["edit", "undo"] + Self.todo, in: workspace).status == 0)
      #expect(try workspace.contents() == state)
    }
  }

  @Test("Concurrent edits of several processes can be undone completely")
  func undoOfSeveralProcesses() throws {
    let workspace = try Self.workspace()
    let before = try workspace.contents()
    for round in 0..<3 {
      let processes = try (0..<3).map { number in
        try Modelctl.start(
          ["edit", "add", "attribute", "Todo.a\(round)x\(number)", "--type", "String"] + Self.todo, in: workspace)
      }
      processes.forEach { $0.waitUntilExit() }
      #expect(processes.contains { $0.terminationStatus == 0 })
    }
    var undone = 0
    while try workspace.contents() != before, undone < 9 {
      let result = try Modelctl.run(["edit", "undo"] + Self.todo, in: workspace)
      #expect(result.status == 0, "\(result)")
      undone += 1
    }
    #expect(try workspace.contents() == before && undone >= 3)
  }

  @Test("Removing stored data is a warning with the command that shows the loss; removing a new element is not")
  func removal() throws {
    let workspace = try Self.workspace()
    #expect(
      try Modelctl.run(["edit", "add", "attribute", "Todo.note", "--type", "String"] + Self.todo, in: workspace).status
        == 0)
    let new = try Modelctl.run(["edit", "remove", "Todo.note"] + Self.todo, in: workspace)
    #expect(new.status == 0 && !new.standardError.contains("loses"), "\(new)")
    let old = try Modelctl.run(["edit", "remove", "Todo.dueDate"] + Self.todo, in: workspace)
    #expect(old.standardError.contains("warning: a migration loses the values of Todo.dueDate in stores of v2; "))
    let command = try #require(old.standardError.split(separator: "\n").first?.split(separator: ": ").last)
    let shown = try Modelctl.shell(String(command), in: workspace)
    #expect(shown.status == 0 && shown.standardOutput.contains("Todo.dueDate"), "\(command): \(shown)")
    let entity = try Modelctl.run(["edit", "remove", "Todo", "--dry-run"] + Self.todo, in: workspace)
    #expect(entity.standardError.contains("a migration loses the objects of Todo in stores of v2"), "\(entity)")
  }

  @Test(
    "With several bundles the advice runs: a version as Bundle@version, or the bundle",
    arguments: [
      (["new-version"], ["new-version", "Todo@v8"], "made from v2, and now current"),
      (["new-version"], ["new-version", "--model", "Models/Todo.xcdatamodeld"], "made from v2, and now current"),
      (
        ["edit", "add", "entity", "List"],
        ["edit", "add", "entity", "List", "--in", "Family@v2", "--allow-released"], "List"
      ),
      (["show"], ["show", "Todo@v2"], "v2: 1 entity"),
    ])
  func severalBundles(_ command: [String], _ advised: [String], _ words: String) throws {
    let workspace = try SampleFolder()
    let refused = try Modelctl.run(command, in: workspace)
    #expect(refused.status == 2, "\(refused)")
    let advice = command[0] == "edit" ? "or name a version: --in Bundle@version" : "or name a version as Bundle@version"
    #expect(refused.standardError.contains(advice), "\(refused.standardError)")
    let result = try Modelctl.run(advised, in: workspace)
    #expect(result.status == 0 && result.standardOutput.contains(words), "\(result)")
    if advised.contains("Todo@v8") { #expect(try workspace.modelctl("show", "Todo@v8").status == 0) }
  }

  @Test("An edit is made although it cannot be taken back")
  func noCache() throws {
    let workspace = try Self.workspace()
    try Data().write(to: workspace.cache.url.appendingPathComponent("modelctl"))
    #expect(try Modelctl.run(["edit", "remove", "Todo.title"] + Self.todo, in: workspace).status == 0)
    #expect(try Modelctl.run(["edit", "undo"] + Self.todo, in: workspace).status == 2)
  }

  @Test("Restoring a type is not a change from the previous version, so there is no warning")
  func retypedBack() throws {
    let workspace = try Self.workspace()
    let there = try Modelctl.run(["edit", "retype", "Todo.title", "Date"] + Self.todo, in: workspace)
    #expect(there.standardError.contains("warning: a migration cannot infer Date from String"))
    let back = try Modelctl.run(["edit", "retype", "Todo.title", "String"] + Self.todo, in: workspace)
    #expect(back.status == 0 && back.standardError == "", "\(back)")
  }

  @Test("The command in the finding about a rename keeps the data")
  func likelyRename() throws {
    let workspace = try Self.workspace()
    try workspace.edit(Self.file, "name=\"dueDate\"", "name=\"deadline\"")
    try workspace.edit(Self.file, "property=\"dueDate\"", "property=\"deadline\"")
    let found = try workspace.modelctl("check", "Models/Todo.xcdatamodeld", "--only", "likely-rename").standardOutput
    let all = found.isEmpty ? try workspace.modelctl("check", "Models/Todo.xcdatamodeld").standardOutput : found
    let command = try #require(all.firstMatch(of: /modelctl edit set [^;]*/)).output
    #expect(command == "modelctl edit set Todo.deadline renaming-identifier=dueDate --in \(Self.file)")
    #expect(try Modelctl.shell(String(command), in: workspace).status == 0)
    #expect(try !workspace.modelctl("check", "Models/Todo.xcdatamodeld").standardOutput.contains("likely-rename"))
  }

  @Test("A folder that may not be written to keeps the file", .enabled(if: ProtectedFolder.isPossible))
  func protected() throws {
    let workspace = try Self.workspace()
    let folder = workspace.url.appendingPathComponent(Self.file).deletingLastPathComponent()
    let before = try workspace.contents()
    let protection = ProtectedFolder(folder)
    let result = try Modelctl.run(["edit", "remove", "Todo.title"] + Self.todo, in: workspace)
    protection.lift()
    #expect(result.status == 2 && result.standardError.contains("cannot be written"), "\(result.standardError)")
    #expect(try workspace.contents() == before)
  }

  @Test("A draft is edited, a released version only when it is named; compiled models and archives never")
  func released() throws {
    let workspace = try Self.workspace()
    #expect(try Modelctl.run(["lock", "--draft"] + Self.todo, in: workspace).status == 0)
    #expect(try Modelctl.run(["edit", "remove", "Todo.dueDate"] + Self.todo, in: workspace).status == 0)
    let forced = ["edit", "remove", "Todo.title", "--in", "v2", "--allow-released"]
    #expect(try Modelctl.run(forced + Self.todo, in: workspace).status == 0)
    try workspace.makeStore()
    let store = try workspace.modelctl("edit", "remove", "Order.note", "--in", "shop.sqlite")
    #expect(store.status == 2 && store.standardOutput.isEmpty)
  }

  @Test(
    "A change saved during an edit is not lost: the edit uses it, or is refused",
    arguments: CorpusSample.of([10, 100, 200], atMost: 1))
  func concurrentSave(_ milliseconds: Int) throws {
    let workspace = try SampleFolder()
    let attributes = (0..<1900).map { "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
    let entities = (0..<10).map { "<entity name=\"E\($0)\">\n\(attributes.joined(separator: "\n"))\n</entity>" }
    let text = "<model>\n\(entities.joined(separator: "\n"))\n</model>\n"
    try workspace.write(text, to: "large.xml")
    let edit = try Modelctl.start(["edit", "remove", "E3.a7", "--in", "large.xml"], in: workspace)
    Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
    let file = workspace.url.appendingPathComponent("large.xml")
    try Data(text.replacing("</model>", with: "<!-- saved -->\n</model>").utf8).write(to: file, options: .atomic)
    edit.waitUntilExit()
    let after = try String(contentsOf: file, encoding: .utf8)
    #expect(after.contains("<!-- saved -->"))
    if edit.terminationStatus == 2 { #expect(after.count == text.count + 15) }
  }

  @Test("A single model and a file by itself are edited in their place")
  func single() throws {
    let workspace = try SampleFolder()
    for path in ["One.xcdatamodel", "one.xml"] {
      #expect(try workspace.modelctl("export", "Todo@v2", "--output", path).status == 0)
      #expect(try workspace.modelctl("edit", "rename", "Todo.title", "heading", "--in", path).status == 0)
      #expect(try workspace.modelctl("show", path).standardOutput.contains("renaming identifier title"))
    }
  }

  @Test("The version that wrote a store is made again after its file was edited, before the current one or as it")
  func asStore() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("old.sqlite", version: "Orders@v3")
    try workspace.makeStore("new.sqlite", version: "Orders@v6")
    let orders = ["--model", "Models/Orders.xcdatamodeld"]
    func run(_ arguments: String...) throws -> Modelctl.Result { try Modelctl.run(arguments + orders, in: workspace) }
    let known = try run("new-version", "--as-store", "old.sqlite")
    #expect(known.status == 2 && known.standardError.contains("written by v3, which is here"), "\(known.standardError)")
    for version in ["v3", "v6"] {
      let path = "Models/Orders.xcdatamodeld/\(version).xcdatamodel/contents"
      try workspace.edit(path, "name=\"date\"", "name=\"dates\"")
    }
    #expect(try run("status", "old.sqlite").standardOutput.contains("as released"))
    let old = try run("new-version", "--as-store", "old.sqlite")
    #expect(old.status == 0, "\(old.standardError)")
    #expect(try run("status", "old.sqlite").standardOutput.contains("written by version v3 of"))
    let new = try run("new-version", "v7", "--as-store", "new.sqlite")
    #expect(new.status == 0, "\(new.standardError)")
    #expect(try run("status", "new.sqlite").standardOutput.contains("v6"))
    let model = try workspace.modelctl("show", "Orders@v7").standardOutput
    #expect(model.contains("attribute dates") && model.contains("renaming identifier date"))
    #expect(try run("migrate", "new.sqlite").status == 0)
  }

  @Test("A mapping file is written where a migration looks for it, once")
  func mappingFile() throws {
    let workspace = try SampleFolder()
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Migrations"))
    let words = ["mapping", "new", "Orders@v4", "Orders@v5", "--write"]
    let made = try Modelctl.run(words, in: workspace)
    #expect(made.status == 0, "\(made.standardError)")
    #expect(made.standardOutput.hasPrefix("Migrations/Orders/v4-v5.xml: written; 2 decisions left to make"))
    try workspace.makeStore("shop.sqlite", version: "Orders@v4")
    let plan = try workspace.modelctl("plan", "shop.sqlite", "--to", "v5")
    #expect((plan.standardOutput + plan.standardError).contains("v4-v5.xml"), "\(plan)")
    let before = try workspace.contents()
    let again = try Modelctl.run(words, in: workspace)
    #expect(again.status == 2 && again.standardError.contains("already exists"))
    #expect(try workspace.contents() == before)
  }

  @Test("mapping check finds the open decisions of mapping new at their lines, until their comments are deleted")
  func openDecisions() throws {
    let workspace = try SampleFolder()
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Migrations"))
    let words = ["mapping", "new", "Orders@v4", "Orders@v5", "--write"]
    let made = try Modelctl.run(words, in: workspace).standardOutput
    let next = try #require(made.split(separator: "\n").last)
    let open = try Modelctl.shell(String(next), in: workspace)
    #expect(open.status == 1, "\(open)")
    let path = "Migrations/Orders/v4-v5.xml"
    let text = String(decoding: try #require(workspace.contents()[path]), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let marked = lines.indices.filter { lines[$0].contains("DECIDE:") }.map { $0 + 1 }
    #expect(marked.count == 2)
    let found = open.standardOutput.split(separator: "\n").filter { $0.contains("warning: a decision is open: ") }
    #expect(found.map { Int($0.split(separator: ":")[1]) } == marked, "\(open)")
    #expect(text.contains("in the\n") || text.contains("in the mappingModel"), "\(text)")
    try workspace.write(text.replacing("DECIDE: ", with: ""), to: path)
    let decided = try Modelctl.shell(String(next), in: workspace)
    #expect(!decided.standardOutput.contains("a decision is open"), "\(decided)")
  }

  @Test("The log has the commit, the day and the changes of each version")
  func log() throws {
    let workspace = try SampleFolder()
    for (version, date) in [("v1", "2024-01-02"), ("v2", "2024-03-04")] {
      let add = "git init -q; git add Models/Todo.xcdatamodeld/\(version).xcdatamodel && "
      let commit = "GIT_COMMITTER_DATE=\(date)T12:00:00Z GIT_AUTHOR_DATE=\(date)T12:00:00Z git commit -qm \(version)"
      #expect(try Modelctl.shell(add + commit, in: workspace).status == 0)
    }
    let log = try workspace.modelctl("log", "--model", "Models/Todo.xcdatamodeld").standardOutput
    let lines = log.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Models/Todo.xcdatamodeld")
    #expect(lines[1].hasPrefix("  v2 (current, released), 2024-03-04 "), "\(log)")
    #expect(log.contains("Todo.dueDate added"), "\(log)")
    #expect(
      lines.last?.hasPrefix("  v1 (released), 2024-01-02 ") == true && lines.last?.hasSuffix(": 1 entity") == true)
  }
}
