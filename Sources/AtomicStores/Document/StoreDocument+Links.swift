public import ModelDescription
public import StoreRows

extension StoreDocument {
  /// Takes out the links to objects that are not there, which a SQLite store may have and a document may not.
  ///
  /// - Parameter model: the model of the objects.
  /// - Returns: the links in the order of the objects.
  @discardableResult
  public mutating func removeLinksToNothing(of model: EntityHierarchy) -> [LinkToNothing] {
    let present = Set(objects.map(\.id))
    let relationships = Dictionary(
      model.model.entities.map { entity in
        let all = model.allRelationships(of: entity.name).values.map(\.property).sorted { $0.name < $1.name }
        return (entity.name, all.map { ($0.name, Set(model.family(of: $0.destinationEntityName ?? "").map(\.name))) })
      }
    ) { first, _ in first }
    var removed: [LinkToNothing] = []
    for position in objects.indices {
      let id = objects[position].id
      for (name, family) in relationships[id.entity] ?? [] {
        func isThere(_ target: RecordID) -> Bool { family.contains(target.entity) && present.contains(target) }
        switch objects[position].values[name] {
        case .object(let target)? where !isThere(target):
          objects[position].values[name] = nil
          removed.append(LinkToNothing(object: id, relationship: name))
        case .objects(let targets)?:
          let left = targets.filter(isThere)
          guard left.count < targets.count else { continue }
          objects[position].values[name] = left.isEmpty ? nil : .objects(left)
          let link = LinkToNothing(object: id, relationship: name)
          removed += repeatElement(link, count: targets.count - left.count)
        default: continue
        }
      }
    }
    return removed
  }
}
