import Foundation
import TestSupport
import Testing

@Suite("A backup is complete, with the values in external files")
struct WholeBackupTests {
  /// A store of three objects with a file each, and a second version of its model.
  private struct Documents {
    let workspace: SampleFolder
    static let folder = ".shop_SUPPORT/_EXTERNAL_DATA"
    static let kept = ".shop.sqlite.v1_SUPPORT"

    init() throws {
      workspace = try SampleFolder(emptyNamed: "Doc.xcdatamodeld")
      for (version, note) in [("v1", ""), ("v2", #"<attribute name="note" optional="YES" attributeType="String"/>"#)] {
        try workspace.write(
          """
          <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
          <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
              <entity name="Doc" representedClassName="Doc" syncable="YES">
                  <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                  <attribute name="name" attributeType="String"/>\(note)
              </entity>
          </model>

          """, to: "Doc.xcdatamodeld/\(version).xcdatamodel/contents")
      }
      try workspace.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
            <key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string>
        </dict></plist>

        """, to: "Doc.xcdatamodeld/.xccurrentversion")
      try workspace.write(Self.lines([1, 2, 3]), to: "new.jsonl")
      // The same object with other data.
      try workspace.write(Self.lines([2], byte: 9), to: "changed.jsonl")
      try run("load", "new.jsonl", "--output", "shop.sqlite", "--version", "v1")
      #expect(try files().count == 3)
    }

    private static func lines(_ numbers: [UInt8], byte: UInt8 = 0) -> String {
      numbers.map { number in
        let data = Data(repeating: number + byte, count: 200_000).base64EncodedString()
        return "{\"entity\": \"Doc\", \"id\": \(number), \"name\": \"d\(number)\", \"data\": \"\(data)\"}\n"
      }.joined()
    }

    func run(_ arguments: String..., status: Int32 = 0, _ location: Testing.SourceLocation = #_sourceLocation) throws {
      let result = try Modelctl.run(arguments, in: workspace)
      let words = "\(arguments.joined(separator: " ")): \(result.standardError)\(result.standardOutput)"
      #expect(result.status == status, Comment(rawValue: words), sourceLocation: location)
    }

    /// Runs a line of shell in the folder.
    func shell(_ line: String) throws {
      let result = try Modelctl.shell(line, in: workspace)
      #expect(result.status == 0, "\(line): \(result.standardError)")
    }

    func names(_ folder: String = ".") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path(folder)).sorted()
    }

    func files() throws -> [String] { try names(Self.folder) }

    /// The files next to the model and the texts.
    func stores() throws -> [String] { try names().filter { $0.contains("shop") } }
  }

  @Test(
    "Under its own name and under the old name, after any change of the new store",
    arguments: ["--in-place", "--copy"],
    [
      ["delete", "shop.sqlite", "Doc", "--where", "name == \"d2\""], ["delete", "shop.sqlite", "Doc", "--all"],
      ["update", "shop.sqlite", "Doc", "--all", "--clear", "data"],
      ["load", "changed.jsonl", "--output", "shop.sqlite", "--upsert"],
    ])
  func restored(_ strategy: String, _ change: [String]) throws {
    let documents = try Documents()
    try documents.run("migrate", "shop.sqlite", strategy, "--backup")
    try documents.run("verify", "shop.sqlite", "shop.sqlite.v1.backup")
    #expect(try documents.names("\(Documents.kept)/_EXTERNAL_DATA") == documents.files())
    let result = try Modelctl.run(change, in: documents.workspace)
    #expect(result.status == 0, "\(result.standardError)")
    try documents.run("verify", "shop.sqlite", "shop.sqlite.v1.backup")
    try documents.shell("mv shop.sqlite new.sqlite; mv shop.sqlite.v1.backup shop.sqlite")
    try documents.run("verify", "shop.sqlite")
    // With the next migration it is a backup again, in the folder that it had.
    try documents.run("migrate", "shop.sqlite", strategy, "--backup")
    try documents.run("verify", "shop.sqlite", "shop.sqlite.v1.backup")
    #expect(try documents.names(Documents.kept) == ["_EXTERNAL_DATA"])
  }

  @Test("A store beside it that has the same folder keeps its files", arguments: ["shop.db", "shop"])
  func copied(_ copy: String) throws {
    let documents = try Documents()
    try documents.shell("cp shop.sqlite \(copy)")
    try documents.run("delete", copy, "Doc", "--all")
    try documents.run("verify", "shop.sqlite")
    #expect(try documents.files().count == 3)
    // Nobody names them any more but the one store.
    try documents.run("delete", "shop.sqlite", "Doc", "--where", "name == \"d2\"")
    #expect(try documents.names(".shop_SUPPORT") == ["_EXTERNAL_DATA"])
    try documents.run("verify", "shop.sqlite", copy)
  }

  @Test("A store under a new name, whose folder has the old one, keeps its files")
  func renamed() throws {
    let documents = try Documents()
    // Neither one with a folder of its own nor one that is no store keeps any.
    try documents.shell(
      """
      cp shop.sqlite shop.db; cp shop.sqlite other.sqlite; cp -r .shop_SUPPORT .other_SUPPORT
      (printf 'text '; cat shop.sqlite) > text.txt; mv shop.sqlite new.sqlite
      """)
    try documents.run("delete", "shop.db", "Doc", "--all")
    #expect(try documents.files().count == 3)
    try documents.shell("mv new.sqlite shop.sqlite; rm shop.db")
    try documents.run("verify", "shop.sqlite")
    try documents.run("delete", "shop.sqlite", "Doc", "--all")
    #expect(try documents.files().isEmpty)
  }

  @Test("A copy whose rows are still in its log keeps its files")
  func copiedLog() throws {
    let documents = try Documents()
    // A name across two pages: one half at the end of the first, the other elsewhere.
    for isFirst in [true, false] {
      let name = try #require(try documents.files().first)
      let half = isFirst ? name.prefix(18) : name.suffix(18)
      try documents.shell("rm -f shop.db*; printf 'no store' > shop.db; printf 'xx%s--' '\(half)' > shop.db-wal")
      try documents.run("delete", "shop.sqlite", "Doc", "--all")
      #expect(try documents.files() == [name])
      try documents.shell("rm -r shop.sqlite* .shop_SUPPORT shop.db*")
      try documents.run("load", "new.jsonl", "--output", "shop.sqlite", "--version", "v1")
    }
  }

  @Test("A backup that has no folder of its own, as older versions made them, keeps its files")
  func older() throws {
    let documents = try Documents()
    try documents.run("migrate", "shop.sqlite", "--backup")
    try documents.shell("rm -r \(Documents.kept)")
    try documents.run("delete", "shop.sqlite", "Doc", "--all")
    try documents.shell("mv shop.sqlite new.sqlite; mv shop.sqlite.v1.backup shop.sqlite")
    try documents.run("verify", "shop.sqlite")
  }

  @Test("After the backup is deleted, the next opening removes files that only it used")
  func gone() throws {
    let documents = try Documents()
    try documents.run("migrate", "shop.sqlite", "--backup")
    try documents.run("delete", "shop.sqlite", "Doc", "--where", "name == \"d2\"")
    #expect(try documents.files().count == 3)
    try documents.run("update", "shop.sqlite", "Doc", "--all", "--set", "note=still")
    #expect(try documents.files().count == 3)
    try documents.shell("rm -r shop.sqlite.v1.backup \(Documents.kept)")
    try documents.run("update", "shop.sqlite", "Doc", "--all", "--set", "note=gone")
    #expect(try documents.files().count == 2)
    #expect(try documents.names(".shop_SUPPORT") == ["_EXTERNAL_DATA"])
    try documents.run("verify", "shop.sqlite")
  }

  @Test("The note of a save belongs to the store, and its files are kept as long as another store names them")
  func notes() throws {
    let documents = try Documents()
    let names = try documents.files()
    try documents.shell("cp shop.sqlite shop.db")
    try documents.run("delete", "shop.db", "Doc", "--all")
    // As a save of an older version leaves it that is killed after its commit.
    try documents.workspace.write(names.joined(separator: "\n"), to: ".shop_SUPPORT/modelctl-save-1")
    try documents.run("update", "shop.db", "Doc", "--all", "--clear", "data")
    try documents.run("verify", "shop.sqlite")
    // As a save of the one store leaves it that is killed before its commit, or has not come to it yet.
    let new = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    try documents.workspace.write("new", to: "\(Documents.folder)/\(new)")
    try documents.workspace.write("store shop.sqlite\n\(new)", to: ".shop_SUPPORT/modelctl-save-2")
    try documents.run("update", "shop.db", "Doc", "--all", "--clear", "data")
    #expect(try documents.files().contains(new))
    try documents.run("update", "shop.sqlite", "Doc", "--where", "name == \"\"", "--clear", "data")
    #expect(try documents.files() == names)
    #expect(try documents.names(".shop_SUPPORT") == ["_EXTERNAL_DATA"])
  }

  @Test("A run in place that is killed and started again keeps one backup", arguments: ["DELETE", "WAL"])
  func killed(_ mode: String) throws {
    let documents = try Documents()
    try documents.shell("sqlite3 shop.sqlite 'PRAGMA journal_mode = \(mode)' || true; cp shop.sqlite original")
    try documents.run("migrate", "shop.sqlite", "--in-place", "--backup")
    let left = try documents.stores()
    // What a killed run leaves: the backup, and the store as it was.
    try documents.shell("cp original shop.sqlite; rm -f shop.sqlite-wal shop.sqlite-shm")
    try documents.run("migrate", "shop.sqlite", "--in-place", "--backup")
    #expect(try documents.stores() == left)
    try documents.run("verify", "shop.sqlite", "shop.sqlite.v1.backup")
    // Another content gets another backup.
    try documents.shell("cp original shop.sqlite; rm -f shop.sqlite-wal shop.sqlite-shm")
    try documents.run("delete", "shop.sqlite", "Doc", "--where", "name == \"d1\"")
    try documents.run("migrate", "shop.sqlite", "--in-place", "--backup")
    #expect(try documents.stores() == (left + ["shop.sqlite.v1.backup-2"]).sorted())
    try documents.run("verify", "shop.sqlite", "shop.sqlite.v1.backup", "shop.sqlite.v1.backup-2")
  }

  @Test(
    "A run that is killed before the swap leaves a second name of the store, and it is not a backup",
    arguments: [["--in-place", "--backup"], ["--copy", "--backup"], ["--in-place", "--no-backup"]])
  func secondName(_ options: [String]) throws {
    let documents = try Documents()
    try documents.shell(
      """
      ln shop.sqlite shop.sqlite.v1.backup; mkdir -p \(Documents.kept)/_EXTERNAL_DATA
      cd \(Documents.folder); for f in *; do ln $f ../../\(Documents.kept)/_EXTERNAL_DATA/$f; done
      printf '%s\\n' * > ../../\(Documents.kept)/modelctl-backup-1
      """)
    let result = try Modelctl.run(["migrate", "shop.sqlite"] + options, in: documents.workspace)
    #expect(result.status == 0, "\(result.standardError)")
    try documents.run("verify", "shop.sqlite")
    let backup = options.contains("--backup") ? [Documents.kept, "shop.sqlite.v1.backup"] : []
    #expect(try documents.stores() == ([".shop_SUPPORT", "shop.sqlite"] + backup).sorted())
    guard !backup.isEmpty else { return }
    #expect(try documents.names(Documents.kept) == ["_EXTERNAL_DATA"])
    try documents.run("verify", "shop.sqlite.v1.backup")
    #expect(try documents.workspace.modelctl("status", "shop.sqlite.v1.backup").standardOutput.contains("version v1"))
  }

  @Test("A command that has nothing to do, and one that is refused, leave nothing")
  func nothing() throws {
    let documents = try Documents()
    let before = try documents.workspace.contents()
    try documents.run("delete", "shop.sqlite", "Doc", "--where", "name == \"none\"")
    try documents.run("update", "shop.sqlite", "Doc", "--where", "name == \"none\"", "--clear", "data")
    try documents.run("delete", "shop.sqlite", "Doc", "--all", "--dry-run")
    try documents.run("migrate", "shop.sqlite", "--to", "v1", "--backup")
    try documents.run("migrate", "shop.sqlite", "--dry-run", "--backup")
    try documents.run("update", "shop.sqlite", "Doc", "--all", "--clear", "name", status: 2)
    #expect(try documents.workspace.contents().keys.sorted() == before.keys.sorted())
    #expect(try documents.workspace.contents() == before)
  }

  @Test(
    "A limit on the size of files is an error, and no death",
    arguments: [
      (80, "load new.jsonl --output other.sqlite --version v1"), (80, "dump shop.sqlite --output dump.jsonl"),
      (80, "load changed.jsonl --output shop.sqlite --upsert"), (80, "convert shop.sqlite shop.xml"),
      (80, "create made.sqlite --version v1 --rows 5000"), (80, "anonymize shop.sqlite --output other.sqlite"),
      (8, "migrate shop.sqlite --copy --backup"), (8, "migrate . --backup"),
    ])
  func limit(_ blocks: Int, _ command: String) throws {
    let documents = try Documents()
    let before = try documents.workspace.contents()
    let result = try Modelctl.shell("ulimit -f \(blocks); exec modelctl \(command)", in: documents.workspace)
    #expect(result.status == 2, "\(command): \(result.status) \(result.standardError)")
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("error: ") }.count == 1, "\(command): \(result.standardError)")
    let after = try documents.workspace.contents()
    #expect(after.keys.sorted() == before.keys.sorted(), "\(command)")
    #expect(after == before, "\(command)")
  }
}
