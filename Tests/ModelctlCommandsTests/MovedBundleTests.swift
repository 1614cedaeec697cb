import Foundation
import TestSupport
import Testing

@Suite("A moved bundle is compared with its old version, with any file at its old path")
struct MovedBundleTests {
  private static let x = #"<attribute name="x" optional="YES" attributeType="String"/>"#
  private static let y = #"<attribute name="y" optional="YES" attributeType="String"/>"#
  private static let z = #"<attribute name="z" optional="YES" attributeType="String"/>"#

  private func write(_ path: String, _ versions: [String], in workspace: SampleFolder) throws {
    for (position, attributes) in versions.enumerated() {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="A">\(attributes)</entity>
        </model>
        """, to: "\(path).xcdatamodeld/v\(position + 1).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v\(versions.count).xcdatamodel</string></dict></plist>
      """, to: "\(path).xcdatamodeld/.xccurrentversion")
  }

  /// A repository with two bundles of one name, of which the second has a version that the first has, too.
  private func repository(isLocked: Bool) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Legacy")
    try write("App/Shop", [Self.x, Self.x + Self.y], in: workspace)
    try write("Kit/Shop", [Self.x + Self.y, Self.x + Self.y + Self.z], in: workspace)
    try workspace.shell("git init --quiet --initial-branch=main")
    if isLocked { try workspace.shell("modelctl lock --all") }
    try workspace.commit("one")
    return workspace
  }

  private func note(_ path: String, _ source: String) -> String {
    "\(path).xcdatamodeld:1:1: note: the bundle was at \(source).xcdatamodeld before (HEAD), so it is compared with that bundle"
  }

  @Test(
    "A bundle that moves to the path of another moved bundle, and two bundles that swap paths",
    arguments: [
      ("mv App/Shop.* Legacy && mv Kit/Shop.* App", "Legacy/Shop"),
      ("mv App Other && mv Kit App && mv Other Kit", "Kit/Shop"),
    ], [true, false])
  func shifted(_ move: (command: String, first: String), isLocked: Bool) throws {
    let workspace = try repository(isLocked: isLocked)
    try workspace.shell(move.command)
    let result = try workspace.modelctl("check", "--base", "HEAD")
    #expect(result.status == 0, "\(result)")
    #expect(result.standardOutput.contains(note(move.first, "App/Shop")), "\(result)")
    #expect(result.standardOutput.contains(note("App/Shop", "Kit/Shop")), "\(result)")
  }

  @Test("A bundle without an origin is an edit of the bundle at its path, with any copies of that bundle")
  func replaced() throws {
    let edits = [
      "sed -i.bak 's/name=\"x\"/name=\"xx\"/g' v*.xcdatamodel/contents", "mv v1.xcdatamodel v3.xcdatamodel",
      "rm -r v1.xcdatamodel && sed -i.bak 's/name=\"x\"/name=\"xx\"/' v2.xcdatamodel/contents",
    ]
    for versions in [[Self.x], [Self.x, Self.x + Self.y]] {
      for edit in edits.prefix(versions.count == 1 ? 1 : 3) {
        let workspace = try SampleFolder(emptyNamed: "Fixtures")
        try write("App/Shop", versions, in: workspace)
        try workspace.shell("git init --quiet --initial-branch=main")
        try workspace.commit("one")
        try workspace.shell("cp -R App/Shop.xcdatamodeld Fixtures && cd App/Shop.xcdatamodeld && \(edit)")
        let result = try workspace.modelctl("check", "--base", "HEAD")
        #expect(result.status == 1, "\(edit): \(result)")
        #expect(!result.standardOutput.contains("[bundle-moved]"), "\(edit): \(result)")
      }
    }
  }

  @Test(
    "An edit at the same path is an edit, although other bundles have the old content",
    arguments: ["true", "cp -R App/Shop.xcdatamodeld App/Copy.xcdatamodeld", "cp -R App/Shop.xcdatamodeld Legacy"])
  func edited(_ copy: String) throws {
    let workspace = try repository(isLocked: false)
    try workspace.shell("rm -r Kit && cp -R App Kit")
    try workspace.commit("two of one kind")
    try workspace.shell(copy)
    try workspace.edit("App/Shop.xcdatamodeld/v1.xcdatamodel/contents", #"name="x""#, #"name="xx""#)
    let result = try workspace.modelctl("check", "--base", "HEAD")
    #expect(result.status == 1 && result.standardOutput.contains("[unversioned-change]"), "\(result)")
    #expect(!result.standardOutput.contains("[bundle-moved]"), "\(result)")
  }

  /// A repository whose last commit moved the bundle, did this to it there, and is held against the one before.
  private func moved(_ change: String) throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("git mv App 'My Sources' && cd 'My Sources' && \(change)")
    try workspace.commit("moved")
    return workspace
  }

  @Test(
    "The printed commands restore bundles and versions from the path in the base",
    arguments: [
      "sed -i.bak 's/Boolean/String/' Todo.xcdatamodeld/v1.xcdatamodel/contents && rm Todo.xcdatamodeld/*/*.bak",
      #"sed -i.bak 's/"title" a/"title" optional="YES" a/' Todo.xcdatamodeld/v2.xcdatamodel/contents"#
        + " && rm Todo.xcdatamodeld/*/*.bak",
      "rm -r Todo.xcdatamodeld/v1.xcdatamodel", "rm Todo.lock.json",
    ], [".", "My Sources"])
  func advice(_ change: String, from folder: String) throws {
    let workspace = try moved(change)
    let check = "cd '\(folder)' && modelctl check --base HEAD~1"
    let found = try Modelctl.shell(check, in: workspace)
    #expect(found.status == 1, "\(found)")
    let fixes = found.standardOutput.split(separator: "\n").filter { $0.hasPrefix("  fix: ") }
    let fix = try #require(fixes.first { $0.contains("git show") }, "\(found)")
    let copying = fix.firstMatch(of: /copy it to a new version: ([^;]+)/).map { String($0.output.1) }
    let restoring = fix.firstMatch(of: /(?:restore it: )((?:mkdir|git show) [^;]+)/).map { String($0.output.1) }
    #expect(restoring != nil, "\(fix)")
    for command in [copying, restoring].compactMap({ $0 }) {
      try workspace.shell("cd '\(folder)' && \(command)")
    }
    let after = try Modelctl.shell(check, in: workspace)
    #expect(after.status == 0, "\(fix): \(after)")
  }

  @Test("An entry that went from the lock file of one that moved is shown by the command that is printed")
  func lockEntry() throws {
    let workspace = try moved("true")
    try workspace.shell("cd 'My Sources' && sed -i.bak 's/\"released\"/\"draft\"/' Todo.lock.json && rm *.bak")
    let found = try workspace.modelctl("check", "--base", "HEAD~1").standardOutput
    let command = try #require(found.firstMatch(of: /restore the entry; to see it: (git show .+)/), "\(found)").output.1
    #expect(try workspace.shell(String(command)).contains("\"released\""))
  }
}
