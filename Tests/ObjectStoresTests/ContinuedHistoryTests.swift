import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("The persistent history of an app continues", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct ContinuedHistoryTests {
  /// A copy of a store of the corpus that its user may write to.
  private struct Copy {
    let folder: TemporaryFolder
    let path: String

    init(_ file: URL) throws {
      folder = try TemporaryFolder()
      path = folder.path("store.sqlite")
      try FileManager.default.copyItem(atPath: file.path, toPath: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    func rows(_ sql: String) throws -> [Row] {
      let queue = try DatabaseQueue(path: path)
      defer { try? queue.close() }
      return try queue.read { try Row.fetchAll($0, sql: sql) }
    }

    /// How far the numbers of changes, transactions and texts are used up.
    func maxima() throws -> [Int64] {
      try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT").map { $0[0] }
    }

    func errors() throws -> [StoreFinding] {
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      let model = try #require(try reader.identify(among: []).model)
      return try reader.verify(against: EntityHierarchy(model)).filter { $0.severity == .error }
    }
  }

  @Test("The next number follows the saves of an app, and their records are kept")
  func saves() throws {
    let files = Corpus.files(in: "swiftdata/thierryH91200+PegaseUIData/stores") { $0 == "SampleManager.store" }
    let copy = try Copy(try #require(files.first))
    let store = try ObjectStore.open(at: copy.path)
    let before = try store.history()
    let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    let rows = try tables.map { try copy.rows("SELECT * FROM \($0) ORDER BY Z_PK") }
    let maxima = try copy.maxima()
    #expect(before.count == 291 && before.last?.number == 331 && maxima == [2453, 331, 100])
    let account = RecordID(entity: "EntityAccount", key: 1)
    let made = try store.write { transaction in
      try transaction.update(account, ["name": "Savings"])
      return try transaction.insert(
        "EntityFolderAccount", ["name": "Bank", "uuid": .attribute(.uuid(UUID()))])
    }
    let after = try store.history()
    #expect(Array(after.dropLast()) == before)
    let new = try #require(after.last)
    #expect(new.number == 332 && new.author == "modelctl" && new.context == nil && new.bundle == new.process)
    #expect(new.process == ProcessInfo.processInfo.processName)
    #expect(new.changes.map(\.kind) == [.insert, .update] && new.changes.map(\.object) == [made, account])
    #expect(new.changes.map(\.properties) == [[], ["name"]])
    #expect(try store.history(after: 331) == [new])
    try store.close()
    #expect(try copy.maxima() == [2455, 332, 102])
    for (table, old) in zip(tables, rows) {
      #expect(try Array(copy.rows("SELECT * FROM \(table) ORDER BY Z_PK").prefix(old.count)) == old, "\(table)")
    }
    #expect(try copy.errors() == [])
  }

  @Test("In a store whose history is empty the first save has the number 1")
  func empty() throws {
    var stores = 0
    for file in Corpus.files(in: "stores-empty/alemar11+CoreDataPlus", where: { $0.hasSuffix(".sqlite") }) {
      let copy = try Copy(file)
      guard try !copy.rows("SELECT 1 FROM sqlite_master WHERE name = 'ACHANGE'").isEmpty else { continue }
      stores += 1
      #expect(try copy.maxima() == [0, 0, 0])
      let store = try ObjectStore.open(at: copy.path)
      #expect(try store.history() == [])
      let made = try store.write {
        try $0.insert("Feedback", ["authorAlias": "a", "bookID": .attribute(.uuid(UUID())), "rating": 4.5])
      }
      try store.write { try $0.update(made, ["comment": "good"]) }
      let history = try store.history()
      #expect(history.map(\.number) == [1, 2], "\(file.path)")
      #expect(history.flatMap(\.changes).map(\.object) == [made, made])
      #expect(history.flatMap(\.changes).map(\.properties) == [[], ["comment"]])
      try store.close()
      #expect(try copy.maxima() == [2, 2, 2])
      #expect(try copy.errors() == [], "\(file.path)")
    }
    #expect(stores == 3)
  }
}
