import Foundation
import TestSupport
import Testing

@Suite("The printed command restores the file from git")
struct GitAdviceTests {
  @Test(
    "From any folder, also one outside of the repository",
    arguments: CorpusSample.of(
      ["App", "App/Shop/Deep", ".", "Elsewhere", "App/Linked"].flatMap { folder in
        [("v1.xcdatamodel", true, folder), ("Todo.lock.json", true, folder), ("Todo.lock.json", false, folder)]
      }, atMost: 6))
  func restoring(_ gone: (String, Bool, String)) throws {
    let (name, isCommitted, folder) = gone
    let workspace = try SampleFolder()
    try workspace.shell("mkdir -p App/Shop Elsewhere && mv Models/Todo.xcdatamodeld App/Shop")
    try workspace.shell("rm -r Models Migrations")
    try workspace.shell("cd App && git init --quiet --initial-branch=main && modelctl lock --all")
    try workspace.shell("cd App && git add --all && git commit --quiet --message one")
    let path = name.hasSuffix("json") ? "Shop/\(name)" : "Shop/Todo.xcdatamodeld/\(name)"
    try workspace.shell("cd App && git branch base && rm -r \(path) && mkdir -p Shop/Deep")
    if isCommitted { try workspace.shell("cd App && git commit --quiet --all --message two") }
    try workspace.shell("mkdir App/Linked && ln -s ../Shop/Todo.xcdatamodeld App/Linked/Todo.xcdatamodeld")
    let place = folder == "App/Linked" ? "Todo.xcdatamodeld" : "\(workspace.url.path)/App/Shop/Todo.xcdatamodeld"
    let bundle = "'\(place)'"
    let check = "cd \(folder) && modelctl check \(bundle) --base base"

    let found = try Modelctl.shell(check, in: workspace)
    let fix = found.standardOutput.split(separator: "\n").first { $0.contains("fix: restore it: git") } ?? ""
    let commands = fix.matches(of: /: (git .+?)(?=;|$)/).map { String($0.output.1) }
    #expect(found.status == 1 && !commands.isEmpty, "\(found)")
    if commands.count == 2 {
      let commit = try workspace.shell("cd \(folder) && \(commands[0])").split(separator: " ").first ?? ""
      try workspace.shell("cd \(folder) && \(commands[1].replacing("COMMIT", with: commit))")
    } else {
      for command in commands { try workspace.shell("cd \(folder) && \(command)") }
    }
    #expect(try Modelctl.shell(check, in: workspace).status == 0)
  }

  @Test("A file that cannot be read is brought back from git only where git has another one, and written otherwise")
  func unreadable() throws {
    let workspace = try SampleFolder.repository()
    let file = "\(SampleFolder.bundle)/.xccurrentversion"
    for text in ["torn", ""] {
      try workspace.write(text, to: file)
      let changed = try workspace.modelctl("check")
      let restoring = try #require(changed.standardError.firstMatch(of: /Restore it:\s+(git .+)/), "\(changed)")
      let committed = try SampleFolder(copying: workspace)
      try workspace.shell(String(restoring.output.1))
      #expect(try workspace.modelctl("check").status == 0)

      try committed.commit("unreadable")
      let result = try committed.modelctl("check")
      #expect(result.status == 2 && !result.standardError.contains("checkout"), "\(result)")
      let writing = try #require(result.standardError.firstMatch(of: /current version:\s+(printf .+)/), "\(result)")
      try committed.shell(String(writing.output.1).replacing("VERSION", with: "v2"))
      #expect(try committed.modelctl("check").status == 0)
    }
  }

  @Test("A name that git would take for a pattern brings back no other file")
  func pattern() throws {
    let workspace = try SampleFolder()
    try workspace.shell("mkdir App && cp -r Models/Todo.xcdatamodeld 'App/To[d]o.xcdatamodeld'")
    try workspace.shell("mv Models/Todo.xcdatamodeld App && rm -r Models Migrations && cd App && git init --quiet")
    try workspace.shell("cd App && modelctl lock --all && git add --all && git commit --quiet --message one")
    try workspace.shell("cd App && rm -r 'To[d]o.xcdatamodeld/v1.xcdatamodel'")
    try workspace.edit("App/Todo.xcdatamodeld/v2.xcdatamodel/contents", "</model>", "</model><!-- ours -->")
    let found = try Modelctl.shell("cd App && modelctl check --base HEAD", in: workspace)
    let fix = found.standardOutput.firstMatch(of: /restore it: (git .+)/)
    let command = try #require(fix).output.1
    try workspace.shell("cd App && \(command)")
    let changed = try workspace.shell("cd App && git diff --name-only")
    #expect(changed == "Todo.xcdatamodeld/v2.xcdatamodel/contents")
  }
}
