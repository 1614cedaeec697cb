import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Persistent history of the corpus is read", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusHistoryTests {
  @Test("Every change has its object, and every update at least one property; nothing is left out")
  func history() throws {
    let files = ["swiftdata", "stores", "stores-empty"].flatMap { folder in
      Corpus.files(in: folder) { $0.hasSuffix("sqlite") || $0.hasSuffix("store") }
    }
    var (stores, saves, changes, updates, lists) = (0, 0, 0, 0, 0)
    for file in files {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      guard let reader = try? StoreReader(path: path) else { continue }
      defer { reader.close() }
      let hasHistory = try reader.read { try $0.tableExists("ACHANGE") }
      guard hasHistory, let model = try reader.identify(among: []).model else { continue }
      let hierarchy = try EntityHierarchy(model)
      try reader.read { database in
        let transactions = try RecordReading(of: hierarchy, path: path, in: database).history()
        let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ACHANGE") ?? 0
        let all = transactions.flatMap(\.changes)
        #expect(all.count == count, "\(file.path)")
        #expect(all.allSatisfy { $0.kind != nil && $0.object != nil }, "\(file.path)")
        let changed = all.filter { $0.kind == .update }
        #expect(changed.allSatisfy { !$0.properties.isEmpty || !$0.incoming.isEmpty }, "\(file.path)")
        for transaction in transactions { lists += try check(transaction, hierarchy, file.path) }
        #expect(transactions.allSatisfy { $0.process != nil && $0.moment != nil }, "\(file.path)")
        stores += 1
        saves += transactions.count
        changes += count
        updates += changed.count
      }
    }
    print(
      "history: \(saves) saves with \(changes) changes, \(updates) of them updates with \(lists) lists, in \(stores) stores"
    )
    #expect(stores > 3 && changes > 1000 && lists > 20)
  }

  /// A list changes with what comes into it: a bit that stood for another property would find nothing of it.
  ///
  /// Somebody removed the rows of deleted objects, so that saves without new ones have lists and nothing else.
  private func check(
    _ transaction: HistoryTransaction, _ model: EntityHierarchy, _ path: String
  ) throws -> Int {
    let touched = Set(transaction.changes.compactMap(\.object?.entity).flatMap { model.lineage(of: $0).map(\.name) })
    guard transaction.changes.contains(where: { $0.kind == .insert }) else { return 0 }
    var lists = 0
    for change in transaction.changes where change.kind == .update {
      let object = try #require(change.object)
      for name in change.properties {
        guard let relationship = model.allRelationships(of: object.entity)[name]?.property, relationship.isToMany
        else { continue }
        lists += 1
        let destination = try #require(relationship.destinationEntityName)
        #expect(touched.contains(destination), "save \(transaction.number), \(object): \(name), \(path)")
      }
      for address in change.incoming {
        #expect(touched.contains(address.entity), "save \(transaction.number), \(object): \(address), \(path)")
      }
    }
    return lists
  }
}
