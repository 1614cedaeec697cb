import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows

/// Everything that a store of the corpus holds, by object.
struct CorpusDump {
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

  /// Writes all objects in one save.
  ///
  /// - Parameters:
  ///   - store: a store without objects.
  ///   - author: who saves; nil for the one of the store's options.
  ///   - name: what the objects are from.
  /// - Returns: the new identifiers; nil when the rows break rules of their model, as rows that were there before a rule do.
  /// - Throws: what keeps the store from being written, besides its model's rules.
  func write(to store: ObjectStore, author: String? = nil, _ name: String) throws -> [RecordID: RecordID]? {
    do {
      return try store.write(author: author) { transaction in
        var ids: [RecordID: RecordID] = [:]
        let known = objects.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
        for id in known {
          let attributes = objects[id, default: [:]].filter { if case .object = $0.value { false } else { true } }
          ids[id] = try transaction.insert(id.entity, attributes)
        }
        for id in known {
          guard let new = ids[id] else { continue }
          var values = objects[id, default: [:]].compactMapValues { value -> RecordValue? in
            if case .object(let target) = value { ids[target].map { .object($0) } } else { nil }
          }
          for (relationship, targets) in links[id] ?? [:] {
            values[relationship] = .objects(targets.compactMap { ids[$0] })
          }
          if !values.isEmpty { try transaction.update(new, values) }
        }
        return ids
      }
    } catch let error as SaveError {
      print("  \(name): \(error.blockers.count) rows break rules of the model: \(error.blockers[0])")
      return nil
    }
  }

  /// The same with other identifiers; links that lead to no object are left out.
  func renamed(by ids: [RecordID: RecordID]) -> CorpusDump {
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

  func differences(from other: CorpusDump) -> [String] {
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
