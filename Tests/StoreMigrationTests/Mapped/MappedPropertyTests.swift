import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// Random mapping models between random models over random rows, held against a migration object by object.
struct MappedPropertyTests {
  @Test("set-based migration makes the objects and links that object by object migration makes")
  func property() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELCTL_MAPPED_CASES"].flatMap(Int.init) ?? (CorpusSample.isWhole ? 150 : 35)
    let first = environment["MODELCTL_MAPPED_SEED"].flatMap(UInt64.init) ?? 1
    var tally = MappedTrial.Tally()
    for seed in first..<(first + UInt64(count)) {
      do {
        let differences = try MappedTrial(seed: seed).run(&tally)
        #expect(differences == [], "seed \(seed)")
      } catch {
        Issue.record(error, "seed \(seed)")
      }
    }
    print("mapped migrations, seeds \(first)..<\(first + UInt64(count)): \(tally)")
    #expect(tally.migrated > count / 2)
  }
}

/// One random mapping.
struct MappedTrial {
  let seed: UInt64

  struct Tally: CustomStringConvertible {
    var migrated = 0
    var contested = 0
    var stopped = 0
    var objects = 0
    var links = 0

    var description: String {
      """
      \(migrated) migrated with \(objects) objects and \(links) links; \(contested) of them after several candidates \
      were told, \(stopped) stopped at a row
      """
    }
  }

  func run(_ tally: inout Tally) throws -> [String] {
    var models = RandomModel(random: SeededGenerator(seed: seed))
    let former = models.model()
    let store = try VersionedStore([former, withDefaults(models.model())], rows: 6, seed: seed)
    let (source, destination) = (store.versions[0].hierarchy, store.versions[1].hierarchy)
    try fill(store, source)
    let graph = try store.content(at: 0).graph
    var mappings = RandomStoreMapping(
      random: SeededGenerator(seed: seed &+ 7), source: source, destination: destination)
    var mapping = mappings.mapping()
    if seed % 4 == 0 { giveDefaultPolicies(to: &mapping) }
    let isOutlined = ProcessInfo.processInfo.environment["MODELCTL_OUTLINE"] != nil
    if isOutlined {
      print("from\n\(former.outline)\nto\n\(store.versions[1].hierarchy.model.outline)")
      for entity in mapping.entityMappings { print(entity.outline) }
    }
    let expected: ReferenceMigration
    do {
      expected = try ReferenceMigration(mapping, from: source, to: destination, graph: graph, now: 1000)
    } catch is ReferenceFailure {
      tally.stopped += 1
      let before = try store.files()
      do {
        try store.map(
          by: mapping, MigrationOptions(keepsFirst: everyRelationship(of: destination)), policies: Self.policies)
      } catch is StoreError {} catch is PolicyRunError {} catch is MigrationBlocked {}
      return try store.files() == before ? [] : ["it migrated, or left a trace"]
    }
    var differences: [String] = []
    if !expected.contested.isEmpty {
      tally.contested += 1
      let told = try store.mappingBlockers(mapping, policies: Self.policies).map { String($0.prefix { $0 != " " }) }
      if Set(told) != expected.contested { differences.append("told \(told), expected \(expected.contested)") }
    }
    let after = try store.mapped(
      by: mapping, MigrationOptions(keepsFirst: expected.contested), policies: Self.policies)
    let result = try after.content(at: 1).graph
    if isOutlined {
      for (name, order) in expected.result.orders where order != result.orders[name] {
        for (near, far) in order where far != result.orders[name]?[near] {
          print(name, near, "expected", far, "found", result.orders[name]?[near] ?? [])
        }
      }
      for (name, links) in expected.result.links.sorted(by: { $0.key < $1.key }) where links != result.links[name] {
        print(name, "expected", links.map { "\($0.near)-\($0.far)" }.sorted())
        print(name, "found   ", (result.links[name] ?? []).map { "\($0.near)-\($0.far)" }.sorted())
        print("made", expected.made.map { "M\($0.mapping) \($0.source.entity) \($0.source.key) > \($0.key)" })
      }
    }
    tally.migrated += 1
    tally.objects += result.rows.values.reduce(0) { $0 + $1.count }
    tally.links += result.links.values.reduce(0) { $0 + $1.count }
    return differences + result.plain.differences(from: expected.result.plain)
  }

  /// A policy whose hooks all do the default.
  private final class Default: EntityMigrationPolicy {}

  private static let policies: PolicyRegistry = {
    var policies = PolicyRegistry()
    policies.register("Default") { Default() }
    return policies
  }()

  /// Some mappings go object by object through a policy that does what the mapping says.
  private func giveDefaultPolicies(to mapping: inout MappingModel) {
    for position in mapping.entityMappings.indices where position % 2 == 0 {
      guard mapping.entityMappings[position].filter == nil else { continue }
      mapping.entityMappings[position].policyClassName = "Default"
    }
  }

  private func everyRelationship(of model: EntityHierarchy) -> Set<String> {
    Set(model.model.entities.flatMap { entity in entity.relationships.map { "\(entity.name).\($0.name)" } })
  }

  private func withDefaults(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    for entity in model.entities.indices {
      for position in model.entities[entity].attributes.indices
      where model.entities[entity].attributes[position].type == .string && position % 2 == 0 {
        model.entities[entity].attributes[position].defaultValue = .string("default")
      }
    }
    return model
  }

  /// Values at their edges, and both ends of every one-to-one in agreement.
  private func fill(_ store: VersionedStore, _ source: EntityHierarchy) throws {
    let layout = SQLStoreLayout(of: source)
    let writer = try StoreWriter(path: store.path)
    try writer.transaction { database in
      var rows = RandomRows(random: SeededGenerator(seed: seed &+ 3), hierarchy: source, layout: layout)
      try rows.fill(database)
      for pair in LinkPair.pairs(of: StoreModel(hierarchy: source, layout: layout)) {
        guard case .oneToOne(let near, let column, let far, let inverse) = pair.storage else { continue }
        for (own, link, other, back) in [(near, column, far, inverse), (far, inverse, near, column)] {
          try database.execute(
            sql: """
              UPDATE "\(own.name)" SET "\(link.name)" = NULL WHERE NOT EXISTS (SELECT 1 FROM "\(other.name)" AS o \
              WHERE o.Z_PK = "\(own.name)"."\(link.name)" AND o."\(back.name)" = "\(own.name)".Z_PK)
              """)
        }
      }
    }
    try writer.finish()
  }
}

extension ObjectGraph {
  /// The same graph without empty parts and with whole floating-point numbers as integers.
  var plain: ObjectGraph {
    var graph = self
    graph.rows = rows.filter { !$0.value.isEmpty }.mapValues { $0.mapValues { $0.mapValues(\.plain) } }
    graph.links = links.filter { !$0.value.isEmpty }
    graph.orders = orders.mapValues { $0.filter { !$0.value.isEmpty } }.filter { !$0.value.isEmpty }
    return graph
  }
}

extension DatabaseValue {
  fileprivate var plain: DatabaseValue {
    guard case .double(let number) = storage, let whole = Int64(exactly: number) else { return self }
    return whole.databaseValue
  }
}

extension EntityMapping {
  /// The mapping's links, one line each.
  fileprivate var outline: String {
    let lines = relationshipMappings.map { "  \($0.name) = \($0.value)" }
    return (["\(name): \(source ?? "-") > \(destination ?? "-") \(filter.map { "where \($0)" } ?? "")"] + lines)
      .joined(separator: "\n")
  }
}
