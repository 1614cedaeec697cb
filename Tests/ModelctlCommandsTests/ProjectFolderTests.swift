import Foundation
import TestSupport
import Testing

@Suite("Models and mapping models are searched in the complete project, from any of its folders")
struct ProjectFolderTests {
  /// A repository with a bundle in App, a mapping model that its one step needs, and a copy of the bundle in Pods.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try shell("rm -rf Models Migrations Stores; mkdir -p App/Views Pods", in: workspace)
    for (version, type) in [("v1", "String"), ("v2", "Date")] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order">
            <attribute name="placed" optional="YES" attributeType="\(type)"/>
          </entity>
        </model>
        """, to: "App/Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>
      """, to: "App/Shop.xcdatamodeld/.xccurrentversion")
    try workspace.write(
      """
      <mappingModel source="v1" destination="v2">
        <entityMapping source="Order" destination="Order">
          <attribute name="placed" default="yes"/>
        </entityMapping>
      </mappingModel>
      """, to: "Migrations/Shop/v1-v2.xml")
    try shell(
      """
      git init -q -b main . && printf 'Pods/\\n' > .gitignore && cp -R App/Shop.xcdatamodeld Pods/
      modelctl create old.sqlite --version App/Shop.xcdatamodeld/v1.xcdatamodel --rows 2
      """, in: workspace)
    return workspace
  }

  /// Mapping files are read by what migrates.
  private static let reader = #"{ "migratedBy": "modelctl" }"#

  @discardableResult
  private func shell(_ command: String, in workspace: SampleFolder, status: Int32 = 0) throws -> Modelctl.Result {
    let result = try Modelctl.shell(command, in: workspace)
    #expect(result.status == status, "\(command): \(result)")
    return result
  }

  @Test("Every folder has the same results, and ignored files are not found", arguments: [".", "App", "App/Views"])
  func everyFolder(_ folder: String) throws {
    let workspace = try workspace()
    try workspace.write(Self.reader, to: ".modelctl.json")
    let check = try shell("cd \(folder) && modelctl check", in: workspace)
    #expect(check.standardError.contains("2 versions checked"))
    #expect(!check.standardOutput.contains("Pods"))
    #expect(try shell("cd \(folder) && modelctl show v1", in: workspace).standardOutput.hasPrefix("v1: 1 entity"))
    let store = folder == "." ? "old.sqlite" : folder == "App" ? "../old.sqlite" : "../../old.sqlite"
    let plan = try shell("cd \(folder) && modelctl plan \(store) --allow-data-loss Order.placed", in: workspace)
    #expect(plan.standardOutput.contains("Migrations/Shop/v1-v2.xml"), "\(plan)")
    try shell("cd \(folder) && modelctl lock --all", in: workspace)
    #expect(FileManager.default.fileExists(atPath: workspace.folder.path("App/Shop.lock.json")))
    let locked = try shell("cd \(folder) && modelctl check --format json", in: workspace)
    #expect(locked.standardOutput.contains("\"findings\" : []"))
  }

  @Test("Paths are written from the folder where the command runs")
  func paths() throws {
    let workspace = try workspace()
    try workspace.write(Self.reader, to: ".modelctl.json")
    let output = { (folder: String) in
      try shell("cd \(folder) && modelctl check", in: workspace).standardOutput.split(separator: ":").first
    }
    #expect(try output(".") == "App/Shop.xcdatamodeld/.xccurrentversion")
    #expect(try output("App") == "Shop.xcdatamodeld/.xccurrentversion")
    #expect(try output("Migrations") == "../App/Shop.xcdatamodeld/.xccurrentversion")
  }

  @Test("Without git the folder of .modelctl.json is the project, and without that the folder where the command runs")
  func withoutGit() throws {
    let workspace = try workspace()
    try shell("rm -rf .git .gitignore Pods && modelctl mapping check", in: workspace)
    #expect(
      try shell("cd App/Views && modelctl check", in: workspace, status: 2).standardError.contains("no model bundle"))
    try workspace.write("{}\n", to: ".modelctl.json")
    #expect(
      try shell("cd App/Views && modelctl mapping check", in: workspace).standardError
        == "1 mapping model checked: no findings\n")
  }

  @Test(
    "No command reads files that .modelctl.json excludes",
    arguments: ["show v1", "matrix", "status old.sqlite", "hash v1"])
  func excluded(_ command: String) throws {
    let workspace = try workspace()
    try shell("cp -R App/Shop.xcdatamodeld App/Views/Other.xcdatamodeld", in: workspace)
    let ambiguous = try Modelctl.shell("modelctl \(command)", in: workspace)
    #expect(ambiguous.standardOutput.contains("Other") || ambiguous.standardError.contains("Other"), "\(ambiguous)")
    try workspace.write(#"{ "exclude": ["App/Views/**"] }"#, to: ".modelctl.json")
    let single = try shell("modelctl \(command)", in: workspace)
    #expect(!single.standardOutput.contains("Other") && !single.standardError.contains("Other"), "\(single)")
    try workspace.write(#"{ "exclude": ["**"] }"#, to: ".modelctl.json")
    guard command != "status old.sqlite" else { return }
    let none = try shell("modelctl \(command)", in: workspace, status: 2)
    #expect(none.standardError.contains(".modelctl.json"), "\(none)")
  }

  @Test("Of two repositories in one folder each has its own mapping models")
  func twoRepositories() throws {
    let workspace = try workspace()
    try shell(
      """
      rm -rf .git .gitignore Pods; mkdir a b; cp -R App a; cp -R App Migrations b
      rm -rf App Migrations; git init -q a; git init -q b
      """, in: workspace)
    let own = try shell("modelctl plan old.sqlite --model a/App/Shop.xcdatamodeld", in: workspace, status: 2)
    #expect(own.standardError.contains("modelctl found no mapping model for this step below"), "\(own)")
    let other = "modelctl plan old.sqlite --model b/App/Shop.xcdatamodeld --allow-data-loss Order.placed"
    #expect(try shell(other, in: workspace).standardOutput.contains("b/Migrations/Shop/v1-v2.xml"))
  }

  @Test("A refusal for a missing mapping model names the searched folders")
  func refusal() throws {
    let workspace = try workspace()
    try shell("rm -rf Migrations", in: workspace)
    for command in ["plan", "migrate"] {
      let refused = try shell("cd App && modelctl \(command) ../old.sqlite", in: workspace, status: 2)
      #expect(
        refused.standardError.contains("modelctl found no mapping model for this step below the folder above\n"),
        "\(refused)")
      let without = try shell("modelctl \(command) old.sqlite --no-mappings", in: workspace, status: 2)
      #expect(!without.standardError.contains("found no mapping model"))
    }
    let check = try shell("modelctl mapping check", in: workspace)
    #expect(check.standardError.hasPrefix("note: there is no mapping model below this folder; write one: "))
  }

  @Test("Bundles without a lock file are one finding, and the last line of a check has the result")
  func lastLine() throws {
    let workspace = try workspace()
    try workspace.write(Self.reader, to: ".modelctl.json")
    try shell(
      "cp -R App/Shop.xcdatamodeld App/Other.xcdatamodeld && cp -R Migrations/Shop Migrations/Other", in: workspace)
    let passed = try shell("modelctl check", in: workspace)
    let checked = "4 versions checked against all rules:"
    #expect(passed.standardError.split(separator: "\n").last == "\(checked) 1 note; passed")
    let failed = try shell("modelctl check --require-lock", in: workspace, status: 1)
    #expect(failed.standardError.split(separator: "\n").last == "\(checked) 1 error; failed")
    #expect(failed.standardOutput.contains("error: Other, Shop do not have a lock file, which this check requires"))
  }

  @Test("The mapping models of a bundle elsewhere are looked for in the project of that bundle")
  func elsewhere() throws {
    let workspace = try workspace()
    let other = try SampleFolder()
    let bundle = workspace.folder.path("App/Shop.xcdatamodeld")
    let store = workspace.folder.path("old.sqlite")
    let plan = try shell("modelctl plan \(store) --model \(bundle) --allow-data-loss Order.placed", in: other)
    #expect(plan.standardOutput.contains("\(workspace.folder.path("Migrations/Shop/v1-v2.xml"))"), "\(plan)")
  }
}
