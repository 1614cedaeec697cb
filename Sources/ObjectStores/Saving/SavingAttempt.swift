import MigrationSQL
import ModelDescription
import StoreRows

/// One attempt of a save: the changes are applied, validated, and converted to rows.
struct SavingAttempt<Source: SavedObjects> {
  let policy: MergePolicy
  private(set) var graph: SavingGraph<Source>
  private var blockers: [SaveBlocker] = []

  init(model: SavingModel, source: Source, policy: MergePolicy) {
    self.policy = policy
    graph = SavingGraph(model: model, source: source)
  }

  // MARK: Changes

  mutating func apply(_ changes: RecordChanges) throws {
    // New objects come first, so that none of them is looked for in the store.
    for case .insert(let id, let values) in changes.operations { insert(id, values) }
    try graph.prefetch(changes.namedObjects)
    for operation in changes.operations {
      switch operation {
      case .insert(let id, let values):
        guard let position = try graph.position(of: id) else { continue }
        try link(values, of: position)
      case .update(let update): try apply(update)
      case .delete(let id, let version): try delete(id, version)
      }
    }
    blockers += try graph.propagateDeletes()
  }

  private mutating func insert(_ id: RecordID, _ values: [String: RecordValue]) {
    guard let entity = graph.model.entity(id.entity) else { return }
    if entity.isAbstract { blockers.append(SaveBlocker(.abstract, id, isNew: true)) }
    graph.insertNew(id, entity, values)
  }

  /// Sets the relationships among values.
  private mutating func link(_ values: [String: RecordValue], of position: Int) throws {
    for relation in graph.objects[position].entity.relations {
      guard let value = values[relation.name] else { continue }
      switch value {
      case .null where relation.isToMany: try graph.replace(relation, of: position, with: [])
      case .null: try graph.setToOne(relation, of: position, to: nil)
      case .object(let target) where !relation.isToMany:
        guard try isThere(target, for: relation, of: position) else { continue }
        try graph.setToOne(relation, of: position, to: target)
      case .objects(let targets) where relation.isToMany:
        let present = try targets.filter { try isThere($0, for: relation, of: position) }
        guard present.count == targets.count else { continue }
        try graph.replace(relation, of: position, with: targets)
      default: report(.wrongType(expected: relation.isToMany ? "objects" : "an object"), position, relation.name)
      }
    }
  }

  /// True if a destination object exists and is of the relationship's entity; if not, a blocker is reported.
  private mutating func isThere(
    _ target: RecordID, for relation: SavingModel.Relation, of position: Int
  ) throws -> Bool {
    guard let other = try graph.position(of: target) else {
      report(.noSuchObject(target), position, relation.name)
      return false
    }
    let id = graph.objects[other].id
    guard graph.model.hierarchy.isEntity(id.entity, kindOf: relation.destination) else {
      report(.wrongDestination(id, expected: relation.destination), position, relation.name)
      return false
    }
    guard isMeant(id, by: target) else {
      report(.noSuchObject(target), position, relation.name)
      return false
    }
    return true
  }

  /// The position of an object to change; nil if it does not exist.
  private mutating func position(of id: RecordID) throws -> Int? {
    guard let position = try graph.position(of: id), isMeant(graph.objects[position].id, by: id) else { return nil }
    return position
  }

  /// True if an identifier means an object, by the object's entity or an ancestor.
  ///
  /// The same key with a different entity is another object.
  private func isMeant(_ id: RecordID, by name: RecordID) -> Bool {
    id.entity == name.entity || graph.model.hierarchy.isEntity(id.entity, kindOf: name.entity)
  }

  private mutating func report(_ kind: SaveBlocker.Kind, _ position: Int, _ property: String? = nil) {
    let object = graph.objects[position]
    blockers.append(SaveBlocker(kind, object.id, isNew: object.isNew, property: property))
  }

  private mutating func apply(_ update: RecordUpdate) throws {
    guard let position = try position(of: update.id) else {
      if policy == .error || policy == .overwrite || policy == .propertiesOfMine {
        blockers.append(SaveBlocker(.deletedMeanwhile, update.id, isNew: false))
      }
      return
    }
    guard var values = merged(update, at: position) else { return }
    let entity = graph.objects[position].entity
    if update.isWhole {
      values.merge(entity.initialValues) { value, _ in value }
      for relation in entity.relations where !relation.isToMany && values[relation.name] == nil {
        values[relation.name] = .null
      }
    }
    for attribute in entity.attributes {
      if let value = values[attribute.name] { graph.set(attribute.name, of: position, to: value) }
    }
    try link(values, of: position)
    for relation in entity.relations {
      for edit in update.edits[relation.name] ?? [] {
        switch edit {
        case .insert(let target, let place):
          guard try isThere(target, for: relation, of: position) else { continue }
          try graph.insert(target, into: relation, of: position, at: relation.description.isOrdered ? place : nil)
        case .remove(let target):
          if let other = graph.known(target), !isMeant(other.id, by: target) { continue }
          try graph.remove(target, from: relation, of: position)
        }
      }
    }
  }

  /// The values of an update that a merge policy accepts; nil if it accepts none.
  private mutating func merged(_ update: RecordUpdate, at position: Int) -> [String: RecordValue]? {
    guard let read = update.version, let before = graph.objects[position].before, before.version != read else {
      return update.values
    }
    switch policy {
    case .error:
      report(.changedMeanwhile(read: read, found: before.version), position)
      return nil
    case .rollback: return nil
    case .propertiesOfMine: return update.values
    case .overwrite: return update.read.merging(update.values) { _, mine in mine }
    case .propertiesOfStore:
      return update.values.filter { name, _ in
        guard let known = update.read[name] else { return true }
        return known == before.values[name] ?? .null
      }
    }
  }

  private mutating func delete(_ id: RecordID, _ version: Int64?) throws {
    guard let position = try position(of: id) else {
      if policy == .error { blockers.append(SaveBlocker(.deletedMeanwhile, id, isNew: false)) }
      return
    }
    if let version, let before = graph.objects[position].before, before.version != version {
      switch policy {
      case .error: return report(.changedMeanwhile(read: version, found: before.version), position)
      case .rollback, .propertiesOfStore: return
      case .overwrite, .propertiesOfMine: break
      }
    }
    graph.markDeleted(position)
  }

  // MARK: The end

  mutating func report(_ collisions: [UniquenessSearch.Collision]) {
    for collision in collisions {
      blockers.append(
        SaveBlocker(
          .notUnique(collision.properties, other: collision.other), collision.object, isNew: collision.isNew,
          property: collision.properties.count == 1 ? collision.properties.first : nil))
    }
  }

  /// Validates new and changed objects, and returns the rows to write.
  mutating func finish(validating isFinal: Bool) throws -> RecordWrites {
    let touched = graph.objects.indices.filter { position in
      let object = graph.objects[position]
      return !object.isDeleted && (object.isNew || !object.changed.isEmpty)
    }
    try graph.prefetchLists(
      touched.flatMap { position in
        graph.objects[position].entity.relations.filter(\.isCounted).map { (position, $0) }
      })
    if isFinal {
      let expressions = RegularExpressions()
      for position in touched {
        try validate(position, expressions)
        try expressions.checkSum()
      }
    }
    // Rules that later changes can satisfy are checked at the end; SQLite would refuse two rows with the same value.
    let inTheWay = isFinal ? blockers : blockers.filter(\.isCollision)
    guard inTheWay.isEmpty else { throw SaveError(blockers: Set(inTheWay).sorted { $0.sortKey < $1.sortKey }) }
    return try RecordWrites(graph, touched)
  }

  private mutating func validate(_ position: Int, _ expressions: RegularExpressions) throws {
    let object = graph.objects[position]
    var validation = RecordValidation(
      object.entity, object.id, isNew: object.isNew, expressions: expressions, untyped: object.untyped)
    for attribute in object.entity.attributes {
      validation.check(
        attribute, object.heldValue(attribute.name), path: attribute.name,
        isChanged: object.isNew || object.isChanged(attribute.name))
    }
    for relation in object.entity.relations {
      guard relation.isToMany else {
        validation.check(relation, toOne: object.value(relation.name))
        if object.isChanged(relation.name), case .object(let target) = object.value(relation.name),
          let other = try graph.position(of: target),
          graph.objects[other].isDeleted
        {
          report(.noSuchObject(target), position, relation.name)
        }
        continue
      }
      guard relation.isCounted else { continue }
      validation.check(relation, count: object.lists[relation.name]?.count ?? 0)
    }
    blockers += validation.blockers
  }
}

extension RecordChanges {
  /// All objects in the changes: objects to change and objects to link to.
  fileprivate var namedObjects: [RecordID] {
    func ids(_ value: RecordValue) -> [RecordID] {
      switch value {
      case .object(let id): [id]
      case .objects(let ids): ids
      default: []
      }
    }
    return operations.flatMap { operation -> [RecordID] in
      switch operation {
      case .insert(_, let values): values.values.flatMap(ids)
      case .update(let update):
        [update.id] + update.values.values.flatMap(ids)
          + update.edits.values.joined().map { edit in
            switch edit {
            case .insert(let id, _), .remove(let id): id
            }
          }
      case .delete(let id, _): [id]
      }
    }
  }
}

extension SaveBlocker {
  fileprivate var isCollision: Bool { if case .notUnique = kind { true } else { false } }

  /// The order of blockers: by entity, key, property and error number, so that their list is always the same.
  fileprivate var sortKey: String {
    let key = String(UInt64(bitPattern: object.key), radix: 16)
    return
      "\(object.entity)\u{0}\(String(repeating: "0", count: max(0, 16 - key.count)))\(key)\u{0}\(property ?? "")\u{0}\(code)"
  }
}
