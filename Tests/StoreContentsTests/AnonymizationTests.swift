import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreContents
import StoreMigration
import TestSupport
import Testing

@Suite("Anonymous copies of stores")
struct AnonymizationTests {
  private static let address = Composite("Address") {
    Attribute("street", .string).optional()
    Attribute("zip", .string).optional()
  }

  private static let model = ManagedObjectModel {
    address
    Entity("Person") {
      Attribute("name", .string).optional()
      Attribute("code", .string).optional().regularExpression("[A-Z]{2}[0-9]{4}")
      Attribute("nick", .string).optional()
      Attribute("born", .date).optional()
      Attribute("seen", .date).optional()
      Attribute("grade", .integer16).optional()
      Attribute("token", .uuid).optional()
      Attribute("home", .uri).optional()
      Attribute("photo", .binary).optional().allowsExternalBinaryDataStorage()
      Attribute("tags", .transformable).optional()
      Attribute("isVip", .boolean).optional()
      Attribute("address", .composite(address)).optional()
      Attribute("status", .string)
      UniquenessConstraint("nick")
    }
  }

  private func people(_ body: (AnonymousStore) throws -> Void = { _ in }) throws -> AnonymousStore {
    let store = try AnonymousStore(Self.model, rows: 0)
    let number = try store.value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'")
    let rows: [(String, String, String)] = [
      ("Müller-Łukasz, O'Brien", "AB1234", "a"), ("Анна Иванова", "CD5678", "b"), ("----", "EF9012", "c"),
      ("a----b", "GH3456", "d"), ("山田太郎さん", "IJ7890", "e"), ("😀😃😄😁 party", "KL1234", "f"),
      ("Müller-Łukasz, O'Brien", "MN1234", "g"), ("2024", "OP1234", "h"),
      ("e\u{301}e\u{301}e\u{301}e\u{301}", "QR1234", "i"),
      ("x", "ST1234", "j"), ("\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "UV1234", "k"), ("     ", "WX1234", "l"),
    ]
    for (position, row) in rows.enumerated() {
      let token = Data((0..<16).map { UInt8($0 + position) })
      let photo = Data([1]) + Data("secret photo".utf8)
      let arguments: [(any DatabaseValueConvertible)?] = [
        position + 1, number, row.0, row.1, row.2, 1000.5 + Double(position), 2000.5, position - 3, token, photo,
        ArchivedValue.string("secret tag").archive,
      ]
      try store.execute(
        """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCODE, ZNICK, ZBORN, ZSEEN, ZGRADE, ZTOKEN, ZHOME, ZPHOTO, ZTAGS,
          ZISVIP, ZSTREET, ZZIP, ZSTATUS) VALUES
          (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, 'https://example.org/a%C3%A9?q=Anna', ?, ?, 1, 'Hauptstraße 12', '10115', 'open')
        """, StatementArguments(arguments))
    }
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count)")
    try body(store)
    return store
  }

  @Test("No value of any kind is found again, and all values are as valid as before")
  func values() throws {
    let store = try people()
    let copy = try store.anonymize()
    let texts = try store.texts().union(["secret photo", "secret tag"])
    #expect(texts.count > 20)
    #expect(try AnonymousStore.found(texts, in: store.path).count == texts.count)
    let left = try AnonymousStore.found(texts, in: copy)
    #expect(left == [])
    #expect(try store.problems(copy).isEmpty)
    #expect(try store.skeleton(copy) == store.skeleton(store.path))
    try store.read(copy) { database in
      let codes = try String.fetchAll(database, sql: "SELECT ZCODE FROM ZPERSON")
      #expect(codes.allSatisfy { $0.wholeMatch(of: /[A-Z]{2}[0-9]{4}/) != nil })
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(DISTINCT ZNICK) FROM ZPERSON") == codes.count)
      #expect(try Int.fetchOne(database, sql: "SELECT MIN(length(ZTOKEN)) FROM ZPERSON") == 16)
      #expect(try Int.fetchOne(database, sql: "SELECT MIN(ZISVIP) FROM ZPERSON") == 1)
      for home in try String.fetchAll(database, sql: "SELECT ZHOME FROM ZPERSON") { #expect(URL(string: home) != nil) }
      let archives = try Data.fetchAll(database, sql: "SELECT ZTAGS FROM ZPERSON")
      #expect(throws: Never.self) { try archives.map { try ArchivedValue(archive: $0) } }
    }
    let pairs = try [store.path, copy].map { path in
      try store.read(path) { try String.fetchAll($0, sql: "SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") }
    }
    for (old, new) in zip(pairs[0], pairs[1]) { #expect(old.utf16.count == new.utf16.count && old != new) }
    #expect(pairs[1][0] == pairs[1][6])
    #expect(pairs[1][0].first?.isUppercase == true && pairs[1][0].contains(", "))
  }

  @Test("The same seed gives the same texts, another one others")
  func seeds() throws {
    let store = try people()
    let names = try [(3, "a.sqlite"), (3, "b.sqlite"), (4, "c.sqlite")].map { seed, name in
      try store.read(store.anonymize(seed: seed, to: name)) { try Row.fetchAll($0, sql: "SELECT * FROM ZPERSON") }
    }
    #expect(names[0] == names[1])
    #expect(names[0] != names[2])
  }

  @Test("Rules keep, replace and empty, and a group is moved together")
  func rules() throws {
    let store = try people()
    let copy = try store.anonymize(
      """
      # what the support needs
      Person.status keep
      Person.name null   # nobody's business
      Person.code mask
      Person.grade shift
      Person.address.street replace Main Street #1
      Person.born shift days
      Person.seen shift days
      """)
    #expect(try store.value("SELECT DISTINCT ZSTATUS FROM ZPERSON", in: copy) == "open".databaseValue)
    #expect(try store.value("SELECT COUNT(ZNAME) FROM ZPERSON", in: copy) == 0.databaseValue)
    #expect(try store.value("SELECT DISTINCT ZSTREET FROM ZPERSON", in: copy) == "Main Street".databaseValue)
    let distance = "SELECT ZSEEN - ZBORN FROM ZPERSON WHERE Z_PK = 1"
    #expect(try store.value(distance, in: copy) == store.value(distance))
    #expect(try store.value("SELECT ZBORN FROM ZPERSON", in: copy) != store.value("SELECT ZBORN FROM ZPERSON"))
    let codes = try [store.path, copy].map { path in
      try store.read(path) { try String.fetchAll($0, sql: "SELECT ZCODE FROM ZPERSON ORDER BY Z_PK") }
    }
    #expect(zip(codes[0], codes[1]).allSatisfy { $0 != $1 && $0.count == $1.count })
    let grades = try [store.path, copy].map { path in
      try store.read(path) { try Int.fetchAll($0, sql: "SELECT ZGRADE FROM ZPERSON ORDER BY Z_PK") }
    }
    let steps = Set(zip(grades[0], grades[1]).map { $1 - $0 })
    #expect(steps.count == 1 && !steps.contains(0))
    #expect(try AnonymousStore.found(store.texts(besides: ["open"]), in: copy) == [])
  }

  @Test("Lines may also end with a carriage return, and an element's rule takes precedence over its composite's rule")
  func lineEnds() throws {
    let store = try people()
    let lines = [
      "# ours", "Person.address.street keep", "Person.name null", "Person.address mask", "Person.grade replace 7", "",
    ]
    let copy = try store.anonymize(lines.joined(separator: "\r\n"))
    #expect(try store.value("SELECT COUNT(ZNAME) FROM ZPERSON", in: copy) == 0.databaseValue)
    let street = "SELECT ZSTREET FROM ZPERSON WHERE Z_PK = 1"
    #expect(try store.value(street, in: copy) == store.value(street))
    let masked = "SELECT COUNT(*) FROM ZPERSON WHERE ZZIP != '10115' AND length(ZZIP) = 5 AND ZGRADE = 7"
    #expect(try store.value(masked, in: copy) == store.value("SELECT COUNT(*) FROM ZPERSON"))
  }

  @Test(
    "A rule that cannot be followed is refused with its line",
    arguments: [
      ("Persn.name keep", "rules:1: the model has no entity “Persn”; nearest: Person"),
      ("\nPerson.nam keep", "rules:2: the model has no stored attribute “Person.nam”; nearest: Person.name"),
      ("Person.status null", "rules:1: Person.status is mandatory"),
      ("Person.name shift", "rules:1: Person.name is neither"),
      ("Person.name", "rules:1: “Person.name” is not a valid rule"),
      ("Person.grade replace many", "rules:1: “many” is not a valid value"),
      ("Person.code replace abc", "rules:1: “abc” is not a valid value"),
      ("Person.name null\n\nPerson.name keep", "rules:3: line 1 already has a rule for Person.name"),
    ])
  func badRules(_ rules: String, _ message: String) throws {
    let store = try people()
    do {
      try store.anonymize(rules)
      Issue.record("not refused: \(rules)")
    } catch let error as AnonymizationError {
      #expect("\(error)".hasPrefix(message), "\(error)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path).allSatisfy { !$0.contains("copy") })
  }

  @Test("No file is overwritten, and a text with an unmatchable pattern is refused by name")
  func refusals() throws {
    let store = try people()
    try store.anonymize()
    #expect(throws: StoreCreationError.exists(path: store.folder.path("copy.sqlite"))) { try store.anonymize() }
    let colour = try AnonymousStore(
      ManagedObjectModel { Entity("Pen") { Attribute("colour", .string).regularExpression("red|blue") } }, rows: 0)
    try colour.execute("INSERT INTO ZPEN (Z_PK, Z_ENT, Z_OPT, ZCOLOUR) VALUES (1, 1, 1, 'blue')")
    #expect(throws: AnonymizationError.noMatch(attribute: "Pen.colour", pattern: "red|blue")) {
      try colour.anonymize()
    }
    try colour.anonymize("Pen.colour keep")
  }

  @Test("History, tables of the app, external files, metadata and free pages hold nothing")
  func elsewhere() throws {
    let name = "0F0E0D0C-0B0A-4908-8706-050403020100"
    let store = try people { store in
      try store.execute(
        "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)")
      try store.execute("INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'com.example.secret')")
      try store.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB)")
      try store.execute("INSERT INTO ACHANGE VALUES (1, x'80', 'buried name')")
      try store.execute("CREATE TABLE APPNOTES (word TEXT UNIQUE, data BLOB)")
      for number in 0..<300 { try store.execute("INSERT INTO APPNOTES VALUES (?, 'blob text')", ["n\(number)"]) }
      try store.execute("UPDATE ZPERSON SET ZPHOTO = ? WHERE Z_PK = 1", [Data([2]) + Data(name.utf8) + Data([0])])
      let metadata = try store.read(store.path) { try StoreMetadata(reading: $0, path: store.path) }
      var entries = metadata.entries
      entries["owner"] = .dictionary(["name": .string("Erika Muster")])
      try store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [PropertyList.dictionary(entries).binary])
      try store.execute("INSERT INTO Z_MODELCACHE VALUES ('cached default')")
      let external = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
      try Data("a secret in a file".utf8).write(to: external.appendingPathComponent(name))
      try store.execute("CREATE TABLE GONE (word TEXT)")
      try store.execute("INSERT INTO GONE VALUES ('deleted words')")
      try store.execute("DROP TABLE GONE")
    }
    let copy = try store.anonymize()
    let texts = try store.texts().union([
      "buried name", "blob text", "deleted words", "Erika Muster", "cached default", "com.example.secret", name,
      "a secret in a file",
    ])
    #expect(try AnonymousStore.found(texts, in: store.path) == texts.sorted())
    let left = try AnonymousStore.found(texts, in: copy)
    #expect(left == [])
    #expect(try store.problems(copy).filter { $0.severity == .error } == [])
    let metadata = try store.read(copy) { try StoreMetadata(reading: $0, path: copy) }
    let original = try store.read(store.path) { try StoreMetadata(reading: $0, path: store.path) }
    #expect(metadata.uuid == original.uuid && metadata.versionHashes == original.versionHashes)
    #expect(metadata.entries["owner"] != nil)
    let external = store.folder.url.appendingPathComponent(".copy_SUPPORT/_EXTERNAL_DATA")
    let files = try FileManager.default.contentsOfDirectory(atPath: external.path)
    #expect(files.count == 1 && files != [name])
    for file in files {
      let bytes = try Data(contentsOf: external.appendingPathComponent(file))
      #expect(bytes.count == 18 && bytes != Data("a secret in a file".utf8))
    }
    #expect(try store.value("SELECT COUNT(DISTINCT word) FROM APPNOTES", in: copy) == 300.databaseValue)
  }

  @Test("Data that a rule keeps has its file in the copy")
  func keptFile() throws {
    let name = "0F0E0D0C-0B0A-4908-8706-050403020100"
    let store = try people { store in
      try store.execute("UPDATE ZPERSON SET ZPHOTO = ? WHERE Z_PK = 1", [Data([2]) + Data(name.utf8) + Data([0])])
      let external = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
      try Data("a photo".utf8).write(to: external.appendingPathComponent(name))
    }
    let copy = try store.anonymize("Person.photo keep\n")
    let kept = store.folder.url.appendingPathComponent(".copy_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(try Data(contentsOf: kept) == Data("a photo".utf8))
    #expect(try store.problems(copy).filter { $0.severity == .error } == [])
  }

  @Test("Data that is only in the log of a store is masked, too")
  func log() throws {
    let store = try people()
    try store.log("UPDATE ZPERSON SET ZNAME = 'a name in the log' WHERE Z_PK = 1")
    let logged = try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal"))
    #expect(logged.range(of: Data("a name in the log".utf8)) != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)).range(of: Data("a name in the log".utf8)) == nil)
    let copy = try store.anonymize()
    let texts = try store.texts()
    #expect(texts.contains("a name in the log"))
    let left = try AnonymousStore.found(texts, in: copy)
    #expect(left == [])
    #expect(try store.value("SELECT length(ZNAME) FROM ZPERSON WHERE Z_PK = 1", in: copy) == 17.databaseValue)
  }

  @Test("A torn save leaves no change: its journal undoes the written part")
  func journal() throws {
    let store = try people()
    try store.journal("UPDATE ZPERSON SET ZNAME = 'a name of a torn save', ZPHOTO = zeroblob(20000)")
    let files = try ["", "-journal"].map { try Data(contentsOf: URL(fileURLWithPath: store.path + $0)) }
    let (torn, name) = ("a name of a torn save", "Анна Иванова")
    #expect(files[0].range(of: Data(torn.utf8)) != nil)
    #expect(files[1].range(of: Data(name.utf8)) != nil)
    let copy = try store.anonymize()
    let texts = try store.texts()
    #expect(texts.contains(name) && !texts.contains(torn))
    #expect(try AnonymousStore.found(texts.union([torn, "secret photo"]), in: copy) == [])
    #expect(try store.value("SELECT length(ZNAME) FROM ZPERSON WHERE Z_PK = 2", in: copy) == 12.databaseValue)
    #expect(try ["", "-journal"].map { try Data(contentsOf: URL(fileURLWithPath: store.path + $0)) } == files)
  }

  @Test(
    "Stores of the sample models",
    arguments: CorpusSample.of(["Orders", "Company", "Family", "Staff", "Todo"], atMost: 1))
  func samples(_ name: String) throws {
    let (versions, _) = LoadedVersion.load(from: [try ModelBundle(at: SampleModels.path(name))])
    #expect(!versions.isEmpty)
    for version in versions {
      let store = try AnonymousStore(version.hierarchy.model)
      let copy = try store.anonymize()
      #expect(try AnonymousStore.found(store.texts(), in: copy) == [])
      #expect(try store.problems(copy) == store.problems(store.path), "\(name) \(version.name)")
      #expect(try store.skeleton(copy) == store.skeleton(store.path))
      #expect(try store.value("PRAGMA journal_mode", in: copy) == store.value("PRAGMA journal_mode"))
      #expect(try store.value("PRAGMA auto_vacuum", in: copy) == store.value("PRAGMA auto_vacuum"))
    }
  }

  @Test("Derived attributes are those of the masked values")
  func derived() throws {
    let store = try AnonymousStore(
      ManagedObjectModel {
        Entity("Team") {
          Attribute("name", .string)
          Attribute("search", .string).derived(from: "canonical:(name)")
          Attribute("size", .integer64).derived(from: "members.@count")
          Relationship("members", toMany: "Member", inverse: "team")
        }
        Entity("Member") {
          Attribute("label", .string).derived(from: "team.name")
          Relationship("team", toOne: "Team", inverse: "members").optional()
        }
      })
    let copy = try store.anonymize()
    let wrong = """
      SELECT (SELECT COUNT(*) FROM ZTEAM WHERE ZSEARCH IS NOT lower(ZNAME)
        OR ZSIZE IS NOT (SELECT COUNT(*) FROM ZMEMBER WHERE ZTEAM = ZTEAM.Z_PK))
        + (SELECT COUNT(*) FROM ZMEMBER WHERE ZLABEL IS NOT (SELECT ZNAME FROM ZTEAM WHERE Z_PK = ZMEMBER.ZTEAM))
      """
    #expect(try store.value(wrong, in: copy) == 0.databaseValue)
    #expect(try AnonymousStore.found(store.texts(), in: copy) == [])
    let triggers = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"
    #expect(try store.value(triggers, in: copy) == store.value(triggers))
  }

  @Test("Numbers are kept within the limits of the model")
  func limits() throws {
    let store = try AnonymousStore(
      ManagedObjectModel {
        Entity("Thing") {
          Attribute("month", .integer16).minimum(1).maximum(12)
          Attribute("share", .double).minimum(0).maximum(1)
        }
      }, rows: 200)
    let copy = try store.anonymize()
    let outside = "SELECT COUNT(*) FROM ZTHING WHERE ZMONTH NOT BETWEEN 1 AND 12 OR ZSHARE NOT BETWEEN 0 AND 1"
    #expect(try store.value(outside, in: copy) == 0.databaseValue)
    #expect(try store.value("SELECT ZMONTH FROM ZTHING", in: copy) != store.value("SELECT ZMONTH FROM ZTHING"))
  }

  /// A store of two things, one of which has the given numbers.
  private func things(_ position: String, _ number: String) throws -> AnonymousStore {
    let store = try AnonymousStore(
      ManagedObjectModel {
        Entity("Thing") {
          Attribute("position", .integer16).optional()
          Attribute("number", .integer64).optional()
        }
      }, rows: 0)
    try store.execute(
      """
      INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZPOSITION, ZNUMBER)
        VALUES (1, 1, 1, 0, 0), (2, 1, 1, \(position), \(number))
      """)
    return store
  }

  @Test("A group is shifted within the range of its narrowest attribute, or its rule is refused")
  func mixedGroup() throws {
    let rules = "Thing.number shift g\nThing.position shift g"
    let store = try things("7", "9000000000")
    for seed in 1...UInt64(CorpusSample.isWhole ? 20 : 8) {
      let copy = try store.anonymize(rules, seed: seed, to: "\(seed).sqlite")
      let moved = """
        SELECT COUNT(DISTINCT ZPOSITION) = 2 AND MIN(ZPOSITION) > 0 AND MAX(ZPOSITION) <= 32767
          AND MAX(ZPOSITION) - MIN(ZPOSITION) = 7 AND MAX(ZNUMBER) - MIN(ZNUMBER) = 9000000000
          AND MIN(ZNUMBER) = MIN(ZPOSITION) FROM ZTHING
        """
      #expect(try store.value(moved, in: copy) == 1.databaseValue)
    }
    let full = try things("32767", "9000000000")
    let names = ["Thing.number", "Thing.position"]
    let error = #expect(throws: AnonymizationError.self) { try full.anonymize(rules) }
    guard case .noShift("rules", _, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.sorted() == names)
    try full.anonymize("Thing.number shift a\nThing.position shift b")
  }

  /// A store whose tags are all numbers of so many digits.
  private func tags(digits: Int) throws -> AnonymousStore {
    let store = try AnonymousStore(
      ManagedObjectModel {
        Entity("Tag") {
          Attribute("word", .string)
          UniquenessConstraint("word")
        }
      }, rows: 0)
    let last = (0..<digits).reduce(1) { number, _ in number * 10 } - 1
    try store.execute(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD)
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(last))
        SELECT i + 1, 1, 1, printf('%0\(digits)d', i) FROM n
      """)
    return store
  }

  @Test("A unique attribute that uses all of its codes gets others that are as unique", arguments: 1...3)
  func allCodes(_ digits: Int) throws {
    let store = try tags(digits: digits)
    for seed in 1...UInt64(3) {
      let copy = try store.anonymize(seed: seed, to: "\(seed).sqlite")
      let words = try [store.path, copy].map { path in
        try store.read(path) { try String.fetchAll($0, sql: "SELECT ZWORD FROM ZTAG ORDER BY Z_PK") }
      }
      #expect(Set(words[1]).count == words[0].count)
      #expect(zip(words[0], words[1]).allSatisfy { $0 != $1 && $0.utf16.count == $1.utf16.count })
    }
  }

  @Test("One value for all objects is refused with its line where it must be unique")
  func replacedUnique() throws {
    let store = try tags(digits: 1)
    let error = AnonymizationError.replacedUnique(path: "rules", line: 2, name: "Tag.word")
    #expect(throws: error) { try store.anonymize("# all alike\nTag.word replace same") }
    #expect("\(error)".hasSuffix("write: Tag.word mask"))
  }

  @Test("Stores of the corpus", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let chosen = CorpusSample.of(all, atMost: 1)
    var (stores, texts, migrated) = (0, 0, 0)
    for file in chosen {
      guard let store = try AnonymousStore(copying: file, of: CorpusVersions.beside(file)) else { continue }
      let copy = try store.anonymize()
      let originals = try store.texts()
      #expect(try AnonymousStore.found(originals, in: copy) == [], "\(file.path)")
      let before = try store.problems(store.path).filter { $0.severity == .error }.map(\.sentence)
      #expect(try store.problems(copy).filter { $0.severity == .error }.map(\.sentence) == before, "\(file.path)")
      #expect(try store.skeleton(copy) == store.skeleton(store.path), "\(file.path)")
      (stores, texts) = (stores + 1, texts + originals.count)
      if try migrate(store, copy, of: file) { migrated += 1 }
    }
    let scope = CorpusSample.scope(chosen.count, of: all.count)
    print("anonymized: \(stores) of \(scope) stores, none of \(texts) texts found, \(migrated) migrated")
    #expect(stores >= CorpusSample.least(44, sampled: 1))
    #expect(migrated >= CorpusSample.least(20, sampled: 0))
  }

  /// Plans the migrations of a store and of its copy to the last version of their bundle, runs both, and compares them.
  ///
  /// - Returns: whether both were migrated.
  private func migrate(_ store: AnonymousStore, _ copy: String, of file: URL) throws -> Bool {
    let own = try LoadedVersion(bundle: "", name: "own", isCurrent: false, model: store.hierarchy.model)
    func isOwn(_ version: LoadedVersion) -> Bool { version.versionHashes == own.versionHashes }
    let bundles = CorpusVersions.bundles(of: file.deletingLastPathComponent().lastPathComponent)
    let bundle = bundles.first { $0.contains(where: isOwn) } ?? bundles.first ?? []
    guard let last = bundle.last, !isOwn(last) else { return false }
    // The copy keeps no model of its own.
    let versions = bundle.contains(where: isOwn) ? bundle : [own] + bundle
    var statements: [[String]] = []
    let outcomes = try [store.path, copy].map { path -> String in
      var request = MigrationRequest(path: path, versions: versions, destination: last, now: 0, keepsBackup: false)
      do {
        let plans = try StoreMigrator(request).plan().prepared.stages.map(\.plan)
        statements.append(plans.flatMap(\.steps).map(Self.text))
        request.options.allowedLosses = Set(plans.flatMap(\.losses).map(\.loss.element))
        _ = try StoreMigrator(request).migrate()
        return "migrated"
      } catch is MigrationBlocked {
        return "rows are in the way"
      } catch is InferenceRefusal {
        return "nothing is inferred"
      }
    }
    #expect(outcomes[0] == outcomes[1], "\(file.path)")
    #expect(statements.first == statements.last, "\(file.path)")
    guard outcomes == ["migrated", "migrated"] else { return false }
    let errors = try [store.path, copy].map { path -> [String] in
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      return try reader.verify(against: last.hierarchy).filter { $0.severity == .error }.map(\.sentence)
    }
    #expect(errors[0] == errors[1], "\(file.path)")
    return true
  }

  private static func text(_ step: PlanStep) -> String {
    switch step.action {
    case .sql(let statement): statement.text
    case .policy: "a policy"
    }
  }
}
