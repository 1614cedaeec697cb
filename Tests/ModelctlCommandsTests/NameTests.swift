import Foundation
import TestSupport
import Testing

@Suite("A bundle's name means the bundle, in every command and argument")
struct NameTests {
  /// A project as Xcode leaves it: the first version has the bundle's name, and a folder has it too.
  private func project() throws -> SampleFolder {
    let project = try SampleFolder(emptyNamed: "Shop")
    for (bundle, versions) in [("Shop/Shop", ["Shop", "Shop 2"]), ("Shop/Extra", ["Extra"])] {
      for (position, version) in versions.enumerated() {
        let added = position > 0 ? #"<attribute name="added" optional="YES" attributeType="String"/>"# : ""
        try project.write(
          """
          <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="\(bundle == "Shop/Shop" ? "Order" : "Thing")">
              <attribute name="number" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>\(added)
            </entity>
          </model>
          """, to: "\(bundle).xcdatamodeld/\(version).xcdatamodel/contents")
      }
      try project.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(versions.last ?? "").xcdatamodel</string></dict></plist>
        """, to: "\(bundle).xcdatamodeld/.xccurrentversion")
    }
    return project
  }

  private static let bundleNote =
    "note: “Shop” means the bundle with its current version Shop 2; the version of that name is Shop@Shop\n"
  private static let folderNote =
    "note: “Shop” means the bundle Shop/Shop.xcdatamodeld; for the folder of that name, write ./Shop\n"

  /// Commands that take a model or a version, NAME in its place.
  static let ofVersions: [[String]] = [
    ["show", "NAME"], ["hash", "NAME"], ["diagram", "NAME", "--format", "mermaid"],
    ["export", "NAME", "--output", "out.xcdatamodel"],
    ["generate", "swift", "NAME"], ["generate", "types", "NAME", "--output", "out"], ["diff", "Shop@Shop", "NAME"],
    ["diff", "NAME", "Shop@Shop"], ["create", "new.sqlite", "--version", "NAME"],
    ["mapping", "new", "Shop@Shop", "NAME"],
    ["edit", "set", "Order.added", "optional=no", "--in", "NAME", "--dry-run"],
    ["migrate", "old.sqlite", "--to", "NAME", "--dry-run"], ["plan", "old.sqlite", "--to", "NAME"],
    ["rehearse", "--to", "NAME", "--rows", "3"], ["load", "rows.jsonl", "--output", "n.sqlite", "--version", "NAME"],
  ]

  @Test("A command for a version uses the bundle's current version, and reports it once", arguments: ofVersions)
  func versions(_ arguments: [String]) throws {
    func run(_ name: String) throws -> Modelctl.Result {
      let project = try project()
      try project.write("{\"entity\": \"Order\", \"id\": 1, \"number\": 7}\n", to: "rows.jsonl")
      let made = try project.modelctl("create", "old.sqlite", "--version", "Shop@Shop", "--rows", "2")
      #expect(made.status == 0, "\(made)")
      return try Modelctl.run(arguments.map { $0 == "NAME" ? name : $0 }, in: project)
    }
    let (named, meant) = (try run("Shop"), try run("Shop@Shop 2"))
    #expect(meant.status == 0, "\(meant)")
    #expect((named.status, plain(named)) == (meant.status, plain(meant)), "\(named)")
    #expect(named.standardError.components(separatedBy: Self.bundleNote).count == 2, "\(named)")
    #expect(!meant.standardError.contains("means the bundle"), "\(meant)")
  }

  /// Text that differs in every run.
  private func plain(_ result: Modelctl.Result) -> String {
    result.standardOutput.split(separator: "\n").filter { !$0.contains("second") && !$0.contains("UUID") }
      .joined(separator: "\n").replacing(#/[0-9A-F]{8}-[0-9A-F-]{27}|[0-9.]+ ?m?s\b/#, with: "-")
  }

  @Test(
    "A command for a bundle uses the bundle and not the folder, and reports it once",
    arguments: [
      ["check", "NAME"], ["matrix", "NAME"], ["lock", "NAME"], ["log", "--model", "NAME"],
      ["check", "--model", "NAME"],
      ["show", "--model", "NAME"],
    ])
  func bundles(_ arguments: [String]) throws {
    func run(_ name: String) throws -> Modelctl.Result {
      try Modelctl.run(arguments.map { $0 == "NAME" ? name : $0 }, in: project())
    }
    let (named, meant) = (try run("Shop"), try run("Shop/Shop.xcdatamodeld"))
    #expect(meant.status < 2, "\(meant)")
    #expect((named.status, named.standardOutput) == (meant.status, meant.standardOutput), "\(named)")
    #expect(named.standardError.components(separatedBy: Self.folderNote).count == 2, "\(named)")
    #expect(!named.standardOutput.contains("Extra"), "\(named)")
    let folder = try run("./Shop")
    #expect(!folder.standardError.contains(" means "), "\(folder)")
  }

  @Test("lock NAME records the current version over any record of that name")
  func lock() throws {
    let project = try project()
    let first = try project.modelctl("lock", "Shop@Shop")
    #expect(first.standardOutput.contains("Shop recorded as released"), "\(first)")
    let named = try project.modelctl("lock", "Shop")
    #expect(named.status == 0 && named.standardOutput.contains("Shop 2 recorded as released"), "\(named)")
    #expect(named.standardError == Self.bundleNote + Self.folderNote, "\(named)")
    let again = try project.modelctl("lock", "Shop")
    #expect(again.standardOutput.contains("Shop 2 is already released"), "\(again)")
  }

  @Test("A folder called like a version is not taken for it in silence either")
  func folderOfVersion() throws {
    let project = try project()
    try project.write("", to: "Shop 2/readme.txt")
    let shown = try project.modelctl("hash", "Shop 2")
    #expect(shown.status == 0, "\(shown)")
    #expect(
      shown.standardError
        == "note: “Shop 2” means version Shop@Shop 2; for the folder of that name, write './Shop 2'\n", "\(shown)"
    )
  }

  @Test("Advice about a version that has its bundle's name means the version")
  func advice() throws {
    let project = try project()
    let made = try SampleFolder(copying: project)
    try made.shell("rm -r 'Shop/Shop.xcdatamodeld/Shop 2.xcdatamodel' Shop/Shop.xcdatamodeld/.xccurrentversion")
    let next = try made.modelctl("new-version", "--model", "Shop/Shop.xcdatamodeld").standardOutput
    #expect(next.contains("  modelctl diff Shop@Shop 'Shop 2' --model Shop/Shop.xcdatamodeld\n"), "\(next)")
    let removed = try project.modelctl("edit", "remove", "Order.number", "--in", "Shop 2", "--dry-run")
    #expect(removed.standardError.contains("modelctl diff Shop@Shop 'Shop 2' --model Shop/Shop.xcdatamodeld"))
    try project.shell("modelctl lock Shop/Shop.xcdatamodeld/Shop.xcdatamodel && modelctl lock Extra")
    #expect(try project.modelctl("edit", "retype", "Order.number", "Date", "--in", "Shop 2").status == 0)
    let checked = try project.modelctl("check")
    let fix = try #require(
      checked.standardOutput.firstMatch(of: /modelctl mapping new Shop@Shop 'Shop 2' --model .*?\.xcmappingmodel'/),
      "\(checked)")
    try project.shell(String(fix.0))
    #expect(try project.modelctl("mapping", "show", "Shop/Shop-Shop 2.xcmappingmodel").status == 0)
  }

  @Test("A suggestion is similar to the typed name, and works if you paste it")
  func suggestions() throws {
    let project = try project()
    for (name, suggested) in [("Shop 9", "Shop 2"), ("Shpo", "Shop"), ("Extra@Extr", "Extra@Extra")] {
      let refused = try project.modelctl("show", name)
      #expect(refused.status == 2 && refused.standardError.contains("nearest: \(suggested)"), "\(refused)")
    }
    let unlike = try project.modelctl("show", "zz")
    #expect(!unlike.standardError.contains("nearest"), "\(unlike)")
    #expect(unlike.standardError.contains("known names include Shop"), "\(unlike)")
    let samples = try SampleFolder()
    let ambiguous = try samples.modelctl("show", "v11")
    let pasted = try #require(
      ambiguous.standardError.components(separatedBy: "nearest: ").last?.prefix { !", \n".contains($0) }, "\(ambiguous)"
    )
    let shown = try samples.modelctl("show", String(pasted))
    #expect(shown.status == 0, "\(shown)")
    let entity = try samples.modelctl("show", "Orders@v6", "--entity", "Xyz")
    #expect(!entity.standardError.contains("nearest"), "\(entity)")
    let numbered = try SampleFolder(emptyNamed: "Many")
    for number in 1...12 {
      try numbered.write(
        "<model><entity name=\"A\" versionHashModifier=\"\(number)\"/></model>",
        to: "Plants.xcdatamodeld/Plants \(number).xcdatamodel/contents")
    }
    let near = try numbered.modelctl("show", "Plants 14")
    #expect(near.standardError.contains("nearest: Plants 12"), "\(near)")
  }
}
