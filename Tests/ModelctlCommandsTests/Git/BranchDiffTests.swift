import Foundation
import TestSupport
import Testing

@Suite("The changes of a branch to the models")
struct BranchDiffTests {
  private static let bundle = "App/Todo.xcdatamodeld"

  /// A repository whose branch adds a version to one bundle, adds a bundle and leaves a third as it is.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("mkdir -p Other && cp -R App/Todo.xcdatamodeld Other/Same.xcdatamodeld")
    try workspace.shell("git add -A && git commit -qm base && git switch -qc branch")
    try workspace.shell("modelctl new-version --model App")
    try workspace.edit(
      "\(Self.bundle)/v3.xcdatamodel/contents", "</entity>",
      #"</entity><entity name="Tag"><attribute name="a" optional="YES" attributeType="String"/></entity>"#)
    try workspace.shell("modelctl edit remove Todo.isDone --model App")
    try workspace.shell("mkdir -p New && cp -R App/Todo.xcdatamodeld New/New.xcdatamodeld")
    return workspace
  }

  @Test("Every bundle that changed, by text, JSON and Markdown")
  func base() throws {
    let workspace = try workspace()
    let text = try workspace.modelctl("diff", "--base", "main")
    #expect(text.status == 0)
    #expect(text.standardOutput.contains("App/Todo.xcdatamodeld: from v2 to v3, "))
    #expect(text.standardOutput.contains("; new: v3\n"))
    #expect(text.standardOutput.contains("New/New.xcdatamodeld: added, 2 entities"))
    #expect(!text.standardOutput.contains("Same"))
    #expect(try workspace.modelctl("diff", "--base", "main", "--exit-code").status == 1)
    let markdown = try workspace.modelctl("diff", "--base", "main", "--format", "markdown").standardOutput
    #expect(markdown.hasPrefix("### 2 Core Data models changed since main\n"))
    let section = try #require(markdown.components(separatedBy: "\n**").first { $0.hasPrefix("App/Todo") })
    #expect(section.split(separator: "\n").count <= 6, "\(section)")
    #expect(section.contains("- added: `Tag`") && section.contains("- removed: `Todo.isDone`"))
    #expect(section.contains("**lost**: `Todo.isDone`"))
    let json = try workspace.modelctl("diff", "--base", "main", "--format", "json").standardOutput
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    let schema = JSONSchema.folder.appendingPathComponent("branch.schema.json")
    let checker = JSONSchema(try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: schema)))
    #expect(checker.faults(in: document) == [])
    #expect(document["bundles"]?.elements.count == 2)
  }

  @Test("A moved bundle is compared with its old version", arguments: ["App/Tasks", "Elsewhere/Todo"])
  func moved(to place: String) throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("mkdir -p Elsewhere && git switch -qc branch")
    for end in ["xcdatamodeld", "lock.json"] { try workspace.shell("git mv App/Todo.\(end) \(place).\(end)") }
    try workspace.shell("modelctl new-version && modelctl edit remove Todo.isDone")
    try workspace.commit("moved")
    for arguments in [["--base", "main"], ["main..HEAD"]] {
      let text = try Modelctl.run(["diff"] + arguments, in: workspace).standardOutput
      #expect(text.contains("\(place).xcdatamodeld: from v2 to v3, "), "\(text)")
      #expect(text.contains("; moved from App/Todo.xcdatamodeld\n") && text.contains("Todo.isDone"), "\(text)")
      #expect(!text.contains("added, 1 entity") && !text.contains("removed, 1 entity"), "\(text)")
    }
  }

  @Test("Each moved bundle is compared with itself, although their first versions are equal")
  func movedAlike() throws {
    let workspace = try SampleFolder(emptyNamed: "Alike")
    try workspace.shell("git init --quiet --initial-branch=main")
    for name in ["Alpha", "Beta"] {
      for (version, entities) in [("v1", ["Item"]), ("v2", ["Item", name])] {
        let text = entities.map { "<entity name=\"\($0)\"/>" }.joined()
        try workspace.write("<model>\(text)</model>", to: "\(name).xcdatamodeld/\(version).xcdatamodel/contents")
      }
      try workspace.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>",
        to: "\(name).xcdatamodeld/.xccurrentversion")
    }
    try workspace.commit("one")
    try workspace.shell("git mv Alpha.xcdatamodeld Zeta.xcdatamodeld && git mv Beta.xcdatamodeld Gamma.xcdatamodeld")
    let text = try workspace.modelctl("diff", "--base", "HEAD").standardOutput
    for (bundle, source) in [("Zeta", "Alpha"), ("Gamma", "Beta")] {
      let line = "\(bundle).xcdatamodeld: from v2 of HEAD to v2, 0 changes; moved from \(source).xcdatamodeld"
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test(
    "A bundle that is deleted became no new one that only began with the same model",
    arguments: ["", #"<entity name="Item"/>"#])
  func unrelated(model: String) throws {
    let workspace = try SampleFolder(emptyNamed: "Alike")
    func add(_ name: String, _ version: String, _ text: String) throws {
      try workspace.write("<model>\(text)</model>", to: "\(name).xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.shell("git init --quiet --initial-branch=main")
    try add("Early", "Early", model)
    try workspace.commit("one")
    try workspace.shell("git rm -r --quiet Early.xcdatamodeld")
    for name in ["Alpha", "Beta"] { try add(name, name, model) }
    let text = try workspace.modelctl("diff", "--base", "HEAD").standardOutput
    #expect(!text.contains("moved from") && text.contains("Early.xcdatamodeld: removed"), "\(text)")
    #expect(text.contains("Alpha.xcdatamodeld: added") && text.contains("Beta.xcdatamodeld: added"), "\(text)")
    // The name says which of them it is.
    try add("App/Early", "Early", model)
    let moved = try workspace.modelctl("diff", "--base", "HEAD").standardOutput
    #expect(moved.contains("; moved from Early.xcdatamodeld"), "\(moved)")
  }

  @Test("A check takes an empty version for no sign that a bundle moved")
  func empty() throws {
    let workspace = try SampleFolder(emptyNamed: "Empty")
    try workspace.shell("git init --quiet --initial-branch=main")
    try workspace.write("<model></model>", to: "Early.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.commit("one")
    try workspace.shell("git mv Early.xcdatamodeld Other.xcdatamodeld")
    let result = try workspace.modelctl("check", "--base", "HEAD")
    #expect(result.status == 1 && result.standardOutput.contains("[released-bundle-deleted]"), "\(result)")
  }

  @Test("A bundle of another repository, such as a submodule, is left out")
  func foreign() throws {
    let (workspace, other) = (try SampleFolder.repository(), try SampleFolder.repository())
    try workspace.shell("git -c protocol.file.allow=always submodule --quiet add '\(other.url.path)' Sub")
    try workspace.shell("ln -s '\(other.url.path)/App/Todo.xcdatamodeld' Link.xcdatamodeld")
    try workspace.commit("a submodule")
    let result = try workspace.modelctl("diff", "--base", "HEAD", "--exit-code")
    #expect(result.status == 0, "\(result)")
  }

  @Test("In Markdown, renamed elements have their old name, changes have details, and inherited changes are counted")
  func clauses() throws {
    let workspace = try SampleFolder(emptyNamed: "Clauses")
    let old = """
      <model><entity name="Note"><attribute name="size" optional="YES" attributeType="Integer 32"/>
      <attribute name="text" optional="YES" attributeType="String"/></entity>
      <entity name="Letter" parentEntity="Note"/><entity name="Memo" parentEntity="Note"/></model>
      """
    try workspace.write(old, to: "A.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.shell("git init --quiet --initial-branch=main")
    try workspace.commit("one")
    let new = old.replacingOccurrences(of: #"name="size" optional="YES""#, with: #"name="size" defaultValueString="0""#)
      .replacingOccurrences(of: #"name="text""#, with: #"name="title" elementID="text""#)
    try workspace.write(new, to: "A.xcdatamodeld/v1.xcdatamodel/contents")
    let lines = try workspace.modelctl("diff", "--base", "main", "--format", "markdown").standardOutput
    #expect(lines.contains("- renamed: `Note.title` (was `text`)\n"), "\(lines)")
    #expect(lines.contains("- changed: `Note.size` (optional, defaultValue); 2 more changes only follow from these\n"))
    #expect(!lines.contains("Letter"))
  }

  @Test("Two revisions, and nothing between equal ones")
  func range() throws {
    let workspace = try workspace()
    try workspace.shell("git add -A && git commit -qm change")
    let between = try workspace.modelctl("diff", "main..branch").standardOutput
    #expect(between.contains("App/Todo.xcdatamodeld: from v2 to v3, "))
    #expect(try workspace.modelctl("diff", "branch..main").standardOutput.contains("New/New.xcdatamodeld: removed"))
    #expect(try workspace.modelctl("diff", "main..main").standardOutput == "no model changed since main\n")
    #expect(try workspace.modelctl("diff", "--base", "HEAD").standardOutput == "no model changed since HEAD\n")
  }

  @Test("Excluded files are not part of the difference")
  func excluded() throws {
    let workspace = try workspace()
    try workspace.write(#"{ "exclude": ["Other/**", "New/**"] }"#, to: ".modelctl.json")
    let text = try workspace.modelctl("diff", "--base", "main").standardOutput
    #expect(text.contains("App/Todo.xcdatamodeld: from v2 to v3, "))
    #expect(!text.contains("Other/") && !text.contains("New/"), "\(text)")
  }

  @Test("An edit of a version on both sides names the revision of the old version")
  func edited() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl edit add attribute Todo.note --type String --allow-released --in v2")
    let text = try workspace.modelctl("diff", "--base", "main").standardOutput
    #expect(text.contains("from v2 of main to v2"), "\(text)")
  }

  @Test("A project without a bundle on either side", arguments: [["--base", "HEAD"], ["HEAD..HEAD"]])
  func noBundle(_ arguments: [String]) throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("git rm -rqf . && git commit -qm empty --allow-empty")
    let result = try Modelctl.run(["diff"] + arguments, in: workspace)
    #expect(result.status == 2 && result.standardError.contains("no model bundle"), "\(result)")
  }

  @Test("Wrong usage and unknown revisions")
  func wrong() throws {
    let workspace = try SampleFolder.repository()
    for arguments in [["diff"], ["diff", "v1"], ["diff", "v1", "v2", "--base", "main"]] {
      #expect(try Modelctl.run(arguments, in: workspace).status == 64)
    }
    let unknown = try workspace.modelctl("diff", "--base", "nowhere")
    #expect(unknown.status == 2 && unknown.standardError.contains("nowhere"))
  }
}
