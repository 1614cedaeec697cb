import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Every object of the corpus is read", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusRecordTests {
  @Test("As many objects as there are rows, with every value, and as many links as the tables hold")
  func objects() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let chosen = CorpusSample.of(all, atMost: 6)
    var (stores, objects, values, links) = (0, 0, 0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      guard let model = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model else { continue }
      let hierarchy = try EntityHierarchy(model)
      try reader.read { database in
        let reading = try RecordReading(of: hierarchy, path: path, in: database)
        let snapshot = try StoreSnapshot(reading: database, counting: true)
        var found: [String: Int] = [:]
        for entity in hierarchy.model.entities where !entity.isAbstract {
          var request = RecordRequest(entity.name)
          request.includesSubentities = false
          var keys: [Int64] = []
          try reading.forEach(request) { record in
            keys.append(record.id.key)
            values += record.values.count { $0.value != .null }
            #expect(record.id.entity == entity.name)
          }
          #expect(try reading.count(request) == keys.count)
          found[entity.name] = keys.count
          for relationship in hierarchy.allRelationships(of: entity.name).values.map(\.property)
          where relationship.isToMany && !relationship.isTransient && !keys.isEmpty {
            let lists = try reading.links(along: relationship.name, of: entity.name, from: keys)
            links += lists.values.reduce(0) { $0 + $1.count }
            #expect(lists.values.allSatisfy { Set($0).count == $0.count }, "\(file.path) \(relationship.name)")
          }
        }
        let layout = BoundLayout(of: hierarchy, to: snapshot).layout
        for entity in hierarchy.model.entities where !entity.isAbstract {
          guard let table = layout.table(ofEntity: entity.name), let number = layout.number(of: entity.name) else {
            continue
          }
          #expect(found[entity.name] == snapshot.rowCounts[table.name]?[number] ?? 0, "\(file.path) \(entity.name)")
        }
        objects += found.values.reduce(0, +)
      }
      stores += 1
    }
    print(
      "objects read: \(objects) with \(values) values and \(links) links of to-many relationships,",
      "in \(stores) of \(CorpusSample.scope(chosen.count, of: all.count)) stores")
    #expect(objects > 100)
  }
}
