import ModelDescription
import StoreRows

/// The objects of a part of a store, with all objects that the model requires.
struct StorePart {
  /// The objects.
  private(set) var members: Set<RecordID> = []
  private let objects: WholeObjects
  /// Objects that members need.
  private var needed: Set<RecordID> = []
  /// To-many relationships that ask for a number of objects, and were not looked at yet.
  private var demands: [Demand] = []
  /// Optional demands of which no object was a member when they were checked; nil after one became a member.
  private var dormant: [Demand?] = []
  private var waiting: [RecordID: [Int]] = [:]

  private struct Demand {
    let least: Int
    let isOptional: Bool
    let targets: [RecordID]
  }

  /// Chooses objects.
  ///
  /// - Throws: `RecordRequestError`, `DatabaseError`, and errors of reading values.
  init(_ request: RecordRequest, depth: Int, in objects: WholeObjects) throws {
    self.objects = objects
    var request = request
    request.properties = []
    var found: Set<RecordID> = []
    try objects.reading.forEach(request) { found.insert($0.id) }
    for step in 0...max(0, depth) {
      if found.isEmpty { break }
      var next: Set<RecordID> = []
      try take(found) { record in if step < depth { next.formUnion(Self.related(record)) } }
      found = next
    }
    try close()
  }

  var keys: [(entity: String, keys: [Int64])] {
    Dictionary(grouping: members, by: \.entity).mapValues { $0.map(\.key).sorted() }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// An object as the part has it: without links to objects that are not in it.
  func cut(_ record: ObjectRecord) -> ObjectRecord {
    var record = record
    for (name, value) in record.values {
      switch value {
      case .object(let id) where !members.contains(id): record.values[name] = .null
      case .objects(let ids): record.values[name] = .objects(ids.filter(members.contains))
      default: break
      }
    }
    return record
  }

  private static func related(_ record: ObjectRecord) -> [RecordID] {
    record.values.values.flatMap { value -> [RecordID] in
      switch value {
      case .object(let id): [id]
      case .objects(let ids): ids
      default: []
      }
    }
  }

  /// Adds the objects that members require, until none is missing.
  private mutating func close() throws {
    while true {
      while !needed.isEmpty {
        let ids = needed
        needed = []
        try take(ids) { _ in }
      }
      if demands.isEmpty { return }
      let open = demands
      demands = []
      open.forEach { meet($0) }
    }
  }

  /// Requests the missing objects of a relationship; an optional relationship requires none until one of its objects is
  /// a member.
  private mutating func meet(_ demand: Demand) {
    let missing = demand.targets.filter { !members.contains($0) }
    let present = demand.targets.count - missing.count
    if demand.isOptional, present == 0 {
      for target in missing { waiting[target, default: []].append(dormant.count) }
      dormant.append(demand)
    } else if present < demand.least {
      needed.formUnion(missing.prefix(demand.least - present))
    }
  }

  /// Adds objects to the members, and calls `body` with the new members.
  private mutating func take(_ ids: Set<RecordID>, _ body: (ObjectRecord) -> Void) throws {
    // `subtracting` goes through all members.
    let new = Dictionary(grouping: ids.filter { !members.contains($0) }, by: \.entity).sorted { $0.key < $1.key }
    for (entity, ids) in new {
      let keys = ids.map(\.key).sorted()
      for start in stride(from: 0, to: keys.count, by: WholeObjects.batch) {
        let batch = Array(keys[start..<min(start + WholeObjects.batch, keys.count)])
        for record in try objects.objects(of: entity, keys: batch) where members.insert(record.id).inserted {
          note(record)
          body(record)
        }
      }
    }
  }

  private mutating func note(_ record: ObjectRecord) {
    for place in waiting.removeValue(forKey: record.id) ?? [] {
      if let demand = dormant[place] { demands.append(demand) }
      dormant[place] = nil
    }
    for relationship in objects.reading.hierarchy.allRelationships(of: record.id.entity).values.map(\.property) {
      switch record[relationship.name] {
      case .object(let id): if !relationship.isOptional, !members.contains(id) { needed.insert(id) }
      case .objects(let ids):
        let counts = relationship.counts
        if counts.least > 0 {
          demands.append(Demand(least: counts.least, isOptional: counts.allowsNone, targets: ids))
        }
      default: break
      }
    }
  }
}
