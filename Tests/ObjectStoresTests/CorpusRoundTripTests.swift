import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Every object of the corpus is read and written", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusRoundTripTests {
  @Test("A fresh store has the same objects, values, links and orders, and verify finds nothing in it")
  func roundTrip() throws {
    let stores = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let histories = Corpus.files(in: "swiftdata") { $0.hasSuffix("store") }
    let sample = CorpusSample.of(stores, atMost: 4) + CorpusSample.of(histories, atMost: 2)
    let logged = stores.filter { FileManager.default.fileExists(atPath: $0.path + "-wal") }
    let chosen = sample + logged.filter { !sample.contains($0) }.prefix(2)
    var (written, objects, links, opened) = (0, 0, 0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      let identified = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
      reader.close()
      guard let model = identified else { continue }
      let (own, keepsModel) = try open(path, model)
      #expect(Set(own.hierarchy.model.entities.map(\.name)) == Set(model.entities.map(\.name)), "\(file.path)")
      let before = try Dump(own)
      try own.close()
      guard !before.objects.isEmpty else { continue }
      opened += keepsModel ? 1 : 0
      let copy = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
      let ids = try write(before, into: copy, file.path)
      try copy.close()
      guard let ids else { continue }
      let again = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
      #expect(again.opening == .opened)
      #expect(try before.renamed(by: ids).differences(from: Dump(again)).prefix(5) == [], "\(file.path)")
      try again.close()
      let checker = try StoreReader(path: folder.path("copy.sqlite"))
      let findings = try checker.verify(against: EntityHierarchy(model)).filter { !Self.isGuess($0) }
      #expect(findings == [], "\(file.path): \(findings)")
      checker.close()
      written += 1
      objects += before.objects.count
      for lists in before.links.values { for list in lists.values { links += list.count } }
    }
    print(
      "round trip: \(objects) objects with \(links) links of to-many relationships, in \(written) of",
      "\(CorpusSample.scope(chosen.count, of: stores.count + histories.count)) stores; \(opened) opened by the model",
      "that they keep")
    #expect(written > CorpusSample.least(46, sampled: 0))
    #expect(opened > CorpusSample.least(42, sampled: 0))
  }

  /// Opens a store by the model that it keeps, else by the one that it was found to be of.
  private func open(_ path: String, _ model: ManagedObjectModel) throws -> (store: ObjectStore, keepsModel: Bool) {
    do {
      return (try ObjectStore.open(at: path), true)
    } catch ObjectStoreError.noModel {
      var options = OpeningOptions()
      options.migration = .refuse
      return (try ObjectStore.open(path, model: model, options: options), false)
    }
  }

  /// True for the one warning that there may be: only Core Data knows the name of some join tables.
  private static func isGuess(_ finding: StoreFinding) -> Bool {
    finding.severity == .warning && finding.kind == .schema && finding.sentence.contains(" by a guess")
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

  init(_ store: ObjectStore) throws {
    hierarchy = store.hierarchy
    let folder = ExternalData.folder(ofStore: store.path)
    for entity in hierarchy.model.entities where !entity.isAbstract {
      var request = RecordRequest(entity.name)
      request.includesSubentities = false
      let lists = hierarchy.allRelationships(of: entity.name).values.map(\.property)
        .filter { $0.isToMany && !$0.isTransient }.map(\.name)
      let derived = Set(
        hierarchy.allAttributes(of: entity.name).values.filter { $0.property.derivation != nil }.map(\.property.name))
      let records = try store.read { reading in
        try reading.count(request) > 0 ? reading.fetch(request, including: InclusionTree(lists)).objects : []
      }
      for record in records {
        var values: [String: RecordValue] = [:]
        for (name, value) in record.values where !derived.contains(name) {
          if case .objects(let targets) = value {
            links[record.id, default: [:]][name] = targets
          } else if let file = value.externalFile {
            let data = FileManager.default.contents(atPath: "\(folder)/\(file)")
            values[name] = data.map { RecordValue.attribute(.binary($0)) } ?? RecordValue.null
          } else {
            values[name] = value
          }
        }
        objects[record.id] = values
      }
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
