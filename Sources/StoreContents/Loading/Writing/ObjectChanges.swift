import ModelDescription
import ModelFiles
import ObjectStores
import StoreRows

/// What a save is asked for so that links are what either side says.
///
/// Lists of objects that are there come first, as they may take objects out; then the lists of new objects and the to-one
/// relationships, which only add.
struct ObjectChanges {
  /// An object with what its links lead to; a relationship with a link that leads nowhere is left out.
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

  /// Links whose other end says other objects, or none.
  ///
  /// What a new object leaves empty says nothing, and a list of an object that is there says nothing of new objects: they only
  /// add links.
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
    guard let name = relationship.inverseName, let destination = relationship.destinationEntityName else { return true }
    return model.hierarchy.allRelationships(of: destination)[name]?.property.isToMany ?? true
  }
}
