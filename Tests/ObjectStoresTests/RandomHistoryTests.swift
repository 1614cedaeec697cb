import Foundation
import ModelDescription
import StoreRows
import TestSupport
import Testing

@testable import ObjectStores

@Suite("Persistent history of random saves")
struct RandomHistoryTests {
  /// `MODELCTL_SEEDS` sets how many seeds run.
  private static let seeds: Range<UInt64> = {
    0..<(ProcessInfo.processInfo.environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? 60)
  }()

  private struct Tally {
    var (saves, inserts, updates, deletes, lists) = (0, 0, 0, 0, 0)
  }

  @Test("A save is remembered with the objects, and of each the properties, that the plain reference finds changed")
  func reference() throws {
    var tally = Tally()
    for seed in Self.seeds {
      do {
        try run(seed, &tally)
      } catch {
        Issue.record(error, "seed \(seed)")
      }
    }
    print(
      "random history: \(Self.seeds.count) seeds, \(tally.saves) saves with \(tally.inserts) inserts, \(tally.updates)",
      "updates, \(tally.lists) of them of nothing but lists, and \(tally.deletes) deletes")
    #expect(tally.saves > Self.seeds.count && tally.updates > Self.seeds.count)
    #expect(tally.lists > 0 && tally.deletes > 0)
  }

  private func run(_ seed: UInt64, _ tally: inout Tally) throws {
    var random = RandomSaving(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path("random.sqlite")
    let store = try ObjectStore.open(path, model: random.model)
    defer { try? store.close() }
    try HistoryTables.add(to: path)
    var reference = ReferenceGraph(store.hierarchy)
    var last = HistoryTables.lastTransaction
    for save in 0..<6 {
      let comment = "seed \(seed), save \(save)"
      let before = reference
      var asked = RecordChanges()
      var isSaved = true
      do {
        try store.write { transaction in
          asked = try random.changes(of: reference) { try transaction.insert($0, $1) }
          for operation in asked.operations where !operation.isInsert { try transaction.apply(operation) }
        }
      } catch is SaveError {
        isSaved = false
      }
      let problems = reference.apply(asked.insertsFirst)
      #expect(problems.isEmpty == isSaved, "\(comment)")
      let found = try store.history(after: last)
      guard isSaved, problems.isEmpty else {
        #expect(found == [], "\(comment)")
        if isSaved != problems.isEmpty { return }
        continue
      }
      let difference = GraphDifference(before, reference, asked)
      #expect(found.map(\.number) == (found.isEmpty ? [] : [last + 1]), "\(comment)")
      difference.check(found.flatMap(\.changes), comment)
      last = found.last?.number ?? last
      tally.saves += found.count
      tally.inserts += difference.inserted.count
      tally.updates += difference.updated.count
      tally.deletes += difference.deleted.count
      tally.lists += difference.updated.values.count { $0.isSubset(of: difference.lists) }
    }
  }
}

/// What a save changed, by the plain reference.
private struct GraphDifference {
  private(set) var inserted: Set<RecordID> = []
  private(set) var deleted: Set<RecordID> = []
  /// The properties of an object that was there before and is there after, which have other values.
  private(set) var updated: [RecordID: Set<String>] = [:]
  /// The to-many relationships of the model; no two entities have one of the same name.
  private(set) var lists: Set<String> = []
  /// The to-many relationships that the save names at one of their ends.
  ///
  /// What is put into a list that has it, and what is taken out and put back, counts as a change.
  private var named: Set<String> = []
  /// True where a row keeps the owner of its object, which no property of the object shows.
  private let hasOwners: Bool

  init(_ before: ReferenceGraph, _ after: ReferenceGraph, _ asked: RecordChanges) {
    let hierarchy = after.hierarchy
    let relationships = hierarchy.model.entities.flatMap(\.relationships)
    hasOwners = relationships.contains { $0.isToMany && $0.inverseName == nil }
    lists = Set(relationships.filter(\.isToMany).map(\.name))
    let names = Set(asked.operations.flatMap(\.names))
    let mentioned = relationships.filter { names.contains($0.name) }
    named = Set(mentioned.map(\.name) + mentioned.compactMap(\.inverseName))
    inserted = Set(after.values.keys).subtracting(before.values.keys)
    deleted = Set(before.values.keys).subtracting(after.values.keys)
    for (id, values) in after.values {
      guard let former = before.values[id] else { continue }
      var changed = Set(values.keys.filter { values[$0] != former[$0] })
      for relationship in hierarchy.allRelationships(of: id.entity).values.map(\.property) where relationship.isToMany {
        let now = after.lists[id]?[relationship.name] ?? []
        // An object that goes leaves the list of its owner alone, unless it is to be emptied.
        let then = (before.lists[id]?[relationship.name] ?? []).filter { target in
          let inverse = relationship.inverseName.flatMap { hierarchy.allRelationships(of: target.entity)[$0]?.property }
          return after.values[target] != nil || inverse?.deleteRule == .nullify
        }
        let isSame = relationship.isOrdered ? then == now : Set(then) == Set(now)
        if !isSame { changed.insert(relationship.name) }
      }
      if !changed.isEmpty { updated[id] = changed }
    }
  }

  /// Holds the changes that history has of the save against the difference.
  func check(_ changes: [HistoryChange], _ comment: String) {
    let kinds = changes.map { $0.kind?.rawValue ?? -1 }
    #expect(kinds == kinds.sorted(), "\(comment)")
    func objects(_ kind: HistoryChange.Kind) -> [RecordID] { changes.filter { $0.kind == kind }.compactMap(\.object) }
    #expect(Set(changes.compactMap(\.object)).count == changes.count, "\(comment): an object twice")
    #expect(Set(objects(.insert)) == inserted && Set(objects(.delete)) == deleted, "\(comment)")
    var missing = updated
    for change in changes where change.kind == .update {
      guard let object = change.object else { continue }
      let wanted = missing.removeValue(forKey: object) ?? []
      let found = Set(change.properties)
      #expect(wanted.isSubset(of: found), "\(comment): \(object) has \(found), not \(wanted)")
      #expect(
        found.subtracting(wanted).isSubset(of: named.intersection(lists)),
        "\(comment): \(object) has \(found), not \(wanted)")
      #expect(!found.isEmpty || hasOwners, "\(comment): \(object)")
    }
    #expect(missing.isEmpty, "\(comment): \(missing)")
  }
}

extension RecordChanges.Operation {
  /// The properties that the operation names.
  fileprivate var names: [String] {
    switch self {
    case .insert(_, let values): Array(values.keys)
    case .update(let update): Array(update.values.keys) + Array(update.edits.keys)
    case .delete: []
    }
  }
}
