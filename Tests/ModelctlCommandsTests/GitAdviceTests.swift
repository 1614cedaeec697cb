import Foundation
import Testing

@Suite("What git is to bring back comes back by the command that is printed")
struct GitAdviceTests {
  @Test(
    "From any folder, also one outside of the repository",
    arguments: ["v1.xcdatamodel", "Todo.lock.json"], ["App", "App/Shop/Deep", ".", "Elsewhere"])
  func restoring(_ gone: String, from folder: String) throws {
    let workspace = try SampleFolder()
    try workspace.shell("mkdir -p App/Shop Elsewhere && mv Models/Todo.xcdatamodeld App/Shop")
    try workspace.shell("rm -r Models Migrations")
    try workspace.shell("cd App && git init --quiet --initial-branch=main && modelctl lock --all")
    try workspace.shell("cd App && git add --all && git commit --quiet --message one")
    let path = gone.hasSuffix("json") ? "Shop/\(gone)" : "Shop/Todo.xcdatamodeld/\(gone)"
    try workspace.shell("cd App && git rm --quiet -r \(path) && git commit --quiet --message two && mkdir -p Shop/Deep")
    let bundle = "'\(workspace.url.path)/App/Shop/Todo.xcdatamodeld'"
    let check = "cd \(folder) && modelctl check \(bundle) --base HEAD~1"

    let found = try Modelctl.shell(check, in: workspace)
    let fix = found.standardOutput.split(separator: "\n").first { $0.contains("fix: bring it back: git") } ?? ""
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
}
