import Foundation
import ModelDescription
import PersistentStores
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
    var (saves, inserts, updates, deletes, lists, idle) = (0, 0, 0, 0, 0, 0)
  }

  @Test("A save is remembered with the objects and exactly the properties that the plain reference finds changed")
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
      "updates, \(tally.lists) of them of nothing but lists, and \(tally.deletes) deletes; \(tally.idle) lists were",
      "named and have the objects that they had")
    #expect(tally.saves > Self.seeds.count && tally.updates > Self.seeds.count)
    #expect(tally.lists > 0 && tally.deletes > 0 && tally.idle > 0)
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
      tally.idle += difference.idle
      tally.lists += difference.updated.values.count { $0.isSubset(of: difference.lists) }
    }
  }
}

/// The changes of a save, by the plain reference.
private struct GraphDifference {
  private(set) var inserted: Set<RecordID> = []
  private(set) var deleted: Set<RecordID> = []
  /// The properties of an object that was there before and is there after, which count as changed.
  private(set) var updated: [RecordID: Set<String>] = [:]
  /// The to-many relationships among them that have other objects, or another order, by the graphs before and after.
  private var relinked: [RecordID: Set<String>] = [:]
  /// The to-many relationships without inverse that came to an object that stays, or went, which no property of it shows.
  private var incoming: [RecordID: Set<PropertyAddress>] = [:]
  /// The to-many relationships of the model; no two entities have one of the same name.
  private(set) var lists: Set<String> = []
  /// How many to-many relationships count as changed although they have the objects that they had.
  var idle: Int {
    updated.reduce(0) { $0 + $1.value.intersection(lists).subtracting(relinked[$1.key] ?? []).count }
  }

  init(_ before: ReferenceGraph, _ after: ReferenceGraph, _ asked: RecordChanges) {
    let hierarchy = after.hierarchy
    lists = Set(hierarchy.model.entities.flatMap(\.relationships).filter(\.isToMany).map(\.name))
    inserted = Set(after.values.keys).subtracting(before.values.keys)
    deleted = Set(before.values.keys).subtracting(after.values.keys)
    let traces = ListTraces(asked, of: before)
    (updated, incoming) = (traces.changed, traces.incoming)
    for (id, values) in after.values {
      guard let former = before.values[id] else { continue }
      let changed = values.keys.filter { values[$0] != former[$0] }
      if !changed.isEmpty { updated[id, default: []].formUnion(changed) }
      for relationship in hierarchy.allRelationships(of: id.entity).values.map(\.property) where relationship.isToMany {
        let now = after.lists[id]?[relationship.name] ?? []
        // An object that goes leaves the list of its owner alone, unless it is to be emptied.
        let then = (before.lists[id]?[relationship.name] ?? []).filter { target in
          let inverse = relationship.inverseName.flatMap { hierarchy.allRelationships(of: target.entity)[$0]?.property }
          return after.values[target] != nil || inverse?.deleteRule == .nullify
        }
        let isSame = relationship.isOrdered ? then == now : Set(then) == Set(now)
        if !isSame { relinked[id, default: []].insert(relationship.name) }
      }
    }
  }

  /// Holds the changes that history has of the save against the difference.
  func check(_ changes: [HistoryChange], _ comment: String) {
    let kinds = changes.map { $0.kind?.rawValue ?? -1 }
    #expect(kinds == kinds.sorted(), "\(comment)")
    func objects(_ kind: HistoryChange.Kind) -> [RecordID] { changes.filter { $0.kind == kind }.compactMap(\.object) }
    #expect(Set(changes.compactMap(\.object)).count == changes.count, "\(comment): an object twice")
    #expect(Set(objects(.insert)) == inserted && Set(objects(.delete)) == deleted, "\(comment)")
    #expect(Set(objects(.update)) == Set(updated.keys).union(incoming.keys), "\(comment)")
    for change in changes where change.kind == .update {
      guard let object = change.object else { continue }
      let (found, wanted) = (Set(change.properties), updated[object] ?? [])
      #expect(found == wanted, "\(comment): \(object) has \(found), not \(wanted)")
      #expect(Set(change.incoming) == incoming[object] ?? [], "\(comment): \(object)")
      #expect(found.isSuperset(of: relinked[object] ?? []), "\(comment): \(object) has \(found)")
    }
    #expect(Set(relinked.keys).isSubset(of: updated.keys), "\(comment): \(relinked)")
  }
}
