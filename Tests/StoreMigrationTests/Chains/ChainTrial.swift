import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// One random chain of versions, migrated in every way.
struct ChainTrial {
  let seed: UInt64

  struct Tally: CustomStringConvertible {
    var migrated = 0
    var blocked = 0
    var separate = 0
    var values = 0
    var links = 0

    var description: String {
      "\(migrated) chains migrated, \(values) values and \(links) links compared; \(blocked) blocked by rows, \(separate) not to be composed"
    }
  }

  /// Versions made by random edits, each inferable from the one before.
  func versions() throws -> [ManagedObjectModel] {
    var edits = VersionEdits(random: SeededGenerator(seed: seed))
    var chain = [VersionEdits.start]
    let count = 4 + Int(seed % 3)
    for _ in 0..<400 where chain.count < count {
      guard let model = chain.last, let last = try? EntityHierarchy(model) else { break }
      let edited = edits.edit(model)
      guard edited != model, let next = try? EntityHierarchy(edited),
        (try? MappingModel.inferred(from: last, to: next)) != nil
      else { continue }
      chain.append(edited)
    }
    return chain
  }

  func run(_ tally: inout Tally) throws {
    let models = try versions()
    if ProcessInfo.processInfo.environment["MODELCTL_OUTLINE"] != nil {
      for (position, model) in models.enumerated() { print("v\(position + 1)\n\(model.outline)") }
    }
    let store = try VersionedStore(models, rows: 7, seed: seed)
    let last = store.versions.count - 1
    let comment = Comment(rawValue: "seed \(seed)")
    #expect(try store.problems(at: 0) == [], comment)
    let pathFinder = MigrationPathFinder()
    let stepped = try store.copy()
    var current = store.lastPosition(alike: 0)
    while current < last {
      let position = current + 1
      do {
        let pair = [store.versions[current], store.versions[position]]
        let result = try ConsentingMigration.run(stepped.path, to: pair[1], among: pair, pathFinder: pathFinder)
        guard case .migrated = result else {
          tally.blocked += 1
          return
        }
        #expect(try stepped.problems(at: position) == [], "seed \(seed), step to \(position)")
        current = store.lastPosition(alike: position)
      } catch {
        Issue.record(error, "seed \(seed), step to \(position)")
        return
      }
    }
    guard store.versions[0].versionHashes != store.versions[last].versionHashes else { return }
    let migrationPath = try pathFinder.migrationPath(
      from: store.versions[0], to: store.versions[last], among: store.versions)
    // What only an intermediate version holds is not in a direct migration; the plan says so.
    guard migrationPath.detour == nil, let mapping = migrationPath.parts.first?.mapping, mapping.isInferred else {
      return tally.separate += 1
    }
    let before = try store.content(at: 0)
    let expected = try stepped.content(at: last)
    for strategy in MigrationStrategy.allCases {
      let direct = try store.copy()
      do {
        let result = try ConsentingMigration.run(
          direct.path, to: store.versions[last], among: store.versions, pathFinder: pathFinder, strategy: strategy)
        guard case .migrated = result else {
          Issue.record("the direct migration is \(result) where steps are not, seed \(seed)")
          return
        }
      } catch {
        Issue.record(error, "seed \(seed), \(strategy)")
        return
      }
      let after = try direct.content(at: last)
      #expect(try direct.problems(at: last) == [], "seed \(seed), \(strategy)")
      #expect(after.graph.differences(from: expected.graph) == [], "seed \(seed), \(strategy)")
      #expect(after.graph.wrongCounts(by: store.versions[last].hierarchy) == [], "seed \(seed), \(strategy)")
      #expect(after.schema.symmetricDifference(expected.schema) == [], "seed \(seed), \(strategy)")
      var comparison = GraphComparison(
        before: before.graph, after: after.graph, source: store.versions[0].hierarchy,
        destination: store.versions[last].hierarchy, mapping: mapping)
      #expect(comparison.differences() == [], "seed \(seed), \(strategy)")
      tally.values += comparison.comparedValues
      tally.links += comparison.comparedLinks
    }
    tally.migrated += 1
  }
}

extension VersionedStore {
  /// The last version with the hashes of this one: a store of this one is also of that one, and no path leads in a circle.
  fileprivate func lastPosition(alike position: Int) -> Int {
    versions.lastIndex { $0.versionHashes == versions[position].versionHashes } ?? position
  }
}

extension ObjectGraph {
  /// The derived attributes of the form `relationship.@count` that do not say how many links there are.
  func wrongCounts(by model: EntityHierarchy) -> [String] {
    var found: [String] = []
    for entity in model.model.entities {
      for (path, declared) in model.allAttributes(of: entity.name) {
        guard let expression = declared.property.derivation?.expression, expression.hasSuffix(".@count"),
          let relationship = model.allRelationships(of: entity.name)[String(expression.dropLast(7))]
        else { continue }
        let ends = Dictionary(
          grouping: links["\(relationship.entity.name).\(relationship.property.name)"] ?? [], by: \.near)
        for (key, values) in rows[entity.name] ?? [:] {
          let (actual, expected) = (values[path], ends[key]?.count ?? 0)
          if actual != expected.databaseValue {
            found.append("\(entity.name).\(path) of \(key): \(String(describing: actual)), not \(expected)")
          }
        }
      }
    }
    return found
  }
}
