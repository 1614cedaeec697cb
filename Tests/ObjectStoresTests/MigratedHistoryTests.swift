import Foundation
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import StoreRows
import TestSupport
import Testing

@testable import ObjectStores

@Suite("Persistent history from before a migration")
struct MigratedHistoryTests {
  private static func migrate(
    _ path: String, _ old: ManagedObjectModel, _ new: ManagedObjectModel, allowing losses: Set<String> = []
  ) throws -> ObjectStore {
    let versions = [
      try LoadedVersion(bundle: "Test", name: "v1", isCurrent: false, model: old),
      try LoadedVersion(bundle: "Test", name: "v2", isCurrent: true, model: new),
    ]
    var options = OpeningOptions()
    options.migration = .to("v2", allowingLossOf: losses)
    return try ObjectStore.open(
      MigrationRequest(path: path, versions: versions, destination: versions[1]), options: options)
  }

  @Test("Each update of random saves still names its properties, by their current names")
  func renamed() throws {
    let seeds = 0..<(ProcessInfo.processInfo.environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? 40)
    var (updates, moved) = (0, 0)
    for seed in seeds {
      var random = RandomSaving(seed: seed)
      let folder = try TemporaryFolder()
      let path = folder.path("random.sqlite")
      let store = try ObjectStore.open(path, model: random.model)
      try HistoryTables.add(to: path)
      var reference = ReferenceGraph(store.hierarchy)
      for _ in 0..<5 {
        var asked = RecordChanges()
        do {
          try store.write { transaction in
            asked = try random.changes(of: reference) { try transaction.insert($0, $1) }
            for operation in asked.operations where !operation.isInsert { try transaction.apply(operation) }
          }
          _ = reference.apply(asked.insertsFirst)
        } catch is SaveError {}
      }
      let before = try store.history()
      try store.close()
      let renaming = Renaming(of: random.model)
      let after = try Self.migrate(path, random.model, renaming.model)
      defer { try? after.close() }
      let found = try after.history()
      #expect(found.map(\.number) == before.map(\.number), "seed \(seed)")
      for (old, new) in zip(before, found) {
        #expect(new.changes.map { Change($0) } == old.changes.map { Change($0, renaming.name(of:)) }, "seed \(seed)")
        updates += old.changes.count { $0.kind == .update }
      }
      moved += before.flatMap(\.changes).count { change in
        guard let entity = change.object?.entity else { return false }
        let now = HistoryBitmap(of: entity, in: after.hierarchy).bits
        return HistoryBitmap(of: entity, in: store.hierarchy).bits.map(renaming.bit) != Array(now.prefix(now.count - 1))
      }
    }
    print("migrated history: \(seeds.count) seeds, \(updates) updates, \(moved) changes of entities whose bits moved")
    #expect(updates > seeds.count && moved > seeds.count)
  }

  /// A change without what depends on the order of names.
  private struct Change: Hashable {
    let kind: HistoryChange.Kind?
    let object: RecordID?
    let properties: Set<String>
    let incoming: Set<PropertyAddress>

    init(_ change: HistoryChange, _ name: (String) -> String = { $0 }) {
      (kind, object, properties) = (change.kind, change.object, Set(change.properties.map(name)))
      incoming = Set(
        change.incoming.map { PropertyAddress(entity: $0.entity, property: name($0.property)) })
    }
  }

  /// A next version in which every property has another name, so that relationships and attributes stand in another order,
  /// and every entity one attribute more.
  private struct Renaming {
    private(set) var model: ManagedObjectModel

    func name(of property: String) -> String {
      (property.hasPrefix("a") ? "x" : "g") + String(property.reversed())
    }

    func bit(_ bit: HistoryBitmap.Bit) -> HistoryBitmap.Bit {
      switch bit {
      case .property(let property): .property(name(of: property))
      case .incoming(let address):
        .incoming(PropertyAddress(entity: address.entity, property: name(of: address.property)))
      }
    }

    init(of old: ManagedObjectModel) {
      model = old
      for position in model.entities.indices {
        for place in model.entities[position].attributes.indices {
          let property = model.entities[position].attributes[place].name
          model.entities[position].attributes[place].renamingIdentifier = property
          model.entities[position].attributes[place].name = name(of: property)
        }
        for place in model.entities[position].relationships.indices {
          let relationship = model.entities[position].relationships[place]
          model.entities[position].relationships[place].renamingIdentifier = relationship.name
          model.entities[position].relationships[place].name = name(of: relationship.name)
          model.entities[position].relationships[place].inverseName = relationship.inverseName.map(name(of:))
        }
        model.entities[position].uniquenessConstraints = model.entities[position].uniquenessConstraints.map {
          $0.map(name(of:))
        }
        model.entities[position].attributes.append(
          AttributeDescription(name: "h\(position)", type: .string, isOptional: true))
      }
    }
  }

  @Test(
    "Values of deleted objects stay with their attributes, which now have other columns, names and types",
    arguments: [1, 2])
  func tombstones(columns: Int) throws {
    let old = ManagedObjectModel {
      Entity("Account") { Attribute("code", .string).optional().preservesValueInHistoryOnDeletion() }
      Entity("Item") {
        Attribute("name", .string).optional().preservesValueInHistoryOnDeletion()
        Attribute("note", .string).optional()
        Attribute("size", .integer32).optional().preservesValueInHistoryOnDeletion()
      }
    }
    let new = ManagedObjectModel {
      Entity("Account") { Attribute("code", .string).optional().preservesValueInHistoryOnDeletion() }
      Entity("Another") { Attribute("x", .string).optional() }
      Entity("Item") {
        Attribute("about", .string).optional().preservesValueInHistoryOnDeletion()
        Attribute("breadth", .double).optional().preservesValueInHistoryOnDeletion().renamingIdentifier("size")
        Attribute("title", .string).optional().preservesValueInHistoryOnDeletion().renamingIdentifier("name")
      }
    }
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let store = try ObjectStore.open(path, model: old)
    try HistoryTables.add(to: path)
    if columns == 2 { try HistoryTables.execute("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB", in: path) }
    let (item, account) = try store.write {
      (
        try $0.insert("Item", ["name": "anna", "size": .number(7), "note": "n"]),
        try $0.insert("Account", ["code": "c1"])
      )
    }
    try store.close()
    let deleting = try ObjectStore.open(path, model: old)
    try deleting.write { try $0.update(item, ["size": .number(8), "note": "m"]) }
    try deleting.write { transaction in for id in [account, item] { try transaction.delete(id) } }
    try deleting.close()
    let after = try Self.migrate(path, old, new, allowing: ["Item.note"])
    defer { try? after.close() }
    let changes = try after.history().flatMap(\.changes)
    #expect(changes.filter { $0.kind == .update }.map(\.properties) == [["breadth"]])
    let left = Dictionary(
      uniqueKeysWithValues: changes.filter { $0.kind == .delete }.map { ($0.object?.entity ?? "", $0.tombstone) })
    let breadth: [String: RecordValue] = columns == 2 ? ["breadth": .attribute(.double(8))] : [:]
    #expect(left == ["Account": ["code": "c1"], "Item": breadth.merging(["title": "anna"]) { first, _ in first }])
    // A deletion from now on keeps all three.
    let made = try after.write {
      try $0.insert("Item", ["about": "a", "breadth": .attribute(.double(2)), "title": "t"])
    }
    try after.write { try $0.delete(made) }
    #expect(
      try after.history().last?.changes.last?.tombstone
        == ["about": "a", "breadth": .attribute(.double(2)), "title": "t"])
  }

  @Test("A migration that leaves every property in its place leaves history as it is")
  func untouched() throws {
    let old = ManagedObjectModel { Entity("Item") { Attribute("name", .string).optional() } }
    var new = old
    new.entities[0].attributes.append(AttributeDescription(name: "size", type: .double, isOptional: true))
    let source = try EntityHierarchy(old)
    #expect(
      try HistoryBitmap(of: "Item", in: EntityHierarchy(new)).bits.prefix(1)
        == HistoryBitmap(of: "Item", in: source).bits[...])
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let store = try ObjectStore.open(path, model: old)
    try HistoryTables.add(to: path)
    let item = try store.write { try $0.insert("Item", ["name": "a"]) }
    try store.write { try $0.update(item, ["name": "b"]) }
    try store.close()
    let versions = [
      try LoadedVersion(bundle: "Test", name: "v1", isCurrent: false, model: old),
      try LoadedVersion(bundle: "Test", name: "v2", isCurrent: true, model: new),
    ]
    let migrator = StoreMigrator(MigrationRequest(path: path, versions: versions, destination: versions[1]))
    let steps = try migrator.plan().prepared.stages.flatMap(\.plan.steps)
    #expect(!steps.isEmpty && !steps.contains { $0.statement.text.contains("ACHANGE") })
    let after = try Self.migrate(path, old, new)
    defer { try? after.close() }
    #expect(try after.history().last?.changes.map(\.properties) == [["name"]])
  }
}
