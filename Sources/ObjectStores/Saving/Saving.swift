public import ModelDescription
public import StoreRows

/// The result of a save, computed from the objects before, the requested changes and the model.
///
/// Deletes are propagated, inverses are set, objects are validated, and uniqueness and versions are checked, in the
/// order of Core Data. Nothing is written.
public struct Saving: Hashable, Sendable {
  /// The rows to write.
  public let writes: RecordWrites
  /// The existing objects that replaced new ones because of a merge policy.
  public let merged: [RecordID: RecordID]
  /// The decimal numbers that the store keeps with fewer digits, in the order of the rows.
  public internal(set) var rounded: [RoundedDecimal]
  /// The dangling links that the save removes from an atomic store.
  public internal(set) var linksToNothing: [LinkToNothing] = []

  /// Computes a save.
  ///
  /// - Parameters:
  ///   - changes: the requested changes.
  ///   - policy: the handling of an object that another save changed, and of equal unique values.
  /// - Throws: ``SaveError`` with every blocker, and the errors of the source.
  public init(
    _ changes: RecordChanges, of source: some SavedObjects, model hierarchy: EntityHierarchy,
    merging policy: MergePolicy = .error
  ) throws {
    try self.init(changes, of: source, SavingModel(hierarchy), merging: policy)
  }

  /// Computes a save, or the rows before further changes, which are not validated.
  init(
    _ changes: RecordChanges, of source: some SavedObjects, _ model: SavingModel, merging policy: MergePolicy,
    isFinal: Bool = true
  ) throws {
    var changes = changes
    var merged: [RecordID: RecordID] = [:]
    while true {
      var attempt = SavingAttempt(model: model, source: source, policy: policy)
      try attempt.apply(changes)
      let collisions = try UniquenessSearch.collisions(in: attempt.graph)
      let merges =
        policy == .error
        ? [:]
        : Dictionary(collisions.filter(\.isNew).map { ($0.object, $0.other) }, uniquingKeysWith: { first, _ in first })
      guard merges.isEmpty else {
        changes = changes.merging(merges, policy)
        merged = merged.mapValues { merges[$0] ?? $0 }.merging(merges) { _, new in new }
        continue
      }
      attempt.report(collisions)
      let writes = try attempt.finish(validating: isFinal)
      (self.writes, self.merged) = (writes, merged)
      rounded = [writes.insertions, writes.updates].joined().flatMap { row in
        RoundedDecimal.all(in: row.values, of: row.id, attributes: model.entity(row.id.entity)?.decimals ?? [])
      }
      return
    }
  }
}

extension RecordChanges {
  /// The same changes with new objects replaced by existing ones, to which their changes then apply.
  func merging(_ merges: [RecordID: RecordID], _ policy: MergePolicy) -> RecordChanges {
    if merges.isEmpty { return self }
    func target(_ id: RecordID) -> RecordID {
      var target = id
      // Merges lead to an object that is kept, which merges into nothing else.
      while let next = merges[target], next != target { target = next }
      return target
    }
    func value(_ value: RecordValue) -> RecordValue {
      switch value {
      case .object(let id): .object(target(id))
      case .objects(let ids): .objects(ids.map(target))
      default: value
      }
    }
    return RecordChanges(
      operations.compactMap { operation in
        switch operation {
        case .insert(let id, let values):
          let values = values.mapValues(value)
          guard merges[id] != nil else { return .insert(id, values) }
          // To-many relationships of the dropped object go to the kept one, which keeps its own.
          let edits = values.compactMapValues { value -> [LinkEdit]? in
            if policy != .rollback, case .objects(let ids) = value { ids.map { .insert($0) } } else { nil }
          }
          let own = policy == .propertiesOfMine || policy == .overwrite ? values.filter { edits[$0.key] == nil } : [:]
          return .update(RecordUpdate(target(id), values: own, edits: edits, isWhole: policy == .overwrite))
        case .update(var update):
          update.id = target(update.id)
          update.values = update.values.mapValues(value)
          update.edits = update.edits.mapValues { edits in
            edits.map { edit in
              switch edit {
              case .insert(let id, let place): .insert(target(id), at: place)
              case .remove(let id): .remove(target(id))
              }
            }
          }
          return .update(update)
        case .delete(let id, let version): return merges[id] == nil ? .delete(id, version: version) : nil
        }
      })
  }
}

/// The handling of an object that another save changed since it was read, and of objects with equal unique values.
///
/// The names of Core Data's policies are in parentheses.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is saved (`NSErrorMergePolicy`).
  case error
  /// Merge by property; my value wins for properties that I set (`NSMergeByPropertyObjectTrumpMergePolicy`).
  case propertiesOfMine
  /// Merge by property; the store's value wins for properties that another save changed
  /// (`NSMergeByPropertyStoreTrumpMergePolicy`).
  case propertiesOfStore
  /// My complete object wins, including properties that I did not change (`NSOverwriteMergePolicy`).
  case overwrite
  /// The store's object is kept, and mine is discarded (`NSRollbackMergePolicy`).
  case rollback
}

/// Finds objects that break uniqueness constraints.
struct UniquenessSearch {
  /// Two objects with the same values.
  struct Collision {
    let object: RecordID
    let isNew: Bool
    /// The object that already has the values: in the store, or earlier in the save.
    let other: RecordID
    let properties: [String]
  }

  /// A constraint with the values that objects of a save have for it.
  private struct Question {
    let entity: String
    let properties: [String]
    var holders: [[RecordValue]: [Int]] = [:]
    var order: [[RecordValue]] = []

    mutating func add(_ position: Int, with values: [RecordValue]) {
      if holders[values]?.append(position) == nil {
        holders[values] = [position]
        order.append(values)
      }
    }
  }

  /// - Returns: the collisions, in the order of the objects.
  static func collisions<Source>(in graph: SavingGraph<Source>) throws -> [Collision] {
    var questions: [String: Question] = [:]
    for (position, object) in graph.objects.enumerated() where !object.isDeleted {
      let changed = object.entity.constraints.isEmpty ? [] : object.changed
      for constraint in object.entity.constraints {
        guard object.isNew || constraint.properties.contains(where: changed.contains) else { continue }
        let values = constraint.properties.map { object.value($0) }
        // A missing value never collides, as in SQLite's unique index.
        guard !values.contains(.null) else { continue }
        let key = "\(constraint.entity) \(constraint.properties)"
        questions[key, default: Question(entity: constraint.entity, properties: constraint.properties)]
          .add(position, with: values)
      }
    }
    var collisions: [(position: Int, collision: Collision)] = []
    for question in questions.sorted(by: { $0.key < $1.key }).map(\.value) {
      let saved = try graph.source.objects(of: question.entity, with: question.properties, in: question.order)
      for values in question.order {
        let positions = question.holders[values] ?? []
        // A stored object counts if it is not deleted and keeps its values.
        let own = Set(positions.map { graph.objects[$0].id })
        let stored = (saved[values] ?? []).filter { id in
          guard !own.contains(id) else { return false }
          guard let known = graph.known(id) else { return true }
          return !known.isDeleted && question.properties.map { known.value($0) } == values
        }
        let first = stored.first ?? positions.first { !graph.objects[$0].isNew }.map { graph.objects[$0].id }
        let kept = first ?? positions.first.map { graph.objects[$0].id }
        guard let kept else { continue }
        for position in positions where graph.objects[position].id != kept {
          let object = graph.objects[position]
          collisions.append(
            (position, Collision(object: object.id, isNew: object.isNew, other: kept, properties: question.properties)))
        }
      }
    }
    return collisions.sorted { $0.position < $1.position }.map(\.collision)
  }
}
