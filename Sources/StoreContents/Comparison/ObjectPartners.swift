import ModelDescription
import StoreRows

/// Which object of the second store each one of the first is.
struct ObjectPartners {
  /// The keys of an entity that is matched by attributes.
  private struct Pairs {
    var forward: [Int64: Int64] = [:]
    var matched: Set<Int64> = []
  }

  private var pairs: [String: Pairs] = [:]

  init(_ matching: ObjectMatching, from source: WholeObjects, to destination: WholeObjects) throws {
    for entity in source.reading.hierarchy.model.entities where !entity.isAbstract {
      guard let attributes = matching.attributes(of: entity.name) else { continue }
      let (before, after) = (
        try Known(entity.name, attributes, source), try Known(entity.name, attributes, destination)
      )
      var own = Pairs()
      for (values, key) in before.keys { own.forward[key] = after.keys[values] }
      for key in before.withoutValue where after.withoutValue.contains(key) { own.forward[key] = key }
      own.matched = Set(own.forward.values)
      pairs[entity.name] = own
    }
  }

  /// The object of the second store that one of the first is; nil where it has none.
  ///
  /// One that is known by its key is given whether it is there or not.
  func partner(of id: RecordID) -> RecordID? {
    guard let own = pairs[id.entity] else { return id }
    return own.forward[id.key].map { RecordID(entity: id.entity, key: $0) }
  }

  /// The keys of the second store that have a partner; nil for an entity whose objects are known by their keys.
  func matched(of entity: String) -> Set<Int64>? { pairs[entity]?.matched }

  /// The keys of an entity's objects by their values.
  private struct Known {
    var keys: [[RecordValue]: Int64] = [:]
    /// Objects without one of the values, which are known by their keys.
    var withoutValue: Set<Int64> = []

    init(_ entity: String, _ attributes: [String], _ objects: WholeObjects) throws {
      var request = RecordRequest(entity)
      (request.includesSubentities, request.properties) = (false, attributes)
      try objects.reading.forEach(request) { row in
        let record = objects.restored(row)
        let values = attributes.map { record[$0] ?? .null }
        if values.contains(.null) {
          withoutValue.insert(record.id.key)
        } else if let other = keys.updateValue(record.id.key, forKey: values) {
          throw DataDifferenceError.notUnique(
            path: objects.reading.path, entity: entity, attributes: attributes, keys: [other, record.id.key])
        }
      }
    }
  }
}
