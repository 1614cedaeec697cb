import AtomicStores
import ModelDescription
import StoreRows

/// The uniqueness constraints of a model, and the values that objects have for them.
struct MergedConstraints {
  /// The values of a uniqueness constraint.
  struct Key: Hashable {
    let entity: String
    let properties: [String]
    let values: [RecordValue]
  }

  private let constraints: [String: [(entity: String, properties: [String])]]

  init(_ model: EntityHierarchy) {
    constraints = Dictionary(
      model.model.entities.map { entity in
        let declared = model.lineage(of: entity.name).flatMap { declaring in
          declaring.uniquenessConstraints.filter { !$0.isEmpty }.map { (entity: declaring.name, properties: $0) }
        }
        return (entity.name, declared)
      }
    ) { first, _ in first }
  }

  /// The values of an object for each constraint, if none is missing.
  func values(of object: StoreDocument.Object) -> [Key] {
    (constraints[object.id.entity] ?? []).compactMap { constraint in
      let values = constraint.properties.compactMap { object.values[$0] }.filter { $0 != .null }
      guard values.count == constraint.properties.count else { return nil }
      return Key(entity: constraint.entity, properties: constraint.properties, values: values)
    }
  }

  /// The first object that has each value.
  func objects(_ objects: [StoreDocument.Object]) -> [Key: RecordID] {
    var found: [Key: RecordID] = [:]
    for object in objects {
      for key in values(of: object) where found[key] == nil { found[key] = object.id }
    }
    return found
  }

  /// The objects with the unique values of an earlier object, unless a side had them already.
  func conflicts(in objects: [StoreDocument.Object], beyond sides: [[StoreDocument.Object]]) -> [StoreMergeConflict] {
    let found = shared(objects)
    guard !found.isEmpty else { return [] }
    let known = Set(sides.flatMap { shared($0).map(\.key) })
    return found.filter { !known.contains($0.key) }.map {
      StoreMergeConflict(object: $0.object, cause: .notUnique($0.key.properties, other: $0.other))
    }
  }

  private func shared(_ objects: [StoreDocument.Object]) -> [(key: Key, object: RecordID, other: RecordID)] {
    var first: [Key: RecordID] = [:]
    var shared: [(key: Key, object: RecordID, other: RecordID)] = []
    for object in objects {
      for key in values(of: object) {
        if let other = first[key] {
          shared.append((key, object.id, other))
        } else {
          first[key] = object.id
        }
      }
    }
    return shared
  }
}
