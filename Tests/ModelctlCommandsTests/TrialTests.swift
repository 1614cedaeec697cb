import Foundation
import TestSupport
import Testing

@Suite("Mistakes at the command line")
struct TrialTests {
  /// A project with a bundle of versions written as contents files, the last one current.
  private func project(_ versions: [(name: String, entities: String)], bundle: String = "Plants") throws -> SampleFolder
  {
    let project = try SampleFolder(emptyNamed: "Other")
    for (name, entities) in versions {
      try project.write(
        "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(entities)</model>",
        to: "\(bundle).xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try project.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(versions.last?.name ?? "").xcdatamodel</string></dict></plist>
      """, to: "\(bundle).xcdatamodeld/.xccurrentversion")
    return project
  }

  private static func attribute(_ name: String, _ type: String = "String", _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  // MARK: Rows

  @Test("An empty mapping file migrates the same stores as no file, and every command reports it")
  func nothingToDecide() throws {
    let room =
      #"<relationship name="favourites" toMany="YES" deletionRule="Nullify" destinationEntity="Plant" "#
      + #"inverseName="favouriteRoom" inverseEntity="Plant"/>"#
    let plant =
      #"<relationship name="favouriteRoom" optional="YES" maxCount="1" deletionRule="Nullify" "#
      + #"destinationEntity="Room" inverseName="favourites" inverseEntity="Room"/>"#
    func model(_ rooms: String, _ plants: String) -> String {
      "<entity name=\"Room\">\(Self.attribute("name"))\(rooms)</entity>"
        + "<entity name=\"Plant\">\(Self.attribute("name"))\(plants)</entity>"
    }
    let project = try project([("v1", model("", "")), ("v2", model(room, plant))])
    #expect(try project.modelctl("create", "r.sqlite", "--version", "v1", "--rows", "3").status == 0)
    let written = try project.modelctl("mapping", "new", "v1", "v2", "--write")
    #expect(written.status == 0, "\(written)")
    let migrated = try project.modelctl("migrate", "r.sqlite")
    #expect(migrated.status == 0, "\(migrated)")
    let verified = try project.modelctl("verify", "r.sqlite")
    #expect(verified.status == 0 && verified.standardOutput.contains("sound (checked against"), "\(verified)")
    #expect(try project.modelctl("update", "r.sqlite", "Room", "--all", "--set", "name=x").status == 0)
    #expect(try project.modelctl("dump", "r.sqlite", "--output", "r.json").status == 0)
    let loaded = try project.modelctl("load", "r.json", "--output", "s.sqlite")
    #expect(loaded.status == 0, "\(loaded)")
  }

  @Test("verify warns of values that a save would refuse")
  func limits() throws {
    let project = try project([
      (
        "v1",
        "<entity name=\"Plant\">\(Self.attribute("code", "String", #"regularExpressionString="[a-z]+" maxValueString="3""#))</entity>"
      )
    ])
    #expect(try project.modelctl("create", "p.sqlite").status == 0)
    try project.write("{\"entity\": \"Plant\", \"code\": \"ab\"}\n", to: "p.jsonl")
    #expect(try project.modelctl("load", "p.jsonl", "--output", "p.sqlite").status == 0)
    _ = try project.shell("sqlite3 p.sqlite \"UPDATE ZPLANT SET ZCODE = 'ABCD'\"")
    let verified = try project.modelctl("verify", "p.sqlite")
    #expect(verified.status == 0, "\(verified)")
    for sentence in ["Plant.code: the length is above the maximum", "Plant.code: the text does not match the regular"] {
      #expect(verified.standardOutput.contains(sentence), "\(verified)")
    }
  }

  // MARK: Files of external data

  @Test("A store without its hidden folder is described as such, and can be dumped without its large values")
  func missingFolder() throws {
    let project = try project([
      (
        "v1",
        "<entity name=\"Plant\">\(Self.attribute("name"))\(Self.attribute("photo", "Binary", #"allowsExternalBinaryDataStorage="YES""#))</entity>"
      )
    ])
    let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) }).base64EncodedString()
    try project.write(
      "{\"entity\": \"Plant\", \"name\": \"fern\", \"photo\": \"\(photo)\"}\n{\"entity\": \"Plant\", \"name\": \"moss\"}\n",
      to: "p.jsonl")
    #expect(try project.modelctl("load", "p.jsonl", "--output", "p.sqlite").status == 0)
    #expect(!(try project.modelctl("status", "p.sqlite").standardOutput.contains("hidden folder")))
    _ = try project.shell("mv p.sqlite p1.sqlite")
    let status = try project.modelctl("status", "p1.sqlite")
    let note = "note: the hidden folder .p1_SUPPORT belongs beside it and is not there, with the files of 1 value"
    #expect(status.standardOutput.replacing("\n    ", with: " ").contains(note), "\(status)")
    for format in ["json", "jsonl", "csv", "sqlite", "postgresql"] {
      let isSQL = format == "sqlite" || format == "postgresql"
      let command = ["dump", "p1.sqlite", "--format", format] + (isSQL ? [] : ["--entity", "Plant"])
      let refused = try Modelctl.run(command, in: project)
      #expect(refused.status == 2 && refused.standardError.contains("--skip-missing-files"), "\(refused)")
      let dumped = try Modelctl.run(command + ["--skip-missing-files"], in: project)
      #expect(dumped.status == 0 && dumped.standardOutput.contains("fern"), "\(dumped)")
      #expect(dumped.standardError == "note: 1 value is empty, because the file is missing\n", "\(dumped)")
    }
    let sql = try project.modelctl("dump", "p1.sqlite", "--format", "sqlite", "--skip-missing-files")
    #expect(sql.status == 0 && sql.standardOutput.contains("NULL"), "\(sql)")
    // A migration carries the references over, and says once which files they need.
    let old = "Plants.xcdatamodeld/v1.xcdatamodel/contents"
    _ = try project.shell(
      """
      mkdir Plants.xcdatamodeld/v2.xcdatamodel && sed 's/"photo"/"picture" elementID="photo"/' \(old) \
        > Plants.xcdatamodeld/v2.xcdatamodel/contents && modelctl edit current v2 --model Plants.xcdatamodeld
      """)
    for options in [["--dry-run"], []] {
      let migrated = try Modelctl.run(["migrate", "p1.sqlite"] + options, in: project)
      let pieces = migrated.standardOutput.replacing("\n    ", with: " ").components(separatedBy: note)
      #expect(migrated.status == 0 && pieces.count == 2, "\(migrated)")
    }
    _ = try project.shell("mv .p_SUPPORT .p1_SUPPORT")
    #expect(try project.modelctl("verify", "p1.sqlite").status == 0)
  }

  // MARK: Advice

  @Test("The advice about stores of two versions makes a copy, and runs when it is pasted")
  func copies() throws {
    let samples = try SampleFolder()
    try samples.makeStore("a.sqlite", version: "Orders@v1")
    try samples.makeStore("b.sqlite", version: "Orders@v2")
    let before = try samples.contents()["a.sqlite"]
    let refused = try samples.modelctl("diff", "a.sqlite", "b.sqlite", "--data")
    #expect(refused.status == 2, "\(refused)")
    let commands = refused.standardError.split(separator: "modelctl ").dropFirst().map {
      $0.prefix { $0 != ";" && $0 != "\n" }
    }
    #expect(commands.count == 2, "\(refused)")
    for command in commands {
      try samples.shell("modelctl \(command)")
    }
    #expect(try samples.contents()["a.sqlite"] == before)
    #expect(try samples.modelctl("diff", "a-copy.sqlite", "b.sqlite", "--data").status == 0)
    try samples.makeStore("t.sqlite", version: "Todo@v2")
    let other = try samples.modelctl("diff", "a.sqlite", "t.sqlite", "--data")
    #expect(
      other.status == 2
        && other.standardError.contains("a.sqlite is a store of Orders and t.sqlite is a store of Todo"),
      "\(other)")
  }

  @Test("Loading into a newer store advises its version, and not a downgrade")
  func newerStore() throws {
    let samples = try SampleFolder()
    try samples.makeStore("o.sqlite", version: "Orders@v6")
    try samples.write("{\"entity\": \"Customer\", \"fullName\": \"A\"}\n", to: "c.jsonl")
    let refused = try samples.modelctl("load", "c.jsonl", "--output", "o.sqlite", "--version", "Orders@v4")
    #expect(refused.status == 2 && refused.standardError.contains("--version v6"), "\(refused)")
    #expect(!refused.standardError.contains("modelctl migrate"), "\(refused)")
  }

  static let wrongUsage: [(arguments: [String], says: String)] = [
    (
      ["query", "o.sqlite", "Order", "--template", "t"],
      "a template has its own entity; remove Order or --template"
    ),
    (["query", "o.sqlite", "Order", "--limit", "-1"], "--limit and --offset must be 0 or more"),
    (["query", "o.sqlite", "Order", "--offset", "-1"], "--limit and --offset must be 0 or more"),
    (["create", "n.sqlite", "--rows", "-1"], "--rows must be from 0"),
    (["rehearse", "--rows", "-1"], "--rows must be from 1"),
    (["rehearse", "--last", "-1"], "--last must be 1 or more"),
    (["rehearse", "--seed", "-1"], "the value “-1” is invalid for “--seed <n>”"),
    (
      ["extract", "o.sqlite", "--entity", "Order", "--depth", "-1", "--output", "x.sqlite"], "--depth must be 0 or more"
    ),
    (["migrate", "o.sqlite", "--jobs", "-1"], "--jobs must be from 1 to 128"),
    (["status", "o.sqlite", "--busy-timeout", "-1"], "--busy-timeout must be from 0"),
    (
      ["edit", "add", "relationship", "A.b", "--destination", "B", "--to-many", "--min", "-1"],
      "--min and --max must not be negative"
    ),
    (["lock", "--draft", "--all"], "--all and --draft exclude each other"),
    (["edit", "add", "attribute", "A.b", "--type", "Strng"], "“Strng” is not a type; nearest: String"),
    (["edit", "retype", "A.b", "Intger 32"], "“Intger 32” is not a type; nearest: Integer 32"),
    (["edit", "set", "Order", "xyz=1"], "there is no setting “xyz”"),
  ]

  @Test("Wrong usage is described with its cause", arguments: wrongUsage)
  func usage(_ arguments: [String], _ sentence: String) throws {
    let refused = try Modelctl.run(arguments, in: SampleFolder())
    #expect(refused.status == 64 && refused.standardError.contains(sentence), "\(refused)")
    #expect(!refused.standardError.contains("Missing value"), "\(refused)")
  }

  @Test("An unknown setting lists those of the element that is meant")
  func settings() throws {
    let link =
      #"<relationship name="parts" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Plant"/>"#
    let project = try project([("v1", "<entity name=\"Plant\">\(Self.attribute("height"))\(link)</entity>")])
    let relationship = try project.modelctl("edit", "set", "Plant.parts", "xyz=1")
    #expect(
      relationship.standardError.contains("delete-rule") && !relationship.standardError.contains("external"),
      "\(relationship)")
    let attribute = try project.modelctl("edit", "set", "Plant.height", "xyz=1")
    #expect(
      attribute.standardError.contains("external-storage") && !attribute.standardError.contains("delete-rule"),
      "\(attribute)")
    let entity = try project.modelctl("edit", "set", "Plant", "xyz=1")
    #expect(entity.standardError.contains("abstract, "), "\(entity)")
    #expect(!entity.standardError.contains("delete-rule"), "\(entity)")
  }

  @Test("A folder is named, and models without a configuration too")
  func places() throws {
    let samples = try SampleFolder()
    try samples.makeStore("t.sqlite", version: "Todo@v2")
    let configuration = try samples.modelctl("verify", "t.sqlite", "--configuration", "Cloud")
    #expect(configuration.standardError.contains("Models/Todo.xcdatamodeld"), "\(configuration)")
    #expect(!configuration.standardError.contains("error: .:"), "\(configuration)")
    let empty = try SampleFolder(emptyNamed: "Nothing")
    let none = try empty.modelctl("show", "v1")
    #expect(none.status == 2 && !none.standardError.contains("error: ."), "\(none)")
  }

  @Test("A store without its bundle is checked against the model in it")
  func cachedModel() throws {
    let samples = try SampleFolder()
    try samples.makeStore("o.sqlite", version: "Orders@v2")
    let versions = try samples.modelctl("verify", "o.sqlite")
    #expect(versions.standardOutput == "o.sqlite: sound (checked against version v2)\n", "\(versions)")
  }

  @Test("A run over a folder without stores leaves no file behind")
  func noJournal() throws {
    let samples = try SampleFolder()
    let before = try samples.contents().keys.sorted()
    let result = try samples.modelctl("migrate", "Models")
    #expect(
      result.status == 0 && result.standardError.contains("there is no Core Data store under Models"), "\(result)")
    #expect(try samples.contents().keys.sorted() == before)
    try samples.makeStore("Stores.sqlite", version: "Orders@v1")
    _ = try samples.shell("mkdir Stores; mv Stores.sqlite Stores/")
    #expect(try samples.modelctl("migrate", "Stores", "--to", "Orders@v2").status == 0)
    #expect(try samples.contents().keys.contains("Stores/.modelctl-journal.sqlite"))
  }

  @Test("generate swift gives the type the requested name, or refuses it and suggests a valid name")
  func typeName() throws {
    let samples = try SampleFolder()
    for (name, possible) in [("a b", "A_b"), ("shop", "Shop"), ("Order", "OrderModel")] {
      let refused = try samples.modelctl("generate", "swift", "Orders@v6", "--name", name)
      #expect(refused.status == 2 && refused.standardError.contains("Use: --name \(possible)"), "\(refused)")
    }
    let named = try samples.modelctl("generate", "swift", "Orders@v6", "--name", "Shop")
    #expect(named.status == 0 && named.standardOutput.contains("enum Shop"), "\(named)")
  }

  // MARK: Results

  @Test("A renamed entity is not a loss in the text and the report of a migration")
  func renamed() throws {
    let project = try project([
      ("v1", "<entity name=\"Watering\">\(Self.attribute("note"))\(Self.attribute("mood"))</entity>"),
      ("v2", "<entity name=\"CareEvent\" elementID=\"Watering\">\(Self.attribute("note"))</entity>"),
    ])
    #expect(try project.modelctl("create", "p.sqlite", "--version", "v1", "--rows", "11").status == 0)
    let migrated = try project.modelctl(
      "migrate", "p.sqlite", "--allow-data-loss", "Watering.mood", "--report", "report.html")
    #expect(migrated.status == 0 && !migrated.standardOutput.contains("CareEvent"), "\(migrated)")
    let report = String(decoding: try project.contents()["report.html"] ?? Data(), as: UTF8.self)
    #expect(!report.contains("no such entity"), "\(report)")
    #expect(report.contains("CareEvent has the rows of Watering, its former name"), "\(report)")
    #expect(report.contains("lost, as allowed: Watering.mood, "), "\(report)")
  }

  @Test("The page of differing objects has a cell for each value, and breaks no short word")
  func dataPage() throws {
    let samples = try SampleFolder()
    try samples.makeStore("a.sqlite", version: "Orders@v2")
    _ = try samples.shell("cp a.sqlite b.sqlite && modelctl update b.sqlite Customer --all --set name=New")
    let page = try samples.modelctl("diff", "a.sqlite", "b.sqlite", "--data", "--format", "html=page.html")
    #expect(page.status == 0 && page.standardError == "page.html: written\n", "\(page)")
    let html = String(decoding: try samples.contents()["page.html"] ?? Data(), as: UTF8.self)
    for piece in [
      "<th scope=\"col\">Before</th>", "<th scope=\"col\">After</th>", "<td>name</td>", "<td>“New”</td>",
    ] {
      #expect(html.contains(piece), "\(piece)")
    }
    #expect(html.contains("overflow-wrap: break-word"))
    let picture = try samples.modelctl("diagram", "Orders@v2", "--format", "html=d.html")
    #expect(picture.standardError.contains("d.html: written\n"), "\(picture)")
  }

  @Test("Columns can be key paths, and included objects have columns of their own")
  func columns() throws {
    let samples = try SampleFolder()
    try samples.makeStore("o.sqlite", version: "Orders@v2")
    let table = try samples.modelctl(
      "query", "o.sqlite", "Order", "--columns", "number,customer.name", "--format", "csv")
    #expect(table.status == 0, "\(table)")
    #expect(
      table.standardOutput.hasPrefix("entity,key,number,customer.name\r\n")
        || table.standardOutput.hasPrefix("entity,key,number,customer.name\n"), "\(table)")
    #expect(table.standardOutput.contains("name "), "\(table)")
    let included = try samples.modelctl("query", "o.sqlite", "Order", "--include", "customer", "--format", "csv")
    #expect(included.standardOutput.contains("customer.name"), "\(included)")
    let unknown = try samples.modelctl("query", "o.sqlite", "Order", "--columns", "customer.nme")
    #expect(unknown.status == 2 && unknown.standardError.contains("nearest: name"), "\(unknown)")
  }

  @Test("status and verify look for stores in folders, as migrate does")
  func folders() throws {
    let samples = try SampleFolder()
    for name in ["a", "b"] { try samples.makeStore("\(name).sqlite", version: "Orders@v1") }
    _ = try samples.shell(
      "mkdir -p Stores/deep; mv a.sqlite Stores; mv b.sqlite Stores/deep; echo log > Stores/log.txt")
    let status = try samples.modelctl("status", "Stores")
    #expect(status.status == 0, "\(status)")
    #expect(
      status.standardOutput.contains("Stores/a.sqlite\n") && status.standardOutput.contains("Stores/deep/b.sqlite\n"),
      "\(status)")
    let verified = try samples.modelctl("verify", "Stores")
    #expect(verified.standardOutput.split(separator: "\n").count == 2, "\(verified)")
    let named = try samples.modelctl("status", "Stores/log.txt")
    #expect(named.status == 2, "\(named)")
    let none = try samples.modelctl("status", "Models")
    #expect(none.standardError.contains("there is no Core Data store under Models"), "\(none)")
  }

  @Test("Many stores have a last line with their numbers, and equal stores a note that objects were not compared")
  func manyStores() throws {
    let folder = try SampleFolder()
    for (number, version) in ["v1", "v2", "v6", "v6", "v6"].enumerated() {
      try folder.shell(
        "mkdir -p Stores && modelctl create Stores/\(number).sqlite --version Orders@\(version) --rows 1")
    }
    let status = try folder.modelctl("status", "Stores")
    #expect(status.standardOutput.hasSuffix("\n\n5 stores: 3 current, 2 need migration\n"), "\(status)")
    let few = try folder.modelctl("status", "Stores/0.sqlite", "Stores/2.sqlite")
    #expect(!few.standardOutput.contains("2 stores:"), "\(few)")
    let note = "note: only the models are compared; to compare the objects, add --data\n"
    #expect(try folder.modelctl("diff", "Stores/2.sqlite", "Stores/3.sqlite").standardError == note)
    #expect(try folder.modelctl("diff", "Stores/2.sqlite", "Orders@v6").standardError == "")
  }

  @Test("An error's line ends after ten thousand characters")
  func longLine() throws {
    let folder = try SampleFolder()
    let name = String(repeating: "n", count: 60_000)
    let refused = try folder.modelctl("show", "Orders@v1", "--entity", name)
    let longest = refused.standardError.split(separator: "\n").map(\.count).max() ?? 0
    #expect(refused.status == 2 && (10_000...10_100).contains(longest), "\(longest)")
    #expect(refused.standardError.contains(" more characters)"))
  }

  @Test("Bundles with one name are chosen by their paths")
  func bundlesOfOneName() throws {
    let folder = try SampleFolder()
    for name in ["A", "B", "C"] {
      try folder.shell("mkdir \(name) && cp -R Models/Todo.xcdatamodeld \(name)/Model.xcdatamodeld")
    }
    try folder.shell("rm -r Models Migrations")
    let refused = try folder.modelctl("new-version")
    #expect(refused.status == 2 && refused.standardError.hasSuffix("\n  Name one: --model PATH\n"), "\(refused)")
    try folder.shell("modelctl create a.sqlite --model A/Model.xcdatamodeld --version v1 --rows 1")
    let status = try folder.modelctl("status", "a.sqlite").standardOutput.replacing("\n    ", with: " ")
    let words = "B/Model.xcdatamodeld and C/Model.xcdatamodeld have the same version; name the bundle of the app:"
    #expect(status.contains("\(words) --model PATH"), "\(status)")
  }

  @Test("A new scalar type is written as Xcode writes it")
  func retype() throws {
    let project = try project([("v1", "<entity name=\"Plant\">\(Self.attribute("height"))</entity>")])
    #expect(try project.modelctl("edit", "retype", "Plant.height", "Double").status == 0)
    let contents = String(
      decoding: try project.contents()["Plants.xcdatamodeld/v1.xcdatamodel/contents"] ?? Data(), as: UTF8.self)
    #expect(contents.contains(#"attributeType="Double" usesScalarValueType="YES""#), "\(contents)")
  }

  @Test("A branch's difference has one heading, and the usage of diff is not indented twice")
  func headings() throws {
    let project = try project([("v1", "<entity name=\"Plant\">\(Self.attribute("height"))</entity>")])
    _ = try project.shell(
      "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm one && modelctl edit add attribute Plant.width --type Double"
    )
    let difference = try project.modelctl("diff", "--base", "HEAD")
    #expect(difference.standardOutput.components(separatedBy: "1 change").count == 2, "\(difference)")
    let help = try project.modelctl("diff", "--help")
    #expect(!help.standardOutput.contains("\n              modelctl diff --base"), "\(help)")
  }

  @Test("A log of Core Data in the place of a store is a text without hashes, as on standard input")
  func log() throws {
    let samples = try SampleFolder()
    try samples.write("CoreData: error: Failed to load\n", to: "log.store")
    let status = try samples.modelctl("status", "log.store")
    #expect(status.status == 2 && status.standardError.contains("no version hashes of a store"), "\(status)")
    #expect(!status.standardError.contains("byte"), "\(status)")
  }

  @Test(
    "A SwiftData store has no contents file, and is a version to reach from another",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func swiftData() throws {
    let stores = Corpus.files(in: "swiftdata") { $0.hasSuffix(".store") }.filter { $0.path.contains("MetaCocktails") }
    let (old, new) = (try #require(stores.first), try #require(stores.last))
    let folder = try SampleFolder(emptyNamed: "Empty")
    for (store, name) in [(old, "old.store"), (new, "new.store")] {
      try FileManager.default.copyItem(at: store, to: folder.url.appendingPathComponent(name))
    }
    let exported = try folder.modelctl("export", "old.store", "--output", "S.xcdatamodeld", "--name", "v1")
    #expect(exported.status == 2, "\(exported)")
    #expect(exported.standardError.contains("an app with SwiftData has no contents file"), "\(exported)")
    #expect(!exported.standardError.contains("that it was made of"), "\(exported)")
    let planned = try folder.modelctl("plan", "old.store", "--to", "new.store")
    #expect(planned.standardOutput.contains("old.store: from cached model to new.store"), "\(planned)")
    let verified = try folder.modelctl("verify", "old.store")
    #expect(verified.standardOutput.contains("sound (checked against the model inside the store)"), "\(verified)")
  }
}
