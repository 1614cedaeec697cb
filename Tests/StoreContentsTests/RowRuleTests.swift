import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreMigration
import StoreRows
import TestSupport
import Testing

@testable import AtomicStores

@Suite("The conditions of a row are one rule")
struct RowRuleTests {
  /// Whether a required to-many may be empty, as stores that Core Data saved show.
  @Test("A required to-many without a minimum may be empty, and a mapping that makes its objects takes them")
  func emptyToMany() throws {
    for (least, isRefused) in [(0, false), (1, true)] {
      let trial = try RowTrial(
        model: RowTrial.model { box in
          box.relationships[0].isOptional = false
          box.relationships[0].minCount = least
        }, seed: 3)
      try trial.execute("UPDATE ZITEM SET ZBOX = NULL, Z_FOK_BOX = NULL")
      #expect(try trial.refusedByMapping().isEmpty != isRefused)
      #expect(try trial.refusedByUpdate().isEmpty != isRefused)
      #expect(try trial.refusedByLoad().isEmpty != isRefused)
      #expect(try trial.foundByVerify().isEmpty != isRefused)
    }
  }

  @Test("Objects below the minimum of an optional to-many are found among any number of valid empty objects")
  func amongEmpty() throws {
    let trial = try RowTrial(
      model: RowTrial.model { box in
        box.relationships[0].isOptional = true
        box.relationships[0].minCount = 2
      }, seed: 3, rows: 400)
    try trial.execute("UPDATE ZITEM SET ZBOX = NULL, Z_FOK_BOX = NULL; UPDATE ZITEM SET ZBOX = 390 WHERE Z_PK = 1")
    #expect(try trial.refusedByLoad() == ["Box 390 items"])
  }

  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  @Test("Migrations, verify, updates and loads agree on every row of random models and stores")
  func agreement() throws {
    var refused = 0
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 1
    let count = environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? (CorpusSample.isWhole ? 300 : 40)
    for seed in first..<(first + count) {
      var random = SeededGenerator(seed: seed)
      let trial = try RowTrial(model: RowTrial.random(&random), seed: seed)
      try trial.damage(&random)
      let byUpdate = try trial.refusedByUpdate()
      refused += byUpdate.count
      let byLoad = try trial.refusedByLoad()
      #expect(byLoad == byUpdate, "seed \(seed), load: \(byLoad.symmetricDifference(byUpdate).sorted())")
      let byVerify = try trial.foundByVerify()
      #expect(byVerify == byUpdate, "seed \(seed), verify: \(byVerify.symmetricDifference(byUpdate).sorted())")
      // Limits are asked by a save, and of no old row by a migration; neither are all elements of a composite value.
      let ofMigrations = byUpdate.filter { !$0.hasSuffix(" place") }.subtracting(try trial.limitsFound())
      // What one phase of a migration finds keeps the next from being asked.
      let byMapping = try trial.refusedByMapping()
      #expect(
        byMapping.isSubset(of: byUpdate) && (ofMigrations.isEmpty || !byMapping.isEmpty),
        "seed \(seed), mapping: \(byMapping.sorted()), \(byUpdate.sorted())")
      let (without, with) = (try trial.migrated(by: nil), try trial.migrated(by: WrittenMappingModel()))
      #expect(with.graph.differences(from: without.graph) == [], "seed \(seed), mapping file with nothing to decide")
    }
    #expect(refused >= min(100, Int(count)))
  }
}

/// A store of boxes and items, and what refuses its rows.
private struct RowTrial {
  private let folder: TemporaryFolder
  private let versions: [LoadedVersion]
  private var path: String { folder.path("rows.sqlite") }
  private var hierarchy: EntityHierarchy { versions[0].hierarchy }

  init(model: ManagedObjectModel, seed: UInt64, rows: Int = 2) throws {
    folder = try TemporaryFolder()
    var next = model
    next.entities[0].attributes.append(AttributeDescription(name: "added", type: .string, isOptional: true))
    versions = try [model, next].enumerated().map { position, model in
      try LoadedVersion(bundle: "Rows.xcdatamodeld", name: "v\(position + 1)", isCurrent: position == 1, model: model)
    }
    try StoreCreator(of: hierarchy).create(
      at: path, uuid: UUID(), filling: SyntheticRows(seed: seed, rowsPerEntity: rows))
  }

  static func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
    var box = EntityDescription(name: "Box")
    box.attributes = [
      AttributeDescription(name: "label", type: .string, isOptional: true),
      AttributeDescription(name: "size", type: .integer32, isOptional: true),
      AttributeDescription(name: "weight", type: .double, isOptional: true),
      AttributeDescription(
        name: "place", type: .composite, isOptional: true,
        elements: [
          AttributeDescription(name: "street", type: .string, isOptional: true),
          AttributeDescription(name: "floor", type: .integer16, isOptional: true),
        ]),
      AttributeDescription(name: "touched", type: .integer64, isOptional: true),
    ]
    func link(_ name: String, _ destination: String, _ inverse: String?, most: Int) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destinationEntityName: destination, inverseName: inverse,
        inverseEntityName: inverse.map { _ in destination }, isOptional: true, maxCount: most)
    }
    box.relationships = [
      link("items", "Item", "box", most: 0), link("tags", "Item", "boxes", most: 0),
      link("extras", "Item", nil, most: 0),
    ]
    box.relationships[0].isOrdered = true
    change(&box)
    var crate = EntityDescription(name: "Crate")
    crate.superentityName = "Box"
    var item = EntityDescription(name: "Item")
    item.attributes = [AttributeDescription(name: "touched", type: .integer64, isOptional: true)]
    item.relationships = [link("box", "Box", "items", most: 1), link("boxes", "Box", "tags", most: 0)]
    var part = EntityDescription(name: "Part")
    part.superentityName = "Item"
    return ManagedObjectModel(entities: [box, crate, item, part])
  }

  static func random(_ random: inout SeededGenerator) -> ManagedObjectModel {
    var model = model { box in
      func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
      for position in box.relationships.indices {
        box.relationships[position].isOptional = chance(50)
        box.relationships[position].minCount = Int.random(in: 0...2, using: &random)
        box.relationships[position].maxCount = chance(50) ? 0 : max(2, box.relationships[position].minCount)
      }
      box.attributes[0].isOptional = chance(50)
      if chance(60) { box.attributes[0].validation = .init(minimum: .integer(2), maximum: .integer(40)) }
      if chance(40) { box.attributes[0].validation.regularExpression = "[a-z ]+[0-9a-z]*" }
      if chance(60) { box.attributes[1].validation = .init(minimum: .integer(-5), maximum: .integer(90_000_000)) }
      if chance(60) { box.attributes[2].validation = .init(minimum: .double(-0.5), maximum: .double(9.25)) }
      box.attributes[3].isOptional = chance(60)
      for position in box.attributes[3].elements.indices {
        box.attributes[3].elements[position].isOptional = chance(60)
      }
    }
    if Bool.random(using: &random) { model.entities[2].relationships[0].isOptional = false }
    return model
  }

  func execute(_ sql: String) throws {
    let writer = try StoreWriter(path: path)
    try writer.transaction { try $0.execute(sql: sql) }
    try writer.finish()
  }

  /// Removes values and links, and sets values beyond limits.
  func damage(_ random: inout SeededGenerator) throws {
    let statements = [
      "UPDATE ZBOX SET ZLABEL = NULL", "UPDATE ZBOX SET ZLABEL = '😀'", "UPDATE ZBOX SET ZLABEL = 'A-1'",
      "UPDATE ZBOX SET ZSIZE = -6", "UPDATE ZBOX SET ZSIZE = 90000001", "UPDATE ZBOX SET ZWEIGHT = 9.5",
      "UPDATE ZBOX SET ZWEIGHT = -1", "UPDATE ZBOX SET ZSTREET = NULL", "UPDATE ZBOX SET ZFLOOR = NULL",
      "UPDATE ZITEM SET ZBOX = NULL, Z_FOK_BOX = NULL", "UPDATE ZITEM SET ZBOX = 1, Z_FOK_BOX = Z_PK * 1024",
    ]
    for statement in statements where Int.random(in: 0..<3, using: &random) == 0 {
      try execute("\(statement) WHERE Z_PK % 4 = \(Int.random(in: 0..<4, using: &random))")
    }
    let layout = SQLStoreLayout(of: hierarchy)
    for table in layout.tables {
      guard case .join = table.content, Bool.random(using: &random) else { continue }
      try execute("DELETE FROM \"\(table.name)\" WHERE rowid % 2 = \(Int.random(in: 0..<2, using: &random))")
    }
    guard
      case .owner(let table, let column, _)? = layout.storage(
        ofRelationship: PropertyAddress(entity: "Box", property: "extras"), in: hierarchy)
    else { return }
    try execute(
      "UPDATE \"\(table)\" SET \"\(column)\" = NULL WHERE Z_PK % 3 = \(Int.random(in: 0..<3, using: &random))")
  }

  private func name(_ entity: String, _ key: Int64, _ property: String) -> String {
    "\(hierarchy.rootName(of: entity)) \(key) \(property.prefix { $0 != "." })"
  }

  func refusedByUpdate() throws -> Set<String> {
    let store = try ObjectStore.open(path, model: hierarchy.model)
    var refused: Set<String> = []
    for object in try StoreDocument(storeAt: path, model: hierarchy).objects {
      do {
        try store.write { try $0.update(object.id, ["touched": .attribute(.integer(1))]) }
      } catch let error as SaveError {
        for blocker in error.blockers {
          refused.insert(name(blocker.object.entity, blocker.object.key, blocker.property ?? ""))
        }
      }
    }
    try store.close()
    return refused
  }

  func refusedByLoad() throws -> Set<String> {
    let text = folder.path("dump\(UUID()).jsonl")
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    try StoreDump(as: .jsonLines).write(reader, of: hierarchy, to: text)
    do {
      _ = try StoreLoading(text, format: .jsonl, version: versions[0]).run(to: folder.path("loaded\(UUID()).sqlite"))
      return []
    } catch LoadError.findings(let findings, more: 0) {
      return Set(
        findings.map { finding in
          guard case .save(let blocker) = finding.cause else { return finding.description }
          return name(blocker.object.entity, blocker.object.key, blocker.property ?? "")
        })
    }
  }

  private func findings() throws -> [StoreFinding] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.verify(against: hierarchy, matching: RegularExpressions().matchesWhole)
      .filter { [.missingValue, .linkCount, .limit].contains($0.kind) }
  }

  func foundByVerify() throws -> Set<String> {
    Set(
      try findings().flatMap { finding in
        finding.primaryKeys.map { name(finding.entity ?? "", $0, finding.property ?? "") }
      })
  }

  /// Values beyond limits, where nothing else is wrong with the property.
  func limitsFound() throws -> Set<String> {
    let all = try findings()
    let others = all.filter { $0.kind != .limit }
    func names(_ findings: [StoreFinding]) -> Set<String> {
      Set(
        findings.flatMap { finding in finding.primaryKeys.map { name(finding.entity ?? "", $0, finding.property ?? "") }
        })
    }
    return names(all).subtracting(names(others))
  }

  /// What a mapping model refuses that makes every object as inference would.
  func refusedByMapping() throws -> Set<String> {
    let mapping = WrittenMappingModel(
      entityMappings: hierarchy.model.entities.map { WrittenEntityMapping(source: $0.name, destination: $0.name) })
    do {
      _ = try migrated(by: mapping)
      return []
    } catch let blocked as MigrationBlocked {
      return Set(
        blocked.blockers.flatMap { blocker -> [String] in
          guard case .property(let entity, let property) = blocker.blocker.element else { return ["\(blocker)"] }
          return blocker.firstKeys.map { name(entity, $0, property) }
        })
    }
  }

  /// A copy of the store in the second version: by a mapping file, or without one.
  func migrated(by written: WrittenMappingModel?) throws -> StoreContent {
    let copy = folder.path("copy\(UUID()).sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    var pathFinder = MigrationPathFinder()
    if let written {
      let model = try written.running(from: hierarchy, to: versions[1].hierarchy)
      pathFinder = MigrationPathFinder(mappings: [
        KnownMapping(path: "m.xml", source: versions[0], destination: versions[1], model: model)
      ])
    }
    _ = try StoreMigrator(
      MigrationRequest(
        path: copy, versions: versions, destination: versions[1], pathFinder: pathFinder,
        options: MigrationOptions(keepsFirst: ["Item.box"]), keepsBackup: false)
    ).migrate()
    return try StoreContent(copy, versions[1].hierarchy)
  }
}
