import AtomicStores
import ModelDescription
import ModelFiles
import ObjectStores
import StoreRows

/// An object of a text with the key that it has in the store.
struct NamedObject {
  let parsed: ParsedObject
  let id: RecordID
  /// Whether the object is inserted; false if an existing object is updated.
  let isNew: Bool
}

/// Finds the object of a store for each object of a text, and the targets of its links.
struct ObjectNaming {
  private let model: LoadModel
  private let transaction: StoreTransaction
  private let objects: [ParsedObject]
  private let isNew: Bool
  private let updates: Bool
  private(set) var findings: LoadFindings
  /// The objects that keys of the text name, by root entity.
  private var byKey: [RecordID: RecordID] = [:]
  /// The objects with a value of a matched attribute: those of the store, or else the object of the text.
  private var byValue: [LoadMatch: [RecordValue: [RecordID]]] = [:]

  init(
    _ model: LoadModel, _ transaction: StoreTransaction, _ objects: [ParsedObject], isNew: Bool, updates: Bool,
    findings: LoadFindings
  ) {
    (self.model, self.transaction, self.objects) = (model, transaction, objects)
    (self.isNew, self.updates, self.findings) = (isNew, updates, findings)
  }

  /// The objects with their keys, in the order of the text.
  mutating func named() throws -> [NamedObject] {
    try readValues()
    let present = try presentKeys()
    var greatest: [String: Int64] = [:]
    for object in objects {
      if let key = object.key { greatest[object.entity.root] = max(greatest[object.entity.root] ?? key, key) }
    }
    var named: [NamedObject] = []
    var taken: Set<RecordID> = []
    for object in objects {
      let root = object.entity.root
      let given = object.key.map { RecordID(entity: root, key: $0) }
      if let given, byKey[given] != nil {
        findings.add(.text(.duplicateKey("\(root) \(given.key)")), at: object.location)
        continue
      }
      var there: [RecordID] = []
      if let (match, value) = value(of: object) {
        there = byValue[match]?[value] ?? []
        if there.count > 1 { findings.add(.ambiguous(there, property: match.attribute), at: object.location) }
      } else if let given, let id = present[given] {
        there = [id]
      }
      if let found = there.first {
        if let given { byKey[given] = found }
        guard there.count == 1 else { continue }
        guard taken.insert(RecordID(entity: root, key: found.key)).inserted else {
          findings.add(.matchedTwice(found), at: object.location)
          continue
        }
        guard updates else {
          findings.add(.alreadyThere(found), at: object.location)
          continue
        }
        guard found.entity == object.entity.name else {
          findings.add(.otherEntity(found), at: object.location)
          continue
        }
        named.append(NamedObject(parsed: object, id: found, isNew: false))
        continue
      }
      // Keys of matched objects are names inside the text.
      let isKept = isNew || model.match(of: object.entity.name) == nil
      let key = try isKept ? object.key ?? newKey(object, greatest) : newKey(object, greatest)
      let id = RecordID(entity: object.entity.name, key: key)
      taken.insert(RecordID(entity: root, key: key))
      if let given { byKey[given] = id }
      if let (match, value) = value(of: object) { byValue[match, default: [:]][value] = [id] }
      named.append(NamedObject(parsed: object, id: id, isNew: true))
    }
    return named
  }

  private func newKey(_ object: ParsedObject, _ greatest: [String: Int64]) throws -> Int64 {
    try transaction.newKey(for: object.entity.name, above: greatest[object.entity.root] ?? 0)
  }

  /// The value that an object is matched by; nil if it is not matched.
  private func value(of object: ParsedObject) -> (LoadMatch, RecordValue)? {
    guard let match = model.match(of: object.entity.name), let value = object.values[match.attribute], value != .null
    else { return nil }
    return (match, value)
  }

  /// Asks the store for the objects that have the values of matched objects and links.
  private mutating func readValues() throws {
    var wanted: [LoadMatch: Set<RecordValue>] = [:]
    for object in objects {
      if let (match, value) = value(of: object) { wanted[match, default: []].insert(value) }
      for (name, targets) in object.links {
        guard case .relationship(let relationship)? = object.entity.properties[name],
          let match = model.match(of: relationship.destinationEntityName ?? "")
        else { continue }
        for case .value(let value, _) in targets { wanted[match, default: []].insert(value) }
      }
    }
    for (match, values) in wanted {
      let found = try transaction.saved.objects(of: match.entity, with: [match.attribute], in: values.map { [$0] })
      byValue[match] = Dictionary(found.map { ($0.key[0], $0.value) }) { first, _ in first }
    }
  }

  /// The objects of the store with keys of the text, by root entity; matched entities are left out.
  private func presentKeys() throws -> [RecordID: RecordID] {
    var keys: [String: Set<Int64>] = [:]
    for object in objects where model.match(of: object.entity.name) == nil {
      if let key = object.key { keys[object.entity.root, default: []].insert(key) }
    }
    var present: [RecordID: RecordID] = [:]
    for (root, keys) in keys {
      for record in try transaction.saved.records(of: root, keys: keys.sorted()) {
        present[RecordID(entity: root, key: record.id.key)] = record.id
      }
    }
    return present
  }

  /// The target of an object's link; nil if there is none, with an error.
  mutating func target(
    _ target: ParsedObject.Target, of object: NamedObject, along relationship: RelationshipDescription
  ) -> RecordID? {
    switch target {
    case .key(let id):
      let root = model.hierarchy.rootName(of: id.entity)
      if let known = byKey[RecordID(entity: root, key: id.key)] {
        if model.hierarchy.isEntity(known.entity, kindOf: id.entity) { return known }
      } else if model.match(of: id.entity).map({ !model.keyed.contains($0.entity) }) ?? true {
        return id
      }
      let blocker = SaveBlocker(.noSuchObject(id), object.id, isNew: object.isNew, property: relationship.name)
      findings.add(.save(blocker), at: object.parsed.location)
      return nil
    case .value(let value, let text):
      let match = model.match(of: relationship.destinationEntityName ?? "")
      let ids = match.flatMap { byValue[$0]?[value] } ?? []
      switch ids.count {
      case 1: return ids[0]
      case 0: findings.add(.noMatch(text, property: relationship.name), at: object.parsed.location)
      default: findings.add(.ambiguousLink(text, property: relationship.name, objects: ids), at: object.parsed.location)
      }
      return nil
    }
  }
}
