import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows

/// The result of filling a store, and the head of the text.
struct FilledStore {
  var outcome: StoreLoading.Outcome
  let head: LoadSource.Head
  /// The numbers of which SQLite keeps fewer digits, for a caller that needs all digits.
  let numbers: [RoundedDecimal]
}

/// Inserts or updates the objects of a text in one save.
struct StoreFilling {
  private let loading: StoreLoading
  private let text: LoadSource
  private let model: LoadModel

  init(_ loading: StoreLoading, _ text: LoadSource, _ model: LoadModel) {
    (self.loading, self.text, self.model) = (loading, text, model)
  }

  /// Loads the objects.
  ///
  /// - Parameter fileName: names files of external data in a new store; nil for an existing store.
  func run(_ path: String, naming fileName: (@Sendable () -> String)? = nil) throws -> FilledStore {
    var request = MigrationRequest(path: path, versions: loading.versions, destination: loading.version)
    request.references = loading.references
    var options = OpeningOptions()
    (options.migration, options.createsMissing) = (.refuse, false)
    (options.busyTimeout, options.writesMirrored) = (loading.busyTimeout, loading.writesMirrored)
    (options.readsBesideWriter, options.takesTurn) = (false, true)
    options.interruption = loading.interruption
    if let fileName { options.externalName = fileName }
    let store: ObjectStore
    do {
      store = try ObjectStore.open(request, options: options)
    } catch ObjectStoreError.newer(let path, let version, let wanted) {
      throw LoadError.newerStore(path: path, version: version, wanted: wanted)
    }
    do {
      let filled = try fill(store, StoreLoading.Outcome(isNew: fileName != nil))
      try store.close()
      return filled
    } catch {
      try? store.close()
      throw error
    }
  }

  private func fill(_ store: ObjectStore, _ empty: StoreLoading.Outcome) throws -> FilledStore {
    var outcome = empty
    let (read, objects, model, head) = try parsed(isNew: outcome.isNew)
    var parsing = read
    var locations: [RecordID: SourceLocation] = [:]
    var unread: Set<PropertyOfObject> = []
    do {
      let saving = try store.saving(isWritten: loading.isWritten || outcome.isNew) { transaction in
        var naming = ObjectNaming(
          model, transaction, objects, isNew: outcome.isNew, updates: loading.updates, findings: parsing.findings)
        let named = try naming.named()
        for object in named {
          locations[object.id] = object.parsed.location
          for property in object.parsed.unread {
            unread.insert(PropertyOfObject(object: object.id, property: property))
          }
          let entity = object.id.entity
          if object.isNew {
            outcome.inserted[entity, default: 0] += 1
          } else {
            outcome.updated[entity, default: 0] += 1
          }
        }
        let changes = ObjectChanges(named, model, &naming)
        unread.formUnion(changes.unread)
        parsing.findings = naming.findings
        for (blocker, location) in changes.contradictions { parsing.findings.add(.save(blocker), at: location) }
        try changes.apply(transaction)
        guard !parsing.findings.isEmpty else { return }
        // What the save would find is listed, too; nothing of it is written.
        do {
          _ = try transaction.check()
        } catch let error as SaveError {
          add(error, locations, unread, to: &parsing.findings)
        }
        try parsing.findings.end()
      }
      var rounded = RoundedCounts()
      for number in saving.rounded {
        guard let location = locations[number.object] else { continue }
        rounded.add(number, at: location)
      }
      outcome.rounded = rounded.all
      return FilledStore(outcome: outcome, head: head, numbers: saving.rounded)
    } catch let error as SaveError {
      add(error, locations, unread, to: &parsing.findings)
      try parsing.findings.end()
      throw error
    }
  }

  /// Reads all objects; for a text with matches, first the keys, which decide how links are read.
  private func parsed(isNew: Bool) throws -> (ObjectParsing, [ParsedObject], LoadModel, LoadSource.Head) {
    var model = model
    if !loading.matches.isEmpty {
      let parsing = ObjectParsing(model)
      try text.read(model) { object in
        guard let (entity, key) = parsing.name(of: object), key != nil, let match = model.match(of: entity.name) else {
          return
        }
        model.keyed.insert(match.entity)
      }
    }
    var parsing = ObjectParsing(model)
    var objects: [ParsedObject] = []
    let head = try text.read(model) { object in
      guard !parsing.findings.isFull, let parsed = parsing.parse(object) else { return }
      objects.append(parsed)
    }
    try loading.check(head, isNew: isNew)
    return (parsing, objects, model, head)
  }

  private func add(
    _ error: SaveError, _ locations: [RecordID: SourceLocation], _ unread: Set<PropertyOfObject>,
    to findings: inout LoadFindings
  ) {
    let whole = SourceLocation(file: text.path, line: 1, column: 1)
    var unread = unread
    // A link that leads nowhere is missing, too, and that is said once.
    for blocker in error.blockers {
      guard case .noSuchObject = blocker.kind, let property = blocker.property else { continue }
      let isNew = unread.insert(PropertyOfObject(object: blocker.object, property: property)).inserted
      if isNew { findings.add(.save(blocker), at: locations[blocker.object] ?? whole) }
    }
    for blocker in error.blockers {
      if let property = blocker.property,
        unread.contains(PropertyOfObject(object: blocker.object, property: property))
      {
        continue
      }
      findings.add(.save(blocker), at: locations[blocker.object] ?? whole)
    }
  }
}

/// The changes of a save that establish each link of either side.
///
/// The lists of existing objects are applied first, because they may remove links. The lists of new objects and the
/// to-one relationships only add links.
struct ObjectChanges {
  /// An object with the targets of its links; a relationship with a wrong link is left out.
  private struct Linked {
    let object: NamedObject
    let links: [(relationship: RelationshipDescription, ids: [RecordID])]
  }

  /// The relationships that are left out.
  private(set) var unread: Set<PropertyOfObject> = []
  private let objects: [Linked]
  private let model: LoadModel

  init(_ objects: [NamedObject], _ model: LoadModel, _ naming: inout ObjectNaming) {
    self.model = model
    var linked: [Linked] = []
    for object in objects {
      var links: [(relationship: RelationshipDescription, ids: [RecordID])] = []
      for (name, targets) in object.parsed.links.sorted(by: { $0.key < $1.key }) {
        guard case .relationship(let relationship)? = object.parsed.entity.properties[name] else { continue }
        let ids = targets.compactMap { naming.target($0, of: object, along: relationship) }
        if ids.count == targets.count {
          links.append((relationship, ids))
        } else {
          unread.insert(PropertyOfObject(object: object.id, property: name))
        }
      }
      linked.append(Linked(object: object, links: links))
    }
    self.objects = linked
  }

  /// Links that their inverse contradicts.
  ///
  /// An empty relationship of a new object does not contradict a link, and a list of an existing object does not
  /// exclude new objects: these only add links.
  var contradictions: [(blocker: SaveBlocker, location: SourceLocation)] {
    var said: [RecordID: [String: Set<RecordID>]] = [:]
    for object in objects {
      for (relationship, ids) in object.links
      where !object.object.isNew || (!relationship.isToMany && !ids.isEmpty) {
        said[object.object.id, default: [:]][relationship.name] = Set(ids)
      }
    }
    var found: [(blocker: SaveBlocker, location: SourceLocation)] = []
    for object in objects {
      for (relationship, ids) in object.links {
        guard let inverse = relationship.inverseName else { continue }
        for id in ids {
          guard let others = said[id]?[inverse], !others.contains(object.object.id) else { continue }
          if object.object.isNew, isToManyInverse(relationship) { continue }
          let blocker = SaveBlocker(
            .contradicted(id, inverse: inverse, isEmpty: others.isEmpty), object.object.id, isNew: object.object.isNew,
            property: relationship.name)
          found.append((blocker, object.object.parsed.location))
        }
      }
    }
    return found
  }

  func apply(_ transaction: StoreTransaction) throws {
    // Elements that stay are read before anything changes: a value may be unique, and on its way to another object.
    let values = try objects.map { linked in
      let object = linked.object
      return object.isNew
        ? object.parsed.newValues : try object.parsed.update { try transaction.object(object.id) }
    }
    var lists: [RecordUpdate] = []
    var additions: [RecordUpdate] = []
    var links: [RecordUpdate] = []
    for (linked, values) in zip(objects, values) {
      let object = linked.object
      var (list, addition, link) = (RecordUpdate(object.id), RecordUpdate(object.id), RecordUpdate(object.id))
      for (relationship, ids) in linked.links {
        if !relationship.isToMany {
          // A new object has no link to take out, and what others say of it stays.
          if object.isNew, ids.isEmpty { continue }
          link.values[relationship.name] = ids.first.map { .object($0) } ?? .null
        } else if !object.isNew {
          list.values[relationship.name] = .objects(ids)
        } else {
          let isPlaced = relationship.isOrdered && isToManyInverse(relationship)
          addition.edits[relationship.name] = ids.enumerated().map { .insert($1, at: isPlaced ? $0 : nil) }
        }
      }
      if object.isNew {
        try transaction.insert(object.id, values)
      } else {
        try transaction.update(object.id, values)
      }
      if !list.values.isEmpty { lists.append(list) }
      if !addition.edits.isEmpty { additions.append(addition) }
      if !link.values.isEmpty { links.append(link) }
    }
    for update in lists + additions + links { try transaction.update(update) }
  }

  private func isToManyInverse(_ relationship: RelationshipDescription) -> Bool {
    model.hierarchy.inverse(of: relationship)?.isToMany ?? true
  }
}

struct PropertyOfObject: Hashable {
  let object: RecordID
  let property: String
}
