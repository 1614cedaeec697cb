import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Every object of the corpus is read and written", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusRoundTripTests {
  @Test("A fresh store has the same objects, values, links and orders, and verify finds no error in it")
  func roundTrip() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let chosen = CorpusSample.of(all, atMost: 4)
    var (stores, objects, links, opened) = (0, 0, 0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      let identified = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
      reader.close()
      guard let model = identified else { continue }
      let before = try Dump(path: path, model: model)
      guard before.objects.values.contains(where: { !$0.isEmpty }) else { continue }
      if FileManager.default.isWritableFile(atPath: path), let own = try? ObjectStore.open(at: path) {
        #expect(Set(own.hierarchy.model.entities.map(\.name)) == Set(model.entities.map(\.name)), "\(file.path)")
        try own.close()
        opened += 1
      }
      let copy = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
      let ids = try write(before, into: copy, file.path)
      guard let ids else { continue }
      try copy.close()
      let after = try Dump(path: folder.path("copy.sqlite"), model: model)
      #expect(before.renamed(by: ids).differences(from: after).prefix(5) == [], "\(file.path)")
      let checker = try StoreReader(path: folder.path("copy.sqlite"))
      let findings = try checker.verify(against: EntityHierarchy(model)).filter { $0.severity == .error }
      #expect(findings == [], "\(file.path): \(findings)")
      checker.close()
      stores += 1
      objects += before.objects.count
      links += before.links.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }
    print(
      "round trip: \(objects) objects with \(links) links of to-many relationships, in \(stores) of",
      "\(CorpusSample.scope(chosen.count, of: all.count)) stores; \(opened) opened by the model that they keep")
    #expect(stores > 0)
  }

  /// Writes all objects in one save; nil when the rows break rules of their model, as rows that were there before a rule do.
  private func write(_ dump: Dump, into store: ObjectStore, _ name: String) throws -> [RecordID: RecordID]? {
    do {
      return try store.write { transaction in
        var ids: [RecordID: RecordID] = [:]
        let known = dump.objects.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
        for id in known {
          let attributes = dump.objects[id, default: [:]].filter { if case .object = $0.value { false } else { true } }
          ids[id] = try transaction.insert(id.entity, attributes)
        }
        for id in known {
          guard let new = ids[id] else { continue }
          var values = dump.objects[id, default: [:]].compactMapValues { value -> RecordValue? in
            if case .object(let target) = value { ids[target].map { .object($0) } } else { nil }
          }
          for (relationship, targets) in dump.links[id] ?? [:] {
            values[relationship] = .objects(targets.compactMap { ids[$0] })
          }
          if !values.isEmpty { try transaction.update(new, values) }
        }
        return ids
      }
    } catch let error as SaveError {
      print("  \(name): \(error.problems.count) rows break rules of the model: \(error.problems[0])")
      return nil
    }
  }
}

/// Everything that a store holds, by object.
private struct Dump {
  var objects: [RecordID: [String: RecordValue]] = [:]
  /// The objects of to-many relationships; in the order of their keys where there is no other.
  var links: [RecordID: [String: [RecordID]]] = [:]
  private let hierarchy: EntityHierarchy

  init(path: String, model: ManagedObjectModel) throws {
    let hierarchy = try EntityHierarchy(model)
    self.hierarchy = hierarchy
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let folder = ExternalData.folder(ofStore: path)
    (objects, links) = try reader.read { database in
      let reading = try RecordReading(of: hierarchy, path: path, in: database)
      var objects: [RecordID: [String: RecordValue]] = [:]
      var links: [RecordID: [String: [RecordID]]] = [:]
      for entity in hierarchy.model.entities where !entity.isAbstract {
        var request = RecordRequest(entity.name)
        request.includesSubentities = false
        let derived = Set(
          hierarchy.allAttributes(of: entity.name).values.filter { $0.property.derivation != nil }.map(\.property.name))
        try reading.forEach(request) { record in
          objects[record.id] = record.values.filter { !derived.contains($0.key) }.mapValues { value in
            guard let file = value.externalFile else { return value }
            return FileManager.default.contents(atPath: "\(folder)/\(file)").map { .attribute(.binary($0)) } ?? .null
          }
        }
        let keys = objects.keys.filter { $0.entity == entity.name }.map(\.key)
        for relationship in hierarchy.allRelationships(of: entity.name).values.map(\.property)
        where relationship.isToMany && !relationship.isTransient && !keys.isEmpty {
          for (key, targets) in try reading.links(along: relationship.name, of: entity.name, from: keys) {
            links[RecordID(entity: entity.name, key: key), default: [:]][relationship.name] = targets
          }
        }
      }
      return (objects, links)
    }
  }

  /// The same with other identifiers; links that lead to no object are left out.
  func renamed(by ids: [RecordID: RecordID]) -> Dump {
    var renamed = self
    renamed.objects = Dictionary(
      uniqueKeysWithValues: objects.compactMap { id, values in
        ids[id].map { new in
          (
            new,
            values.mapValues { value in
              if case .object(let target) = value { ids[target].map { .object($0) } ?? .null } else { value }
            }
          )
        }
      })
    renamed.links = Dictionary(
      uniqueKeysWithValues: links.compactMap { id, lists in
        ids[id].map { ($0, lists.mapValues { $0.compactMap { ids[$0] } }) }
      })
    return renamed
  }

  func differences(from other: Dump) -> [String] {
    var found: [String] = []
    if Set(objects.keys) != Set(other.objects.keys) { found.append("other objects") }
    for (id, values) in objects where other.objects[id] != values {
      let differing = values.filter { other.objects[id]?[$0.key] != $0.value }
      found.append("\(id): \(differing) and \(differing.keys.map { other.objects[id]?[$0] ?? .null })")
    }
    for id in Set(links.keys).union(other.links.keys) {
      for relationship in hierarchy.allRelationships(of: id.entity).values.map(\.property) where relationship.isToMany {
        let (mine, theirs) = (links[id]?[relationship.name] ?? [], other.links[id]?[relationship.name] ?? [])
        let isEqual = relationship.isOrdered ? mine == theirs : Set(mine) == Set(theirs)
        if !isEqual { found.append("\(id).\(relationship.name): \(mine) and \(theirs)") }
      }
    }
    return found
  }
}
