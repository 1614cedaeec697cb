import Foundation
import TestSupport
import Testing

@Suite("In git, as docs/guides/models-in-git.md sets it up")
struct GitTests {
  private let workspace: SampleFolder
  private static let contents = "Models/Todo.xcdatamodeld/v2.xcdatamodel/contents"

  /// A repository with the sample models and the page's configuration.
  init() throws {
    workspace = try SampleFolder()
    try shell("git init --quiet --initial-branch=main")
    for line in try Self.setup() { try shell(line) }
    try shell("git add --all && git commit --quiet -m models")
  }

  /// The lines of the page's shell blocks, in which there is a line for .gitattributes.
  static func setup() throws -> [String] {
    let page = Transcript.project
      .appendingPathComponent("docs/guides/models-in-git.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    let blocks = text.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    return blocks.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  @discardableResult
  private func shell(_ line: String, status: Int32 = 0) throws -> Modelctl.Result {
    let result = try Modelctl.shell(line, in: workspace)
    #expect(result.status == status, "\(line): \(result)")
    return result
  }

  @Test("The page has two lines for each, one for lock files, and one for stores of each kind")
  func lines() throws {
    let lines = try Self.setup()
    #expect(lines.count == 10)
    #expect(lines.filter { $0.contains(">> .gitattributes") }.count == 8)
    #expect(lines.filter { $0.hasPrefix("git config ") }.count == 2)
  }

  @Test("A new version is a new file to git unless all files are searched for copies, as the page says")
  func copies() throws {
    try shell("modelctl new-version --model Models/Todo.xcdatamodeld && git add --all && git commit --quiet -m v3")
    let v3 = "Models/Todo.xcdatamodeld/{v2.xcdatamodel => v3.xcdatamodel}/contents"
    #expect(try !shell("git -c diff.renames=copies show --stat").standardOutput.contains(v3))
    #expect(try shell("git show --stat=200 --find-copies-harder").standardOutput.contains(v3))
    #expect(try shell("modelctl diff Todo@v2 Todo@v3").standardOutput.contains("no change"))
    #expect(try shell("modelctl diff --base HEAD~").standardOutput.contains("v3"))
  }

  @Test("During a conflict, git diff ignores unreadable models, for any number of blobs")
  func quietConflict() throws {
    try shell("git switch -qc other")
    try workspace.edit(Self.contents, "\"Integer 16\"", "\"Integer 64\"")
    try shell("git commit --quiet -am other && git switch -q main")
    try workspace.edit(Self.contents, "\"Integer 16\"", "\"Integer 32\"")
    try shell("git commit --quiet -am ours")
    let merge = try Modelctl.shell("git merge --no-edit other", in: workspace)
    #expect(merge.status == 1)
    let path = "git add \(Self.contents)"
    #expect(merge.standardOutput.contains(path) || merge.standardError.contains(path), "\(merge)")
    #expect(try shell("git diff && git diff HEAD").standardError == "")
  }

  @Test("git diff shows the changes of the model, line by line, between any two states")
  func textconv() throws {
    try workspace.edit(Self.contents, "name=\"title\" ", "name=\"title\" optional=\"YES\" ")
    let expected = [
      "-  attribute title, String, required", "+  attribute title, String, optional",
    ]
    func changes(_ command: String) throws -> [String] {
      try shell(command).standardOutput.split(separator: "\n").map(String.init)
        .filter { ($0.hasPrefix("-") || $0.hasPrefix("+")) && !$0.hasPrefix("---") && !$0.hasPrefix("+++") }
    }
    #expect(try changes("git diff") == expected)
    try shell("git add --all")
    #expect(try changes("git diff --cached") == expected)
    try shell("git commit --quiet -m title")
    #expect(try changes("git diff HEAD~1 HEAD") == expected)
    #expect(try changes("git show") == expected)
    #expect(try changes("git log -p -1 --format=") == expected)
  }

  @Test("The name of a model that begins with a dash is no option of the programs that git starts")
  func dashedName() throws {
    try shell("mkdir -- -q.xcdatamodel && cp \(Self.contents) ./-q.xcdatamodel/contents")
    try shell("cp \(Self.contents) ./--help && echo '*help diff=modelctl' >> .git/info/attributes")
    try shell("git add --all && git commit --quiet -m dashes")
    for name in ["./-q.xcdatamodel/contents", "./--help"] {
      try workspace.edit(name, "name=\"title\" ", "name=\"title\" optional=\"YES\" ")
      let text = try shell("git diff -- \(name)").standardOutput
      #expect(text.contains("+  attribute title, String, optional"), "\(text)")
    }
  }

  @Test(
    "A file that is not a model does not stop git diff",
    arguments: ["<model>\n<<<<<<< HEAD\n", "garbage\n", "SQLite format 3\0\n", "<html/>\n"])
  func textconvOfNoModel(_ text: String) throws {
    try workspace.write(text, to: Self.contents)
    let line = text.split(separator: "\n").last ?? ""
    #expect(try shell("git diff --text").standardOutput.contains("\n+\(line)\n"))
    try workspace.write("", to: Self.contents)
    #expect(try shell("git diff").standardOutput.contains("\n-entity Todo, class Todo"))
  }

  @Test(
    "git diff shows which objects of a committed store changed, a line an object",
    arguments: ["sqlite", "xml", "binary", "json"])
  func textconvOfStore(_ kind: String) throws {
    let store = "Stores/store.\(kind)"
    try shell("mkdir Stores && modelctl create \(store) --version Todo@v1 --rows 3 --seed 7")
    try shell("git add --all")
    try shell("git commit --quiet -m store")
    #expect(try shell("git diff").standardOutput.isEmpty)
    func changes() throws -> [String] {
      try shell("git diff").standardOutput.split(separator: "\n").map(String.init)
        .filter { ($0.hasPrefix("-") || $0.hasPrefix("+")) && !$0.hasPrefix("---") && !$0.hasPrefix("+++") }
    }
    try shell("modelctl update \(store) Todo --where 'isDone == NO' --set title=other --format json")
    let one = try changes()
    #expect(one.count == 2 && one[0].hasPrefix("-Todo 1; ") && one[1].hasPrefix("+Todo 1; "), "\(one)")
    #expect(one.last?.hasSuffix("; title: “other”") == true, "\(one)")
    try shell("modelctl update \(store) Todo --where 'title != nil' --set title=other --format json")
    let all = try changes()
    #expect(all.count == 6)
    #expect(all.filter { $0.hasPrefix("+Todo ") }.allSatisfy { $0.contains("title: “other”") })
    let text = try shell("modelctl show --textconv \(store)").standardOutput
    #expect(text.hasPrefix("store "))
    #expect(try shell("modelctl show --textconv \(store)").standardOutput == text)
  }

  @Test("A converted file of an arbitrary name, without anything else around it")
  func temporaryName() throws {
    try shell("mkdir elsewhere && cp \(Self.contents) elsewhere/Xk2d9a_contents")
    let there = try Modelctl.shell("cd elsewhere && modelctl show --textconv Xk2d9a_contents", in: workspace)
    let here = try workspace.modelctl("show", "--textconv", Self.contents)
    #expect(there == here)
    #expect(there.status == 0 && there.standardOutput.hasPrefix("model: 1 entity\n"))
  }

  /// Two branches with one edit each; `main` is checked out.
  private func branches(_ ours: (String, String), _ theirs: (String, String)) throws {
    try shell("git checkout --quiet -b theirs")
    try workspace.edit(Self.contents, theirs.0, theirs.1)
    try shell("git commit --quiet --all -m theirs && git checkout --quiet main")
    try workspace.edit(Self.contents, ours.0, ours.1)
    try shell("git commit --quiet --all -m ours")
  }

  @Test("git merge merges two edits of one line")
  func cleanMerge() throws {
    try branches(
      ("name=\"title\" ", "name=\"title\" optional=\"YES\" "),
      ("name=\"title\" attributeType=\"String\"", "name=\"title\" attributeType=\"String\" elementID=\"heading\""))
    try shell("git merge --quiet --no-edit theirs")
    let show = try workspace.modelctl("show", Self.contents).standardOutput
    #expect(show.contains("\n  attribute title, String, optional.\n    renaming identifier heading.\n"))
    #expect(try shell("git status --porcelain").standardOutput.isEmpty)
  }

  @Test("git merge stops at a conflict, with markers in the file and the place on standard error")
  func conflict() throws {
    try branches(("Integer 16", "Integer 32"), ("Integer 16", "Integer 64"))
    let result = try shell("git merge --quiet --no-edit theirs", status: 1)
    #expect(
      result.standardError.contains(
        ": conflict: Todo.priority: attributeType was “Integer 16”, is “Integer 32” in ours and “Integer 64” in theirs")
    )
    #expect(result.standardError.hasPrefix("\(Self.contents):"))
    #expect(try shell("git diff --name-only --diff-filter=U").standardOutput == "\(Self.contents)\n")
    let text = String(
      decoding: try Data(contentsOf: workspace.url.appendingPathComponent(Self.contents)), as: UTF8.self)
    #expect(text.contains("\n<<<<<<< ours\n") && text.contains("\n>>>>>>> theirs\n"))
    try shell("git diff")
    try Refusal.expect(["show", Self.contents], says: ["\(Self.contents):", "merge conflict markers"], in: workspace)
  }

  @Test(
    "An element of both sides that the merge breaks is reported: a relationship to an entity that the other side removed"
  )
  func brokenTogether() throws {
    let model = { (lines: String) in "<model type=\"x\">\n<entity name=\"A\"/>\n\(lines)\n</model>\n" }
    try workspace.write(model("<entity name=\"B\"/>"), to: "base")
    try workspace.write(model(""), to: "ours")
    try workspace.write(
      model("<entity name=\"B\"/>").replacingOccurrences(
        of: "<entity name=\"A\"/>",
        with:
          "<entity name=\"A\">\n<relationship name=\"b\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"B\"/>\n</entity>"
      ),
      to: "theirs")
    let result = try workspace.modelctl("merge", "base", "ours", "theirs")
    #expect(result.status == 1)
    #expect(result.standardError.contains("ours:3: conflict: "), "\(result)")
    #expect(result.standardError.contains("“B”"))
  }

  @Test("A new warning of the merge is also reported, even the second warning of an entity")
  func secondProblem() throws {
    func model(_ names: String...) -> String {
      let lines = names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>\n" }
      return "<model type=\"x\">\n<entity name=\"A\">\n\(lines.joined())</entity>\n</model>\n"
    }
    try workspace.write(model("a", "name", "Name"), to: "base")
    try workspace.write(model("a", "name", "Name", "total"), to: "ours")
    try workspace.write(model("a", "name", "Name", "Total"), to: "theirs")
    let result = try workspace.modelctl("merge", "base", "ours", "theirs")
    #expect(result.status == 1)
    #expect(result.standardError.contains(" [case-clash]\n"), "\(result)")
    #expect(result.standardError.split(separator: "\n").count == 2)
  }

  @Test("Our file keeps its permissions, and a link is still a link")
  func permissionsAndLink() throws {
    let model = "<model>\n<entity name=\"A\"/>\n</model>\n"
    let added = "<model>\n<entity name=\"A\"/>\n<entity name=\"B\"/>\n</model>\n"
    for (name, text) in [("base", model), ("real", model), ("theirs", added)] { try workspace.write(text, to: name) }
    try shell("ln -s real ours && chmod 751 real && modelctl merge base ours theirs && cmp real theirs")
    #expect(try shell("test -L ours && ls -l real").standardOutput.hasPrefix("-rwxr-x--x"))
  }

  @Test("Unreadable files are named, so that you can inspect them")
  func brokenSide() throws {
    let sound = "<model><entity name=\"A\"/></model>"
    for (name, text) in [("base", sound), ("ours", sound), ("theirs", "<model>")] {
      try workspace.write(text, to: name)
    }
    try Refusal.expect(
      ["merge", "base", "ours", "theirs"], says: ["Check the file:", "xmllint --noout theirs"], in: workspace)
  }

  @Test(
    "A file that is not a model leaves our file alone",
    arguments: ["", "text", "<html/>", "<model><entity/></model>"])
  func noModel(_ text: String) throws {
    let sound = "<model><entity name=\"A\"/></model>"
    for (files, place) in [([sound, text, sound], "error: ours"), ([sound, sound, text], "theirs")] {
      for (name, text) in zip(["base", "ours", "theirs"], files) { try workspace.write(text, to: name) }
      try Refusal.expect(["merge", "base", "ours", "theirs"], says: [place], in: workspace)
    }
    try Refusal.expect(["merge", "gone", "ours", "theirs"], says: ["gone"], in: workspace)
  }

  @Test("If git finds its repository by the environment, as in a hook, modelctl does too")
  func environment() throws {
    try workspace.edit(Self.contents, "name=\"title\" ", "name=\"heading\" ")
    try shell("mv .git ../$(basename $PWD).git")
    let git = "../$(basename $PWD).git"
    defer { _ = try? Modelctl.shell("rm -rf \(git)", in: workspace) }
    let command = "modelctl new-version --restore HEAD --model Models/Todo.xcdatamodeld"
    #expect(try shell(command, status: 2).standardError.contains("git cannot read a repository here"))
    let result = try shell("GIT_DIR=\(git) GIT_WORK_TREE=. \(command)")
    #expect(
      result.standardOutput.contains("\nTodo.heading: looks renamed, so it gets the renaming identifier “title”\n"))
    let restored = try shell("GIT_DIR=\(git) git status --porcelain -- Models").standardOutput
    #expect(restored == " M Models/Todo.xcdatamodeld/.xccurrentversion\n?? Models/Todo.xcdatamodeld/v3.xcdatamodel/\n")
  }

  @Test("Both sides add a version of one name: merged without a common ancestor")
  func bothAdd() throws {
    try shell("git checkout --quiet -b theirs && modelctl new-version --model Models/Todo.xcdatamodeld")
    let added = "Models/Todo.xcdatamodeld/v3.xcdatamodel/contents"
    try workspace.edit(added, "name=\"title\" ", "name=\"title\" optional=\"YES\" ")
    try shell("git add --all && git commit --quiet -m theirs && git checkout --quiet main")
    try shell("modelctl new-version --model Models/Todo.xcdatamodeld")
    try shell("git add --all && git commit --quiet -m ours")
    #expect(
      try shell("git merge --quiet --no-edit theirs", status: 1).standardError.contains(
        "conflict: Todo.title: optional was absent, is absent in ours and “YES” in theirs\n"))
    try shell("git merge --abort")
    try workspace.edit(added, "name=\"title\" ", "name=\"title\" optional=\"YES\" ")
    try shell("git commit --quiet --all -m optional && git merge --quiet --no-edit theirs")
    #expect(try workspace.modelctl("show", added).standardOutput.contains("attribute title, String, optional"))
  }

  @Test("Paths as Xcode writes them, with spaces, and hostile paths")
  func oddPaths() throws {
    let version = ":(top) it's/-My App.xcdatamodeld/Model 2.xcdatamodel/contents"
    func model(_ type: String) -> String {
      "<model>\n<entity name=\"A\">\n<attribute name=\"a\" attributeType=\"\(type)\"/>\n</entity>\n</model>\n"
    }
    func commit(_ type: String, _ message: String) throws {
      try workspace.write(model(type), to: version)
      try shell("git add --all && git commit --quiet -m \(message)")
    }
    try commit("Date", "base")
    try shell("git checkout --quiet -b theirs")
    try commit("URI", "theirs")
    try shell("git checkout --quiet main")
    try commit("UUID", "ours")
    let result = try shell("git merge --quiet --no-edit theirs", status: 1)
    #expect(result.standardError.hasPrefix("\(version):3: conflict: A.a: attributeType was “Date”"), "\(result)")
    try shell("git merge --abort")
    #expect(try shell("git diff main theirs").standardOutput.contains("\n+  attribute a, URI, required\n"))
    try workspace.write(model("String"), to: version)
    let bundle = ":(top) it's/-My App.xcdatamodeld"
    let made = try workspace.modelctl("new-version", "--restore", "theirs", "--model", bundle)
    #expect(made.status == 0, "\(made)")
    let restored = try Data(contentsOf: workspace.url.appendingPathComponent(version))
    #expect(restored == Data(model("URI").utf8))
    #expect(made.standardOutput.contains("Model 3"))
  }
}
