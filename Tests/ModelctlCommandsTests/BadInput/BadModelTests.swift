import Foundation
import TestSupport
import Testing

@Suite("A bad model or an unknown name is refused with its location and advice")
struct BadModelTests {
  private static let contents = "Bad.xcdatamodeld/v1.xcdatamodel/contents"

  /// The content of the `contents` file, and the message's beginning.
  static let texts: [(content: String, says: String)] = [
    (
      "<?xml version=\"1.0\"?>\n<model>\n  <entity name=\"A\">\n</model>\n",
      "error: \(contents):4:9: not well-formed XML: "
    ),
    (
      "<model>\n<entity name=\"A\"/>\n",
      "error: \(contents):2:19: not well-formed XML: the file ends while <model> is open"
    ),
    ("", "error: \(contents): the file is empty"),
    (
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>",
      "error: \(contents): the file is a property list, not a model in XML"
    ),
    ("bplist00", "error: \(contents): "),
    ("<html/>\n", "error: \(contents):1:1: the root element is <html> instead of <model>"),
    ("<model>\n<<<<<<< HEAD\n</model>", "error: \(contents):2:1: the file has merge conflict markers"),
    ("<model>\n  <entity/>\n</model>", "error: \(contents):2:3: this <entity> has no name"),
  ]

  @Test("A contents file that is not a model", arguments: texts)
  func contents(_ content: String, says: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try workspace.write(content, to: Self.contents)
    for arguments in [
      ["hash", "--model", "Bad.xcdatamodeld"], ["show", Self.contents], ["diff", "Bad.xcdatamodeld", "Orders@v1"],
      ["status", "shop.sqlite", "--model", "Bad.xcdatamodeld"], ["plan", "shop.sqlite", "--model", "Bad.xcdatamodeld"],
      ["migrate", "shop.sqlite", "--model", "Bad.xcdatamodeld"], ["check", "Bad.xcdatamodeld"],
    ] {
      try Refusal.expect(arguments, says: [says], in: workspace)
    }
  }

  @Test("Every command that compares refuses a property that is declared twice, at the second location")
  func redeclaration() throws {
    let workspace = try SampleFolder()
    try workspace.write(
      """
      <model>
        <entity name="A">
          <attribute name="x" attributeType="String"/>
          <attribute name="x" attributeType="Date"/>
        </entity>
      </model>
      """, to: Self.contents)
    for arguments in [["hash", Self.contents], ["diff", Self.contents, "Orders@v1"]] {
      try Refusal.expect(
        arguments,
        says: [
          "\(Self.contents):4:5: entity A has two properties named x\n  See the other errors:\n    modelctl check"
        ],
        in: workspace)
    }
    let check = try workspace.modelctl("check", "Bad.xcdatamodeld")
    #expect(check.status == 1)
    #expect(check.standardOutput.contains("contents:4:5: error: A.x is declared more than once [duplicate-name]"))
  }

  @Test("A broken property list in OpenStep format is exactly one error")
  func brokenOpenStep() throws {
    let workspace = try SampleFolder()
    for text in ["{ torn", "{ _XCCurrentVersionName = \"v1.xcdatamodel }", "{ a = b; } c"] {
      try workspace.write(text, to: "Models/Orders.xcdatamodeld/.xccurrentversion")
      let result = try workspace.modelctl("hash", "--model", "Models/Orders.xcdatamodeld")
      let lines = result.standardError.split(separator: "\n")
      #expect(result.status == 2, "\(text): \(result)")
      #expect(lines.first?.hasPrefix("error: Models/Orders.xcdatamodeld/.xccurrentversion: ") == true, "\(result)")
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") }, "\(result)")
    }
  }

  @Test("A bundle without versions, and one whose current version is not there")
  func brokenBundles() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try workspace.write("", to: "Bare.xcdatamodeld/.keep")
    for arguments in [["hash"], ["plan", "shop.sqlite"], ["status", "shop.sqlite"], ["migrate", "shop.sqlite"]] {
      try Refusal.expect(
        arguments + ["--model", "Bare.xcdatamodeld"],
        says: ["error: Bare.xcdatamodeld: the bundle contains no model version\n"], in: workspace)
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v9.xcdatamodel</string></dict></plist>
      """, to: "Models/Orders.xcdatamodeld/.xccurrentversion")
    let cause = "the current version “v9” is not in the bundle"
    let names = "one of “v1”, “v2”, “v3”, “v4”, “v5” and 1 more\n"
    let missing = "\(cause)\n  Name \(names)"
    for arguments in [["hash"], ["plan", "shop.sqlite"], ["migrate", "shop.sqlite"]] {
      try Refusal.expect(
        arguments + ["--model", "Models/Orders.xcdatamodeld"],
        says: ["Models/Orders.xcdatamodeld/.xccurrentversion: \(missing)"], in: workspace)
    }
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2").status == 0)
    let warning = "warning: Models/Orders.xcdatamodeld/.xccurrentversion: \(cause); name \(names)"
    for arguments in [["status", "shop.sqlite", "--model"], ["log", "--model"], ["matrix"], ["lock", "--all"]] {
      let result = try Modelctl.run(arguments + ["Models/Orders.xcdatamodeld"], in: workspace)
      #expect(result.standardError.contains(warning), "\(arguments): \(result)")
      #expect(result.status == (arguments.first == "status" ? 1 : 0), "\(arguments): \(result)")
    }
    let judged = try workspace.modelctl("matrix", "--exit-code", "Models/Orders.xcdatamodeld")
    #expect(judged.status == 2 && judged.standardError.contains("error: Models/Orders"), "\(judged)")
    #expect(judged.standardError.contains(missing) && !judged.standardError.contains("warning: "), "\(judged)")
  }

  @Test("A version that is ambiguous or unknown names the candidates")
  func versionNames() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try Refusal.expect(
      ["hash", "v2"], says: ["“v2” could be “Company@v2”, “Family@v2”, “Orders@v2”"], in: workspace)
    try Refusal.expect(["diff", "Orders@v1", "Orders@v44"], says: ["nearest: Orders@v4"], in: workspace)
    for command in ["plan", "migrate"] {
      try Refusal.expect(
        [command, "shop.sqlite", "--to", "v7"],
        says: ["error: Models/Orders.xcdatamodeld has no version “v7”; nearest: v6"], in: workspace)
    }
  }

  @Test("A store whose version is in two bundles that lead elsewhere")
  func twoBundles() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try FileManager.default.copyItem(
      at: workspace.url.appendingPathComponent("Models/Orders.xcdatamodeld"),
      to: workspace.url.appendingPathComponent("Copy.xcdatamodeld"))
    #expect(try workspace.modelctl("plan", "shop.sqlite", "--to", "v4").status == 0)
    try workspace.edit("Copy.xcdatamodeld/.xccurrentversion", "v6.xcdatamodel", "v2.xcdatamodel")
    for command in ["plan", "migrate"] {
      try Refusal.expect(
        [command, "shop.sqlite"],
        says: [
          "shop.sqlite: its version is in Copy.xcdatamodeld and in Models/Orders.xcdatamodeld",
          "Name the bundle: --model PATH",
        ],
        in: workspace)
    }
    #expect(
      try workspace.modelctl("status", "shop.sqlite").standardOutput.contains(
        "note: Models/Orders.xcdatamodeld has the same version"))
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--to", "Orders@v3").status == 0)
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--model", "Models").status == 0)
  }

  @Test("A broken version beside sound ones is named and does not hide them")
  func brokenNeighbour() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try workspace.write("<model>", to: "Models/Orders.xcdatamodeld/v3.xcdatamodel/contents")
    let status = try workspace.modelctl("status", "shop.sqlite")
    #expect(status.status == 0)
    #expect(
      status.standardError.hasPrefix(
        "warning: skipped: Models/Orders.xcdatamodeld/v3.xcdatamodel/contents:1:8: not well-formed XML"))
    let check = try workspace.modelctl("check", "Models/Orders.xcdatamodeld")
    #expect(check.status == 2)
    #expect(check.standardError.hasPrefix("error: Models/Orders.xcdatamodeld/v3.xcdatamodel/contents:1:8: "))
    let migration = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v3")
    #expect(migration.status == 2)
    #expect(migration.standardError.contains("\nerror: Models/Orders.xcdatamodeld/v3.xcdatamodel/contents:1:8: "))
  }

  @Test("A store of one configuration is known and migrated as such")
  func configuration() throws {
    let workspace = try SampleFolder()
    let bundle = "Split.xcdatamodeld"
    for (version, more) in [("v1", ""), ("v2", "<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>")] {
      try workspace.write(
        """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" systemVersion="20G80">
          <entity name="A"><attribute name="a" optional="YES" attributeType="String"/>\(more)</entity>
          <entity name="B"><attribute name="a" optional="YES" attributeType="String"/></entity>
          <configuration name="Local"><memberEntity name="A"/></configuration>
        </model>
        """, to: "\(bundle)/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>
      """, to: "\(bundle)/.xccurrentversion")
    let created = try workspace.modelctl(
      "create", "part.sqlite", "--version", "Split@v1", "--configuration", "Local", "--rows", "2")
    #expect(created.status == 0)
    #expect(
      try workspace.modelctl("status", "part.sqlite").standardOutput == """
        part.sqlite
          written by version v1 of Split.xcdatamodeld, configuration Local
          needs migration to v2: modelctl migrate part.sqlite
            rows are not checked; to try the migration on a copy, add --dry-run

        """)
    #expect(try workspace.modelctl("migrate", "part.sqlite").status == 0)
    let result = try workspace.modelctl("verify", "part.sqlite")
    #expect(result.status == 0, "\(result)")
    try Refusal.expect(
      ["create", "x.sqlite", "--version", "Split@v1", "--configuration", "Cloud"],
      says: ["error: v1 has no configuration “Cloud”; it has Local"], in: workspace)
  }

  @Test("Output that cannot be written")
  func unwritable() throws {
    let workspace = try SampleFolder()
    try Refusal.expect(
      ["hash", "Todo@v1", "--format", "json=nowhere/hash.json"],
      says: ["nowhere/hash.json: cannot be written: there is no folder “nowhere”\n  Create the folder first"],
      in: workspace)
    try Refusal.expect(
      ["generate", "swift", "Todo@v1", "--output", "nowhere/Todo.swift"],
      says: ["nowhere/Todo.swift: the folder “nowhere” does not exist"], in: workspace)
    let twice = try workspace.modelctl("hash", "Todo@v1", "--format", "json=a", "--format", "text=./a")
    #expect(twice.status == 64 && twice.standardError.contains("only one --format can go to ./a"), "\(twice)")
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("a").path))
    // Not every system has a device that is always full.
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let full = try Modelctl.shell("modelctl hash Todo@v1 >/dev/full", in: workspace)
    #expect(full.status == 2)
    #expect(full.standardError.hasPrefix("error: standard output: cannot be written"))
  }
}
