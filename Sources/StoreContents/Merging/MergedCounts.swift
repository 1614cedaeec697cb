import AtomicStores
import ModelDescription
import StoreRows

/// The least and greatest counts of a model's to-many relationships, held against what a merge made of them.
struct MergedCounts {
  /// A relationship of an object, and on which side of its limits it is.
  private struct Place: Hashable {
    let object: RecordID
    let relationship: String
    let isAbove: Bool
  }

  private let limited: [String: [RelationshipDescription]]

  init(_ model: EntityHierarchy) {
    limited = Dictionary(
      model.model.entities.map { entity in
        let relationships = model.allRelationships(of: entity.name).values.map(\.property)
          .filter { $0.isToMany && !$0.isTransient && ($0.minCount > 0 || $0.maxCount > 0) }
        return (entity.name, relationships.sorted { $0.name < $1.name })
      }
    ) { first, _ in first }
  }

  /// The relationships that hold too few objects or too many, unless those of a side did.
  func conflicts(
    in objects: [StoreDocument.Object], beyond sides: [[StoreDocument.Object]]
  ) -> [StoreMergeConflict] {
    let found = broken(objects)
    guard !found.isEmpty else { return [] }
    let known = Set(sides.flatMap { broken($0).map(\.place) })
    return found.filter { !known.contains($0.place) }.map {
      StoreMergeConflict(object: $0.place.object, cause: $0.cause)
    }
  }

  private func broken(_ objects: [StoreDocument.Object]) -> [(place: Place, cause: StoreMergeConflict.Cause)] {
    var broken: [(place: Place, cause: StoreMergeConflict.Cause)] = []
    for object in objects {
      for relationship in limited[object.id.entity] ?? [] {
        let count = object.values[relationship.name]?.links?.count ?? 0
        guard let cause = Self.cause(relationship, count) else { continue }
        let isAbove = if case .tooMany = cause { true } else { false }
        broken.append((Place(object: object.id, relationship: relationship.name, isAbove: isAbove), cause))
      }
    }
    return broken
  }

  /// What Core Data finds when it saves the object.
  private static func cause(_ relationship: RelationshipDescription, _ count: Int) -> StoreMergeConflict.Cause? {
    if count == 0, relationship.isOptional { return nil }
    if count < relationship.minCount {
      return .tooFew(relationship.name, count: count, minimum: relationship.minCount)
    }
    guard relationship.maxCount > 0, count > relationship.maxCount else { return nil }
    return .tooMany(relationship.name, count: count, maximum: relationship.maxCount)
  }
}
