import ModelDescription
import StoreRows

/// Makes both ends of every link say the same again after each was merged on its own.
struct MergedLinks {
  private let model: EntityHierarchy
  private let relationships: [String: [RelationshipDescription]]

  init(_ model: EntityHierarchy) {
    self.model = model
    relationships = Dictionary(
      model.model.entities.map { entity in
        (entity.name, model.allRelationships(of: entity.name).values.map(\.property).sorted { $0.name < $1.name })
      }
    ) { first, _ in first }
  }

  /// Takes links to objects that are gone out, then lets the end with one object say what the end with several has.
  func settle(_ objects: inout [RecordID: [String: RecordValue]]) {
    let ids = objects.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    for id in ids {
      for relationship in relationships[id.entity] ?? [] {
        guard let links = objects[id]?[relationship.name]?.links else { continue }
        let left = links.filter { objects[$0] != nil }
        if left.count < links.count { set(left, of: relationship, &objects[id]) }
      }
    }
    var owned: [RecordID: [String: [RecordID]]] = [:]
    for id in ids {
      for relationship in relationships[id.entity] ?? [] where !relationship.isToMany {
        guard let inverse = inverse(of: relationship), let other = objects[id]?[relationship.name]?.links?.first
        else { continue }
        if inverse.isToMany {
          owned[other, default: [:]][inverse.name, default: []].append(id)
        } else if objects[other]?[inverse.name]?.links != [id] {
          set([], of: relationship, &objects[id])
        }
      }
    }
    for id in ids {
      for relationship in relationships[id.entity] ?? [] where relationship.isToMany {
        guard inverse(of: relationship)?.isToMany == false else { continue }
        let members = owned[id]?[relationship.name] ?? []
        let listed = (objects[id]?[relationship.name]?.links ?? []).filter(Set(members).contains)
        let others = members.filter { !Set(listed).contains($0) }
        set(relationship.isOrdered ? listed + others : members, of: relationship, &objects[id])
      }
    }
  }

  private func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let destination = relationship.destinationEntityName, let name = relationship.inverseName else { return nil }
    return model.allRelationships(of: destination)[name]?.property
  }

  private func set(
    _ ids: [RecordID], of relationship: RelationshipDescription, _ values: inout [String: RecordValue]?
  ) {
    values?[relationship.name] = relationship.isToMany && !ids.isEmpty ? .objects(ids) : ids.first.map { .object($0) }
  }
}
