import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("A project is set up by one command")
struct InitTests {
  private static let all = "--github --gitlab --pre-commit --git"
  private static let files = [
    ".github/workflows/models.yml": "github.yml", ".gitlab-ci.yml": "gitlab-ci.yml",
    ".pre-commit-config.yaml": "pre-commit-config.yaml", ".gitattributes": "gitattributes",
  ]

  private func repository() throws -> SampleFolder { try SampleFolder.repository(isLocked: false) }

  private func text(_ path: String, in workspace: SampleFolder) throws -> String {
    try String(contentsOf: workspace.url.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("The files are those of the documentation, and each is shown before it is written")
  func files() throws {
    let workspace = try repository()
    let result = try Modelctl.shell("modelctl init \(Self.all)", in: workspace)
    #expect(result.status == 0, "\(result)")
    for (path, name) in Self.files {
      let template = try String(
        contentsOf: Transcript.project.appendingPathComponent("docs/ci/\(name)"), encoding: .utf8)
      #expect(try text(path, in: workspace) == template)
      let shown = template.split(separator: "\n").map { "  + \($0)\n" }
      #expect(shown.allSatisfy(result.standardOutput.contains), "\(path)")
    }
    #expect(try workspace.shell("git config diff.modelctl.textconv") == "modelctl show --textconv --")
    #expect(try workspace.shell("git config merge.modelctl.driver") == "modelctl merge %O %A %B --path=%P")
    #expect(result.standardOutput.contains("guarded from now on:\n  App/Todo.xcdatamodeld: v1, v2\n"))
    #expect(result.standardError == "2 versions checked against all rules: no findings; passed\n")
  }

  @Test("The setup of git works: the diff shows a model, not XML")
  func textconv() throws {
    let workspace = try repository()
    try workspace.shell("modelctl init --git && git add --all && git commit --quiet --message Setup")
    let title = #"name="title" attributeType"#
    try workspace.edit(SampleFolder.contents, title, #"name="title" optional="YES" attributeType"#)
    #expect(try workspace.shell("git diff").contains("+  attribute title, String, optional"))
  }

  @Test("A second run writes nothing and reports that")
  func again() throws {
    let workspace = try repository()
    try workspace.shell("modelctl init \(Self.all)")
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl init \(Self.all)", in: workspace)
    #expect(result.status == 0)
    #expect(result.standardOutput.contains("nothing to set up: all files and settings exist\n"))
    #expect(try workspace.contents() == before)
  }

  @Test("In a guarded project nothing is recorded: no new version, and no version of another bundle")
  func guarded() throws {
    let workspace = try SampleFolder.repository()
    try workspace.addVersion()
    try workspace.shell("mkdir Other && cp -R \(SampleFolder.bundle) Other/Notes.xcdatamodeld")
    let before = try text("App/Todo.lock.json", in: workspace)
    let result = try Modelctl.shell("modelctl init --git", in: workspace)
    #expect(result.status == 0, "\(result)")
    for name in ["Todo", "Notes"] {
      #expect(!result.standardOutput.contains("\(name).lock.json"), "\(result)")
    }
    #expect(result.standardOutput.contains("guarded from now on:\n  App/Todo.xcdatamodeld: v1, v2\n"), "\(result)")
    let note = "Other/Notes.xcdatamodeld has no lock file; if its versions are released, record them: "
    let command = "modelctl lock --all Other/Notes.xcdatamodeld"
    #expect(result.standardOutput.replacing(/\n +/, with: " ").contains(note + command), "\(result)")
    #expect(result.standardError.contains("unreleased: v3 of Todo"), "\(result)")
    #expect(try text("App/Todo.lock.json", in: workspace) == before)
    #expect(try workspace.contents()["Other/Notes.lock.json"] == nil)
    try workspace.shell(command)
    #expect(try text("Other/Notes.lock.json", in: workspace).contains("\"v3\""))
  }

  @Test("A dry run shows the same and writes nothing")
  func dryRun() throws {
    let workspace = try repository()
    let before = try workspace.contents()
    let shown = try workspace.shell("modelctl init \(Self.all) --dry-run")
    #expect(try workspace.contents() == before)
    #expect(shown.contains("\ndry run: nothing was written\n"))
    let done = try workspace.shell("modelctl init \(Self.all)")
    let preview = shown.components(separatedBy: "dry run:")[0]
    #expect(!preview.isEmpty && done.hasPrefix(preview))
  }

  @Test("Existing files are kept, and the missing lines are printed")
  func taken() throws {
    let workspace = try repository()
    for path in Self.files.keys { try workspace.write("other: true\n", to: path) }
    try workspace.shell("git config diff.modelctl.textconv mine")
    let result = try Modelctl.shell("modelctl init \(Self.all)", in: workspace)
    #expect(result.status == 0, "\(result)")
    for path in Self.files.keys { #expect(try text(path, in: workspace) == "other: true\n") }
    #expect(try workspace.shell("git config diff.modelctl.textconv") == "mine")
    #expect(try text(".gitlab/modelctl.yml", in: workspace).contains("/tmp/modelctl/scripts/ci/check"))
    #expect(result.standardOutput.contains("add this line to it: include: [{ local: .gitlab/modelctl.yml }]"))
    // The command that is printed does what is missing.
    let line = try #require(result.standardOutput.firstMatch(of: /add these lines to it: (printf .*)/)?.1)
    try workspace.shell(String(line))
    let next = try workspace.shell("modelctl init --git")
    #expect(next.contains(".gitattributes: already exists"))
  }

  @Test("Another workflow that runs modelctl is enough")
  func otherWorkflow() throws {
    let workspace = try repository()
    try workspace.write("steps: [{ uses: somebody/modelctl@main }]\n", to: ".github/workflows/ci.yaml")
    try workspace.write("name: other\n", to: ".github/workflows/models.yml")
    let output = try workspace.shell("modelctl init --github")
    #expect(output.contains(".github/workflows/models.yml: already exists and is kept"))
  }

  @Test("The workflow names the default branch, and main with a note where that is not known")
  func defaultBranch() throws {
    let workspace = try repository()
    try workspace.shell("git branch --move trunk/2.0 && git branch master")
    try workspace.shell("modelctl init --github")
    #expect(try text(".github/workflows/models.yml", in: workspace).contains("branches: [master]\n"))
    let unknown = try repository()
    try unknown.shell("git branch --move develop")
    let output = try unknown.shell("modelctl init --github")
    #expect(output.contains("note: the default branch is unknown"))
    let clone = try SampleFolder()
    try clone.shell("rm -r Models Migrations && git clone --quiet 'file://\(unknown.url.path)' .")
    #expect(try clone.shell("modelctl init --github --dry-run").contains("branches: [develop]"))
  }

  @Test("In a folder of the repository, the files are written to its top")
  func subfolder() throws {
    let workspace = try repository()
    let output = try workspace.shell("cd App && modelctl init --github")
    #expect(output.contains("../.github/workflows/models.yml:\n"))
    #expect(try text(".github/workflows/models.yml", in: workspace).contains("modelctl"))
    #expect(try text("App/Todo.lock.json", in: workspace).contains("v1"))
  }

  @Test("Bundles of dependencies are left out, by a configuration where there is none")
  func dependencies() throws {
    let workspace = try repository()
    try workspace.shell("mkdir -p ios/Pods/Lib && cp -R App/Todo.xcdatamodeld ios/Pods/Lib/Other.xcdatamodeld")
    let output = try workspace.shell("modelctl init")
    #expect(try text(".modelctl.json", in: workspace) == "{\n  \"exclude\": [\"ios/Pods/**\"]\n}\n")
    #expect(output.contains("note: ios/Pods/Lib/Other.xcdatamodeld: a dependency, so it is excluded"))
    #expect(try workspace.contents()["ios/Pods/Lib/Other.lock.json"] == nil)
    #expect(try workspace.shell("modelctl init").contains("nothing to set up"))
    try workspace.write("{}\n", to: ".modelctl.json")
    let named = try Modelctl.shell("modelctl init", in: workspace).standardOutput
    #expect(named.replacing(/\n +/, with: " ").contains("add \"ios/Pods/**\" to it"))
    #expect(try text(".modelctl.json", in: workspace) == "{}\n")
  }

  @Test("Placeholders are named as they are in the file, and --modelctl-url replaces them")
  func placeholders() throws {
    let workspace = try repository()
    let output = try workspace.shell("modelctl init \(Self.all)").replacing(/\n +/, with: " ")
    let example = "https://gitlab.example.com/OWNER/modelctl.git"
    #expect(
      output.contains("write the address of your copy of modelctl in place of \(example) in .gitlab-ci.yml"),
      "\(output)")
    #expect(try text(".gitlab-ci.yml", in: workspace).contains(example))
    #expect(output.contains("in place of OWNER in .github/workflows/models.yml"))
    #expect(try !text(".gitattributes", in: workspace).contains("docs/"))
    try workspace.shell("rm .gitlab-ci.yml")
    let filled = try workspace.shell("modelctl init --gitlab --modelctl-url https://git.example.com/app/modelctl")
    #expect(!filled.contains("OWNER in .gitlab") && !filled.contains("gitlab.example.com"))
  }

  @Test("CI takes modelctl from the repository that is named")
  func source() throws {
    let workspace = try repository()
    let output = try workspace.shell("modelctl init \(Self.all) --modelctl-url https://github.com/me/tools.git")
    #expect(!output.contains("OWNER"))
    #expect(try text(".github/workflows/models.yml", in: workspace).contains("- uses: me/tools@main\n"))
    #expect(
      try text(".gitlab-ci.yml", in: workspace).contains("MODELCTL_REPOSITORY: https://github.com/me/tools.git\n"))
    #expect(try text(".pre-commit-config.yaml", in: workspace).contains("- repo: https://github.com/me/tools\n"))
  }

  @Test(
    "An impossible setup is refused with one message, and nothing is written",
    arguments: [
      ("rm -r App", "", "no model bundle"), ("rm -rf .git", "--git", "needs a git repository"),
      ("touch .github", "--github --pre-commit", ".github/workflows/models.yml: cannot be written"),
      ("touch .gitlab && echo a: 1 > .gitlab-ci.yml", Self.all, ".gitlab/modelctl.yml: cannot be written"),
      ("true", "--github --modelctl-url https://gitlab.com/me/modelctl", "from github.com only"),
      ("true", "--gitlab --modelctl-url /tmp/modelctl", "/tmp/modelctl: not the https address of a repository"),
      ("true", "--gitlab --modelctl-url 'https://a.b/c/d\n  x: 1'", "not the https address"),
      ("echo '{' > .modelctl.json", "", ".modelctl.json"), ("echo x > App/Todo.lock.json", "", "Todo.lock.json"),
    ])
  func refusals(_ preparation: String, _ options: String, _ words: String) throws {
    let workspace = try repository()
    try workspace.shell(preparation)
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl init \(options)", in: workspace)
    #expect(result.status == 2, "\(result)")
    #expect(result.standardError.hasPrefix("error: ") && result.standardError.contains(words), "\(result)")
    #expect(result.standardError.split(separator: "\n").filter { $0.hasPrefix("error:") }.count == 1)
    #expect(try workspace.contents() == before)
  }

  @Test(
    "A folder of the project that is a link leads no file elsewhere",
    arguments: [(".github", "--github"), (".github/workflows", "--github"), (".gitlab", "--gitlab")])
  func links(_ folder: String, _ option: String) throws {
    let workspace = try repository()
    try workspace.shell("mkdir -p elsewhere .github && rmdir '\(folder)' 2>/dev/null; echo a: 1 > .gitlab-ci.yml")
    try workspace.shell("ln -s \"$PWD/elsewhere\" '\(folder)'")
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl init \(option)", in: workspace)
    #expect(result.status == 2 && result.standardError.contains("\(folder) is a link"), "\(result)")
    #expect(try workspace.contents() == before)
  }

  @Test("A project with a finding is set up anyway, and the exit code is 1")
  func finding() throws {
    let workspace = try repository()
    try workspace.shell("modelctl lock --all")
    try workspace.editShippedVersion()
    let result = try Modelctl.shell("modelctl init --pre-commit", in: workspace)
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("[unversioned-change]"))
    #expect(try text(".pre-commit-config.yaml", in: workspace).contains("modelctl-check"))
  }

  @Test("Plain text has the answers in words")
  func plainQuestions() throws {
    let result = try PseudoTerminal.run(
      ["init", "--plain"], columns: 80, environment: ["TERM": "dumb"], input: "\n\n\n\n\nno\n", in: repository())
    #expect(result.text.contains("(yes or no; Enter means no)") && !result.text.contains("[y/N]"), "\(result.text)")
  }

  @Test("On a terminal it asks, shows, and writes the files that you accept")
  func terminal() throws {
    let workspace = try repository()
    let result = try PseudoTerminal.run(
      ["init"], columns: 80, environment: ["TERM": "dumb"], input: "y\n\nno\nyes\nyes\n\n", in: workspace)
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("Write these files? [Y/n]"))
    let names = Set(try workspace.contents().keys.filter { !$0.hasPrefix(".git/") })
    #expect(names.isSuperset(of: [".github/workflows/models.yml", ".gitattributes", "App/Todo.lock.json"]))
    #expect(result.text.contains("Does modelctl migrate the stores of users"))
    #expect(try text(".modelctl.json", in: workspace) == "{\n  \"migratedBy\": \"modelctl\"\n}\n")
    #expect(!names.contains(".gitlab-ci.yml") && !names.contains(".pre-commit-config.yaml"))
  }

  @Test("A no at the end writes nothing")
  func declined() throws {
    let workspace = try repository()
    let before = try workspace.contents()
    let result = try PseudoTerminal.run(
      ["init"], columns: 80, environment: ["TERM": "dumb"], input: "y\ny\ny\ny\nn\nn\n", in: workspace)
    #expect(result.status == 0)
    #expect(result.text.hasSuffix("modelctl wrote nothing\n"))
    #expect(try workspace.contents() == before)
  }
}
