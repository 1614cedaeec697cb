import Foundation
import ModelDescription
import PersistentStores
import Reports
import StoreRows

/// Stores that `query` and `history` are given: whatever the rows hold, reading ends, and changes nothing.
enum QueryTarget {
  static func run(_ data: Data) throws {
    try FuzzFolder.with { folder in
      let path = folder + "/store.sqlite"
      let bytes = try StoreTargets.write(data, to: path)
      do {
        try read(path)
      } catch let finding as FuzzFinding {
        throw finding
      } catch {
        _ = "\(error)"
      }
      try StoreTargets.unchanged(path, bytes, after: "reading")
    }
  }

  /// Every object of a store with its links.
  static func records(_ reading: RecordReading, _ hierarchy: EntityHierarchy) throws -> [ObjectRecord] {
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

  private static func read(_ path: String) throws {
    let reader = try StoreReader(path: path, busyTimeout: 0)
    defer { reader.close() }
    guard let model = try reader.identify(among: FuzzSamples.todo).model else { return }
    let hierarchy = try EntityHierarchy(model)
    try reader.read { database in
      let reading = try RecordReading(of: hierarchy, path: path, in: database)
      for entity in hierarchy.model.entities { try each(entity.name, reading, hierarchy) }
      attempt { _ = try records(reading, hierarchy) }
      attempt { _ = try StoreHistoryReport(reading.history(), isKept: true, store: "").text }
    }
  }

  private static func each(_ entity: String, _ reading: RecordReading, _ hierarchy: EntityHierarchy) throws {
    let attributes = hierarchy.allAttributes(of: entity).keys.sorted()
    let relationships = hierarchy.allRelationships(of: entity).keys.sorted()
    var request = RecordRequest(entity)
    attempt { request = try RecordRequest(entity, where: attributes.first.map { "\($0) != nil OR SELF != nil" }) }
    request.limit = 50
    request.sort = attributes.prefix(2).map { RecordSort($0, isAscending: false, textOrder: .standard) }
    attempt {
      let graph = try reading.fetch(request, including: InclusionTree(relationships))
      let report = RecordsReport(
        graph, including: InclusionTree(relationships), of: entity, columns: nil, count: graph.objects.count, store: "")
      _ = try report.text + report.csv + report.lines() + JSONText.encode(report)
    }
    attempt { _ = try reading.count(request) }
    for keyPath in attributes + relationships {
      attempt {
        _ = try reading.groups([.count, .maximum(keyPath), .sum(keyPath)], by: [keyPath], of: RecordRequest(entity))
      }
    }
  }

  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { _ = "\(error)" }
  }
}
