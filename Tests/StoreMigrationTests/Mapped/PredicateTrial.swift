import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import PredicateOracle
import StoreRows
import TestSupport

/// Random predicates over one random store, evaluated by SQL and for the same objects in memory.
struct PredicateTrial {
  let seed: UInt64

  struct Tally: CustomStringConvertible {
    var (predicates, objects, found, stopped, stoppedOneSide) = (0, 0, 0, 0, 0)

    var description: String {
      """
      \(predicates) predicates over \(objects) objects, \(found) found; \(stopped) stopped on both sides, \(stoppedOneSide) on \
      one
      """
    }
  }

  /// Compares as many predicates; every difference in one line.
  func run(_ count: Int, _ tally: inout Tally) throws -> [String] {
    var models = RandomModel(random: SeededGenerator(seed: seed))
    let model = models.model()
    let store = try VersionedStore([model], rows: 7, seed: seed)
    let hierarchy = try EntityHierarchy(model)
    var rows = RandomRows(
      random: SeededGenerator(seed: seed &+ 1), hierarchy: hierarchy, layout: SQLStoreLayout(of: hierarchy))
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try rows.fill($0) }
    try queue.close()
    var random = SeededGenerator(seed: seed &+ 2)
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    return try reader.read { database in
      let reading = try RecordReading(of: hierarchy, path: store.path, in: database)
      let records = try Self.records(reading, hierarchy)
      let objects = RecordObjects(hierarchy, records, of: store.path)
      var found: [String] = []
      for number in 0..<count {
        guard let entity = model.entities.randomElement(using: &random)?.name else { continue }
        var expressions = RandomCompiledExpression(
          random: SeededGenerator(seed: random.next()), hierarchy: hierarchy, entity: entity)
        var request = RecordRequest(entity)
        request.predicate = expressions.condition(3)
        request.includesSubentities = number % 5 > 0
        if let difference = try compare(request, reading, objects, records, &tally) {
          found.append("seed \(seed), predicate \(number) of \(entity): \(difference)")
        }
      }
      return found
    }
  }

  /// Every object with its links.
  private static func records(_ reading: RecordReading, _ hierarchy: EntityHierarchy) throws -> [ObjectRecord] {
    var all: [ObjectRecord] = []
    for entity in hierarchy.model.entities {
      var request = RecordRequest(entity.name)
      request.includesSubentities = false
      var records = try reading.fetch(request)
      for relationship in hierarchy.allRelationships(of: entity.name).values.map(\.property)
      where relationship.isToMany && !relationship.isTransient {
        let links = try reading.links(along: relationship.name, of: entity.name, from: records.map(\.id.key))
        for position in records.indices {
          records[position].values[relationship.name] = .objects(links[records[position].id.key] ?? [])
        }
      }
      all += records
    }
    return all
  }

  private func compare(
    _ request: RecordRequest, _ reading: RecordReading, _ objects: RecordObjects, _ records: [ObjectRecord],
    _ tally: inout Tally
  ) throws -> String? {
    let words = request.predicate.map { "\($0)" } ?? ""
    tally.predicates += 1
    let evaluator = try RecordEvaluator(request, over: objects, now: Date().timeIntervalSinceReferenceDate)
    var matching: Set<RecordID> = []
    var failed: Set<RecordID> = []
    var failure = ""
    for record in records {
      tally.objects += 1
      do {
        if try evaluator.matches(record.id) { matching.insert(record.id) }
      } catch {
        failed.insert(record.id)
        failure = "\(error)"
      }
    }
    do {
      let found = Set(try reading.fetch(request).map(\.id))
      tally.found += found.count
      if !failed.isEmpty { tally.stoppedOneSide += 1 }
      let (inSQL, inMemory) = (found.subtracting(failed), matching)
      guard inSQL != inMemory else { return nil }
      return
        "\(words): \(inSQL.subtracting(inMemory)) only in SQL, \(inMemory.subtracting(inSQL)) only in memory \(failure)"
    } catch let error as DatabaseError {
      guard failed.isEmpty else {
        tally.stopped += 1
        return nil
      }
      return "\(words): stopped only in SQL: \(error.message ?? "")"
    }
  }
}
