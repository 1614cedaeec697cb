import Foundation
import TestSupport
import Testing

@Suite("Stores of other kinds than SQLite, by the commands")
struct OtherKindTests {
  static let kinds = ["json", "xml", "binary"]

  /// One kind, another for the next test; in a whole run all.
  static func some(_ position: Int) -> [String] { CorpusSample.isWhole ? kinds : [kinds[position]] }

  private static let uuid = "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374"
  private static let versions = [
    "Orders@v1", "Orders@v2", "Orders@v3", "Orders@v5", "Todo@v1", "Company@v1", "Family@v1", "Staff@v1",
  ]

  @Test(
    "A store of every sample version is made and migrated to the same content as a SQLite store",
    arguments: some(1))
  func everyVersion(_ kind: String) throws {
    let workspace = try SampleFolder()
    // The way from v4 leads over mapping files.
    for version in ["Orders@v4"] + CorpusSample.of(Self.versions, atMost: 1) {
      let name = version.replacing("@", with: "-")
      let (store, twin) = ("\(name).\(kind)", "\(name).sqlite")
      for file in [store, twin] {
        let made = try workspace.modelctl(
          "create", file, "--version", version, "--rows", "5", "--seed", "7", "--uuid", Self.uuid)
        #expect(made.status == 0, "\(made)")
      }
      let old = try Data(contentsOf: workspace.url.appendingPathComponent(store))
      #expect(!old.starts(with: Data("SQLite".utf8)))
      for file in [store, twin] {
        let result = try workspace.modelctl("migrate", file)
        #expect(result.status == 0, "\(file): \(result.standardError)")
      }
      let difference = try workspace.modelctl("diff", "--data", store, twin)
      #expect(difference.standardOutput.hasSuffix(": the same objects\n"), "\(version): \(difference)")
      let dumps = try [store, twin].map { try workspace.modelctl("dump", $0).standardOutput }
      #expect(dumps[0] == dumps[1] && dumps[0].contains(Self.uuid), "\(version): \(dumps[0].prefix(2_000))")
      #expect(try workspace.modelctl("verify", store).status == 0)
      let backup = "\(store).\(version.split(separator: "@")[1]).backup"
      #expect(try Data(contentsOf: workspace.url.appendingPathComponent(backup)) == old)
    }
  }

  #if os(Linux)
    @Test("Objects are put into one SQLite store at most, and into none without need", arguments: some(2))
    func temporaryStores(_ kind: String) throws {
      let workspace = try SampleFolder()
      _ = try workspace.modelctl("create", "old.\(kind)", "--version", "Orders@v1", "--rows", "5", "--seed", "7")
      let temporary = try TemporaryFolder()
      // A plan over mapping files is tried in another store, also that of a SQLite store.
      for (command, most) in [
        ("status", 1), ("convert other.json", 0), ("convert other.xml", 0), ("plan", 2),
        ("update Order --all --set number=7 --dry-run", 1), ("migrate --no-backup", 1),
      ] {
        var words = command.split(separator: " ").map(String.init)
        words.insert("old.\(kind)", at: 1)
        let watch = try OpenedFiles([temporary.url.path])
        let result = try Modelctl.shell(
          "modelctl \(words.joined(separator: " "))", environment: ["TMPDIR": temporary.url.path], in: workspace)
        #expect(result.status == 0, "\(command): \(result)")
        _ = watch.counts()
        #expect(watch.createdFolders == most, "\(command)")
      }
    }
  #endif

  /// What is said about a store that stands in the way of something, and what must be in it.
  private static let messages: [(command: String, status: Int32, words: String)] = [
    ("status old.KIND", 0, "old.KIND"), ("status old.KIND --format json", 0, "\"old.KIND\""),
    ("plan old.KIND", 0, ""), ("plan old.KIND --format json", 0, "\"old.KIND\""),
    ("plan family.KIND --to v1", 2, "error: family.KIND: modelctl refuses this plan: 1 obstacle, "),
    ("plan family.KIND --to v1 --format json", 2, "\"family.KIND\""),
    ("migrate old.KIND --dry-run", 0, "old.KIND"), ("migrate old.KIND --dry-run --format json", 0, "\"old.KIND\""),
    ("rehearse --store old.KIND --format json", 0, "\"old.KIND\""),
    ("rehearse --store unknown.KIND", 2, "unknown.KIND"),
    ("migrate family.KIND --to v1", 2, "error: family.KIND: refused"),
    ("migrate family.KIND --to v1 --format json", 2, "\"family.KIND\""),
    ("migrate unknown.KIND", 2, "unknown.KIND"), ("status unknown.KIND", 1, "unknown.KIND"),
    ("show unknown.KIND", 2, "unknown.KIND"), ("verify unknown.KIND", 2, "unknown.KIND"),
    ("query unknown.KIND Todo", 2, "unknown.KIND"), ("update unknown.KIND Todo --all --set title=a", 2, "unknown.KIND"),
    ("extract unknown.KIND --entity Todo --output part.sqlite", 2, "unknown.KIND"),
    ("convert unknown.KIND made.sqlite", 2, "unknown.KIND"),
    ("update old.KIND Order --all --set number=x", 2, ""), ("query old.KIND Order --where nothing==1", 2, ""),
    ("delete old.KIND Customer --all", 2, ""), ("verify old.KIND", 0, "old.KIND"),
    ("verify old.KIND --format json", 0, "\"old.KIND\""), ("history old.KIND", 0, "it is"),
    ("query old.KIND Order --format json", 0, ""), ("show old.KIND", 0, "old.KIND"),
    ("diff --data old.KIND old.KIND", 0, "old.KIND"), ("diff --data old.KIND family.KIND", 2, "KIND"),
    ("anonymize old.KIND --output old.KIND", 2, "old.KIND"),
    ("diff old.KIND Orders@v2", 0, "from old.KIND to v2: 3 changes\n"),
    ("hash old.KIND", 0, "Os8H8TP8fDl/xUzUV1Qpttp6cfVwXAskJp4dO11mML8=  Customer\n"),
    ("export old.KIND --output exported.xml", 0, "\n4 entities, the same version hashes as old.KIND\n"),
    ("generate swift old.KIND", 0, "Entity(\"Customer\""),
    ("generate types old.KIND --output Types", 0, "Types: 4 files"),
    ("delete old.KIND RowOfOrder --all", 0, "10 objects changed, 5 objects deleted\n"),
    ("query old.KIND RowOfOrder", 0, "0 objects of RowOfOrder"),
    ("update old.KIND Order --all --set number=8", 0, ""), ("migrate old.KIND", 0, "old.KIND"),
  ]

  @Test("Messages always name the file, and never its temporary store", arguments: some(0))
  func messages(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("old.\(kind)")
    try workspace.makeStore("family.\(kind)", version: "Family@v2")
    try workspace.makeStore("unknown.\(kind)", version: "Todo@v1")
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Models/Todo.xcdatamodeld"))
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("tmp-of-the-test"), withIntermediateDirectories: true)
    for (command, status, words) in Self.messages {
      let command = command.replacing("KIND", with: kind)
      let result = try Modelctl.shell("TMPDIR=$PWD/tmp-of-the-test modelctl \(command)", in: workspace)
      let output = result.standardOutput + result.standardError
      #expect(result.status == status, "\(command): \(output)")
      #expect(words.isEmpty || output.contains(words.replacing("KIND", with: kind)), "\(command): \(output)")
      #expect(!output.contains("tmp-of-the-test") && !output.contains("modelctl-"), "\(command): \(output)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.url.path + "/tmp-of-the-test") == [])
  }

  @Test(
    "The nearest version of a store that no version here wrote is named as that of SQLite", arguments: some(1))
  func nearest(_ kind: String) throws {
    let workspace = try SampleFolder()
    for store in ["near.\(kind)", "near.sqlite"] { try workspace.makeStore(store, version: "Company@v1") }
    let contents = "Models/Company.xcdatamodeld/v1.xcdatamodel/contents"
    try workspace.edit(contents, "name=\"founded\" optional=\"YES\"", "name=\"founded\"")
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Models/Company.lock.json"))
    let results = try [kind, "sqlite"].map { try workspace.modelctl("status", "near.\($0)") }
    let text = results[0].standardOutput
    let words = "\n  nearest version v1 of Models/Company.xcdatamodeld; 1 entity differs\n    Company.founded "
    #expect(results[0].status == 1 && text.contains(words), "\(results[0])")
    #expect(text.replacing("near.\(kind)", with: "near.sqlite") == results[1].standardOutput)
  }

  @Test("A dump of a store is that of the same store of SQLite in every form", arguments: some(2))
  func dumps(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.sqlite", version: "Orders@v4")
    #expect(try workspace.modelctl("convert", "shop.sqlite", "shop.\(kind)").status == 0)
    for form in ["json", "csv", "jsonl", "sqlite", "postgresql"] {
      let line = """
        modelctl dump shop.\(kind) --format \(form) --output \(form)-one &&
          modelctl dump shop.sqlite --format \(form) --output \(form)-other && diff -r \(form)-one \(form)-other
        """
      let result = try Modelctl.shell(line, in: workspace)
      #expect(result.status == 0, "\(form): \(result)")
    }
  }

  @Test(
    "External data of an SQLite store is stored inline, and gets a file again", arguments: some(0))
  func externalData(_ kind: String) throws {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">\
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>\
      </entity></model>
      """, to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    try workspace.write(#"{"entity":"A","data":"\#(data.base64EncodedString())"}"# + "\n", to: "a.jsonl")
    let line = """
      modelctl load a.jsonl --output a.sqlite && modelctl convert a.sqlite b.\(kind) && rm -r a.sqlite .a_SUPPORT &&
        ! test -e .b_SUPPORT && modelctl convert b.\(kind) c.sqlite && modelctl dump c.sqlite --output dump.json
      """
    let made = try Modelctl.shell(line, in: workspace)
    #expect(made.status == 0, "\(made)")
    let files = try workspace.contents().filter { $0.key.hasPrefix(".c_SUPPORT/_EXTERNAL_DATA/") }
    #expect(Array(files.values) == [data])
    let dump = try workspace.contents()["dump.json"] ?? Data()
    #expect(String(decoding: dump, as: UTF8.self).contains("\"\(data.base64EncodedString())\""))
  }

  @Test(
    "A rehearsal of a store equals that of the same SQLite store, and does not change it",
    arguments: some(1))
  func rehearsal(_ kind: String) throws {
    let workspace = try SampleFolder()
    for store in ["old.\(kind)", "old.sqlite"] { try workspace.makeStore(store) }
    let before = try workspace.contents()
    let results = try [kind, "sqlite"].map { try workspace.modelctl("rehearse", "--store", "old.\($0)") }
    let text = results[0].standardOutput
    #expect(text.contains("\n  old.\(kind), v1: passed, mapped\n    20 objects, "), "\(results[0])")
    #expect(text.replacing("old.\(kind)", with: "old.sqlite") == results[1].standardOutput)
    #expect(try workspace.contents() == before)
  }

  /// Commands that write a store, and those that only look as if they did.
  private static let writing: [(command: String, isWritten: Bool)] = [
    ("create made.KIND --version Todo@v1", true), ("convert source.sqlite some.KIND", true),
    ("convert source.sqlite other.KIND --format json", true),
    ("load source.json --output loaded.KIND --version Todo@v1", true),
    ("extract source.sqlite --entity Todo --output part.KIND", true),
    ("anonymize source.sqlite --output anonymous.KIND", true),
    ("update some.KIND Todo --all --set title=a --dry-run", false),
    ("update some.KIND Todo --all --set title=a --format json", true),
    ("update some.KIND Todo --where 'title == \"none\"' --set title=b", false),
    ("migrate some.KIND --dry-run", false), ("migrate some.KIND other.KIND", true), ("migrate some.KIND", false),
    ("delete some.KIND Todo --all", true), ("migrate Stores --no-mappings", true),
    ("migrate Stores --no-mappings", false), ("verify some.KIND", false),
  ]

  @Test(
    "Every command that writes a store reports once that only a Mac can verify it",
    arguments: CorpusSample.of(kinds + ["sqlite"], atMost: 1))
  func unproved(_ kind: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("source.sqlite", version: "Todo@v1")
    try workspace.makeStore("source.json", version: "Todo@v1")
    try workspace.write("", to: "Stores/empty.json")
    for name in ["a", "b"] { try workspace.makeStore("Stores/\(name).\(kind)", version: "Todo@v1") }
    let name = ["xml": "XML", "binary": "binary"][kind]
    let note = name.map { "note: it is not verified that Core Data opens \($0) stores written by modelctl" }
    for (command, isWritten) in Self.writing {
      let command = command.replacing("KIND", with: kind)
      let result = try Modelctl.shell("modelctl \(command)", in: workspace)
      #expect(result.status == 0, "\(command): \(result)")
      let notes = result.standardError.split(separator: "\n")
        .filter { $0.hasPrefix("note: it is not verified that Core Data ") }
      #expect(notes.map(String.init) == [isWritten ? note : nil].compactMap { $0 }, "\(command): \(result)")
    }
  }

  @Test("A folder's documents are found by their content and migrated; other files of the format are ignored")
  func fleet() throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "Documents/empty.json")
    for kind in Self.kinds { try workspace.makeStore("Documents/\(kind).\(kind)", version: "Todo@v1") }
    try workspace.makeStore("Documents/sqlite.sqlite", version: "Todo@v1")
    try workspace.write("{\"format\": 1, \"metadata\": {}}", to: "Documents/package.json")
    try workspace.write("<?xml version=\"1.0\"?><database><table/></database>", to: "Documents/other.xml")
    let json = workspace.url.appendingPathComponent("Documents/json.json")
    try Data(contentsOf: json).prefix(700).write(
      to: workspace.url.appendingPathComponent("Documents/.json.json.\(UUID().uuidString).partial"))
    let mapping = "Documents/App.xcmappingmodel/xcmapping.xml"
    try workspace.write("", to: mapping)
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent(mapping))
    try FileManager.default.copyItem(
      at: workspace.url.appendingPathComponent("Documents/xml.xml"), to: workspace.url.appendingPathComponent(mapping))
    let result = try workspace.modelctl("migrate", "Documents", "--no-mappings", "--format", "json")
    #expect(result.status == 0, "\(result.standardError)")
    let lines = try FleetLines(result.standardOutput)
    #expect(
      lines.paths("migrated")
        == ["Documents/binary.binary", "Documents/json.json", "Documents/sqlite.sqlite", "Documents/xml.xml"])
    let status = try workspace.modelctl("status", "Documents/json.json", "Documents/xml.xml", "Documents/binary.binary")
    #expect(status.standardOutput.components(separatedBy: "v2").count > 3, "\(status)")
    let again = try FleetLines(
      try workspace.modelctl("migrate", "Documents", "--no-mappings", "--format", "json").standardOutput)
    #expect(again.paths("migrated") == [])
    try Data(contentsOf: json).prefix(700).write(to: json)
    let failed = try workspace.modelctl("migrate", "Documents", "--no-mappings")
    #expect(failed.status == 2 && failed.standardError.hasPrefix("error: Documents/json.json:"), "\(failed)")
  }

  @Test("A new store has the type of its extension, or of --store-type, and equal bytes for equal seeds")
  func creation() throws {
    let workspace = try SampleFolder()
    let identity = ["--uuid", Self.uuid, "--rows", "3"]
    for (name, options, start) in [
      ("a.json", [], "{\"format\": 1"), ("b.data", ["--store-type", "json"], "{\"format\": 1"),
      ("c.xml", [], "<?xml"), ("d.xml", ["--store-type", "binary"], "CoreData"), ("e.store", [], "SQLite format 3"),
    ] {
      let result = try Modelctl.run(["create", name, "--version", "Todo@v1"] + options + identity, in: workspace)
      #expect(result.standardOutput == "\(name): made with version v1, 3 rows per entity\n", "\(result)")
      #expect(
        try Data(contentsOf: workspace.url.appendingPathComponent(name)).starts(with: Data(start.utf8)), "\(name)")
    }
    let (a, b) = (workspace.url.appendingPathComponent("a.json"), workspace.url.appendingPathComponent("b.data"))
    #expect(try Data(contentsOf: a) == Data(contentsOf: b))
    try Refusal.expect(["create", "a.json", "--version", "Todo@v1"], says: ["a.json: already exists"], in: workspace)
    try Refusal.expect(["create", "no/a.json", "--version", "Todo@v1"], says: ["no/a.json: the folder"], in: workspace)
    try Refusal.expect(
      [
        "create", "many.json", "--version", "Orders@v1", "--rows", "3", "--store-type", "json", "--configuration",
        "None",
      ],
      says: ["None"], in: workspace)
  }
}
