import Foundation
import TestSupport
import Testing

@Suite("Allowing many losses: files of names, and losses that the lock file accepts")
struct ConsentFileTests {
  private static let model = "--model Models/Orders.xcdatamodeld"

  /// A store of the Orders model that loses five attributes and entities on the way back to v1.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v5", rows: 2)
    return workspace
  }

  @Test("From five losses on the message names two commands: they write the names, and consent to them")
  func suggestion() throws {
    let workspace = try workspace()
    let refused = try workspace.modelctl("migrate", "shop.sqlite", "--to", "Orders@v1")
    #expect(refused.status == 2)
    let commands = AdvisedCommand.all(in: refused.standardError)
    #expect(
      commands == [
        "modelctl plan shop.sqlite --to Orders@v1 --write-losses losses.txt",
        "modelctl migrate shop.sqlite --to Orders@v1 --allow-data-loss @losses.txt",
      ], "\(refused.standardError)")
    try #require(commands.count == 2)
    #expect(!refused.standardError.contains("To allow all of these losses"))
    let written = try Modelctl.shell(commands[0], in: workspace)
    #expect(written.status == 0, "\(written)")
    #expect(AdvisedCommand.all(in: written.standardOutput) == [commands[1]])
    #expect(try Modelctl.shell(commands[1], in: workspace).status == 0)
    #expect(try workspace.modelctl("status", "shop.sqlite").standardOutput.contains("version v1 of"))
  }

  @Test("While something cannot be inferred no file of names is suggested: no plan would write it")
  func inferenceFirst() throws {
    let workspace = try SampleFolder(emptyNamed: "empty")
    for (version, type, count) in [("v1", "String", 6), ("v2", "Date", 0)] {
      let lines = (0..<count).map { "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order"><attribute name="day" optional="YES" attributeType="\(type)"/>\(lines.joined())</entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.shell("modelctl create shop.sqlite --version v1 --rows 3")
    let refused = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2")
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("--cast Order.day"), "\(refused.standardError)")
    #expect(!refused.standardError.contains("--write-losses"), "\(refused.standardError)")
    let cast = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2", "--cast", "Order.day")
    let commands = AdvisedCommand.all(in: cast.standardError)
    try #require(commands.count == 2, "\(cast.standardError)")
    for command in commands { #expect(try Modelctl.shell(command, in: workspace).status == 0, "\(command)") }
  }

  @Test("A name that is taken out is not consented to, and comments and empty lines are passed over")
  func edited() throws {
    let workspace = try workspace()
    try workspace.shell("modelctl plan shop.sqlite --to Orders@v1 --write-losses losses.txt")
    let names = try workspace.shell("grep -v '^#' losses.txt").split(separator: "\n")
    #expect(names.count >= 5)
    try workspace.shell(
      "{ printf '\\357\\273\\277# mine\\r\\n\\r\\n'; sed '/^\(names[0])$/d; s/$/  # why/' losses.txt; } > l")
    let result = try workspace.modelctl("migrate", "shop.sqlite", "--to", "Orders@v1", "--allow-data-loss", "@l")
    #expect(result.status == 2)
    #expect(result.standardError.contains("Allow the loss: --allow-data-loss \(names[0])\n"), "\(result.standardError)")
    #expect(result.standardError.components(separatedBy: "Allow the loss: ").count == 2)
  }

  @Test("A name with a number sign is a name")
  func numberSign() throws {
    let workspace = try SampleFolder(emptyNamed: "empty")
    for (version, attributes) in [("v1", 5), ("v2", 0)] {
      let lines = (0..<attributes).map { "<attribute name=\"a#\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order"><attribute name="kept" optional="YES" attributeType="String"/>\(lines.joined())</entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
    try workspace.shell("modelctl lock Shop.xcdatamodeld/v1.xcdatamodel")
    try workspace.shell("modelctl lock --write-losses names.txt")
    let result = try workspace.modelctl("lock", "--allow-data-loss", "@names.txt")
    #expect(result.status == 0, "\(result.standardError)")
  }

  @Test("A migration without losses writes no file")
  func nothingToWrite() throws {
    let workspace = try workspace()
    let result = try workspace.modelctl("plan", "shop.sqlite", "--to", "Orders@v5", "--write-losses", "losses.txt")
    #expect(result.status == 0)
    #expect(
      result.standardError
        == "note: shop.sqlite: the migration loses no data that you must allow, so modelctl does not write losses.txt\n"
    )
    #expect(try workspace.contents()["losses.txt"] == nil)
  }

  @Test(
    "A mistyped name on the command line gets its nearest",
    arguments: [
      ("--allow-data-loss", "Order.nite", "Order.note"), ("--allow-data-loss", "Ordr", "Order"),
      ("--allow-data-loss", "Ordr.note", "Order.note"), ("--dedupe", "Ordr=keep-newest", "Order"),
      ("--keep-first", "Order.custmer", "Order.customer"),
    ])
  func mistyped(_ option: String, _ name: String, _ near: String) throws {
    let workspace = try workspace()
    for command in [["migrate", "--dry-run"], ["plan"]] {
      try Refusal.expect(
        command + ["shop.sqlite", "--to", "Orders@v1", option, name],
        says: [
          "\(option): there is no entity or property ", "; nearest: \(near)\n",
          "\n    modelctl show Models/Orders.xcdatamodeld\n",
        ],
        in: workspace)
    }
  }

  @Test(
    "A file that cannot be taken is refused with its place",
    arguments: [
      ("@gone.txt", ["gone.txt: there is no such file", "\n    modelctl plan --help"]),
      ("@empty.txt", ["empty.txt: the file contains no names\n  Write one name per line"]),
      ("@comments.txt", ["comments.txt: the file contains no names\n  Write one name per line"]),
      ("@unknown.txt", ["unknown.txt:3:1: there is no entity or property Order.nite; nearest: Order."]),
      ("@two.txt", ["two.txt:1:1: a line can contain only one name"]),
      ("@latin.txt", ["latin.txt: the file is not text in UTF-8"]),
      ("@huge.txt", ["huge.txt: its size in bytes exceeds the limit"]),
      ("@Models", ["Models: it is not a file"]),
      ("@", ["--allow-data-loss @: the name of a file is missing after @"]),
    ])
  func refused(_ argument: String, _ words: [String]) throws {
    let workspace = try workspace()
    try workspace.write("", to: "empty.txt")
    try workspace.write("# Order.note\n\n", to: "comments.txt")
    try workspace.write("Order\n\nOrder.nite # mistyped\n", to: "unknown.txt")
    try workspace.write("Order, Customer\n", to: "two.txt")
    try workspace.shell("printf 'Gr\\366\\337e\\n' > latin.txt; head -c 17000000 /dev/zero > huge.txt")
    for command in [["migrate", "--dry-run"], ["plan"]] {
      try Refusal.expect(
        command + ["shop.sqlite", "--to", "Orders@v1", "--allow-data-loss", argument], says: words, in: workspace)
    }
    guard argument != "@unknown.txt" else { return }
    try Refusal.expect(
      ["lock", "--draft", "Models/Orders.xcdatamodeld/v5.xcdatamodel", "--allow-data-loss", argument], says: words,
      in: workspace)
  }

  @Test("The file of names takes the place of no store, and of nothing in a bundle")
  func place() throws {
    let workspace = try workspace()
    for path in ["shop.sqlite", "shop.sqlite-wal", "Models/Orders.xcdatamodeld/x", "gone/losses.txt", "Models"] {
      try Refusal.expect(
        ["plan", "shop.sqlite", "--to", "Orders@v1", "--write-losses", path], says: ["\(path): cannot be written: "],
        in: workspace)
    }
    let misuse = try workspace.modelctl("plan", "shop.sqlite", "--write-losses", "l", "--format", "json")
    #expect(misuse.status == 64)
  }

  @Test("@lock allows the losses that the lock file accepts for the versions of the path, and no more")
  func lock() throws {
    let workspace = try SampleFolder.repository()
    try workspace.makeStore("todo.sqlite", version: "Todo@v2")
    try workspace.shell("modelctl new-version")
    let new = "\(SampleFolder.bundle)/v3.xcdatamodel/contents"
    try workspace.shell("sed -i '/name=\"title\"/d' \(new)")
    let migrate = ["migrate", "todo.sqlite", "--dry-run", "--allow-data-loss", "@lock"]
    let before = try Modelctl.run(migrate, in: workspace)
    #expect(
      before.status == 2 && before.standardError.contains("Allow the loss: --allow-data-loss Todo.title"), "\(before)")
    try workspace.shell("modelctl lock v3 --allow-data-loss Todo.title")
    #expect(try Modelctl.run(migrate, in: workspace).status == 0)
    try workspace.shell("rm App/Todo.lock.json")
    let without = try Modelctl.run(migrate, in: workspace)
    #expect(without.status == 2)
    #expect(without.standardError.contains("--allow-data-loss @lock: \(SampleFolder.bundle) has no lock file"))
    #expect(AdvisedCommand.all(in: without.standardError) == ["modelctl lock --all \(SampleFolder.bundle)"])
  }

  @Test(
    "A store known by its own model alone is consented to by the names of that model",
    .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func cachedModel() throws {
    let stores = CorpusSample.of(Corpus.files(in: "stores") { $0.hasSuffix(".sqlite") }, atMost: 2)
    var count = 0
    for (owner, stores) in Dictionary(grouping: stores, by: { $0.deletingLastPathComponent().lastPathComponent }) {
      let models = try #require(Corpus.folder).appendingPathComponent("models/\(owner)").path
      guard FileManager.default.fileExists(atPath: models) else { continue }
      let workspace = try SampleFolder(emptyNamed: "Stores")
      for store in stores {
        try FileManager.default.copyItem(
          at: store, to: workspace.url.appendingPathComponent("Stores/\(store.lastPathComponent)"))
      }
      let status = try Modelctl.shell(
        "chmod -R u+w . && modelctl status Stores/*.sqlite --model '\(models)'", in: workspace)
      for paragraph in status.standardOutput.components(separatedBy: "\n\n")
      where paragraph.contains("the store contains its own copy of the model") {
        guard let migrate = AdvisedCommand.all(in: paragraph).first else { continue }
        count += try consent(after: "\(migrate) --dry-run", in: workspace)
      }
    }
    print("corpus: \(count) stores known by their own model were consented to by name and by file")
  }

  /// Consents by name and by file to what a refused migration lists; returns the number of stores, 0 when none is lost.
  private func consent(after command: String, in workspace: SampleFolder) throws -> Int {
    let refused = try Modelctl.shell(command, in: workspace).standardError
    let options = Set(refused.matches(of: /Allow the loss: (--allow-data-loss \S+)/).map { String($0.output.1) })
    guard !options.isEmpty, !refused.contains("mandatory") else { return 0 }
    let byName = try Modelctl.shell("\(command) \(options.sorted().joined(separator: " "))", in: workspace)
    #expect(byName.status == 0, "\(byName)")
    let advised = AdvisedCommand.all(in: refused)
    guard advised.count == 2 else { return 1 }
    let written = try Modelctl.shell(advised[0], in: workspace)
    #expect(written.status == 0, "\(written)")
    let byFile = try Modelctl.shell("\(advised[1]) --dry-run", in: workspace)
    #expect(byFile.status == 0, "\(byFile)")
    try workspace.write("Order.nite\n", to: "bad.txt")
    let unknown = try Modelctl.shell("\(command) --allow-data-loss @bad.txt", in: workspace)
    let words = "bad.txt:1:1: there is no entity or property Order.nite"
    #expect(unknown.status == 2 && unknown.standardError.contains(words), "\(unknown)")
    return 1
  }
}
