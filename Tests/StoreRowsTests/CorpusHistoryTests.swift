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
    var (stores, saves, changes, updates) = (0, 0, 0, 0)
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
        #expect(changed.allSatisfy { !$0.properties.isEmpty }, "\(file.path)")
        #expect(transactions.allSatisfy { $0.process != nil && $0.moment != nil }, "\(file.path)")
        stores += 1
        saves += transactions.count
        changes += count
        updates += changed.count
      }
    }
    print("history: \(saves) saves with \(changes) changes, \(updates) of them updates, in \(stores) stores")
    #expect(stores > 3 && changes > 1000)
  }
}
