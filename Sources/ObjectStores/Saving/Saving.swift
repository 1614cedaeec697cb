public import ModelDescription
public import StoreRows

/// What a save comes to: a pure function of the objects before, the changes that are asked for, and the model.
///
/// Deletes are propagated, inverses set, everything is validated, and uniqueness and versions are looked at, in the order in
/// which Core Data does it. Nothing is written.
public struct Saving: Hashable, Sendable {
  /// The rows to write.
  public let writes: RecordWrites
  /// The objects that took the place of new ones, where a merge policy made one of two.
  public let merged: [RecordID: RecordID]
  /// The decimal numbers that the store keeps in fewer digits, in the order of the rows.
  public internal(set) var rounded: [RoundedDecimal]
  /// The links that the save empties in a store of another kind than SQLite, as they lead to objects which are not there.
  public internal(set) var linksToNothing: [LinkToNothing] = []

  /// Works out a save.
  ///
  /// - Parameters:
  ///   - changes: what is asked for.
  ///   - source: the objects as they are.
  ///   - hierarchy: the model.
  ///   - policy: what happens where somebody else saved the same object, or has the same unique values.
  /// - Throws: ``SaveError`` with every blocker, and what the source throws.
  public init(
    _ changes: RecordChanges, of source: some SavedObjects, model hierarchy: EntityHierarchy,
    merging policy: MergePolicy = .error
  ) throws {
    try self.init(changes, of: source, SavingModel(hierarchy), merging: policy)
  }

  /// Works out a save, or what it would write before more changes come, which is not validated.
  init(
    _ changes: RecordChanges, of source: some SavedObjects, _ model: SavingModel, merging policy: MergePolicy,
    unmirrored: UnmirroredValues? = nil, isFinal: Bool = true
  ) throws {
    var changes = changes
    var merged: [RecordID: RecordID] = [:]
    while true {
      var attempt = SavingAttempt(model: model, source: source, policy: policy, unmirrored: unmirrored)
      try attempt.apply(changes)
      let collisions = try UniquenessSearch.collisions(in: attempt.graph)
      let merges =
        policy == .error
        ? [:]
        : Dictionary(
          collisions.filter(\.isNew).map { ($0.object, $0.other) }, uniquingKeysWith: { first, _ in first })
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
  /// The same with new objects taken for others: what was asked for one is asked for the other.
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
          return .update(
            RecordUpdate(target(id), values: own, edits: edits, isWhole: policy == .overwrite))
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
