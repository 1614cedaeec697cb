public import ModelDescription
public import StoreRows

extension StoreDocument {
  /// Takes out the links to objects that are not there, which a SQLite store may have and a document may not.
  ///
  /// A link whose object is there under another entity of its family leads to that object.
  ///
  /// - Parameter model: the model of the objects.
  /// - Returns: the links in the order of the objects.
  @discardableResult
  public mutating func removeLinksToNothing(of model: EntityHierarchy) -> [LinkToNothing] {
    func place(_ id: RecordID) -> RecordID { RecordID(entity: model.rootName(of: id.entity), key: id.key) }
    let present = Dictionary(objects.map { (place($0.id), $0.id) }) { first, _ in first }
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
        func found(_ target: RecordID) -> RecordID? {
          present[place(target)].flatMap { family.contains($0.entity) ? $0 : nil }
        }
        let link = LinkToNothing(object: id, relationship: name)
        switch objects[position].values[name] {
        case .object(let target)?:
          let there = found(target)
          guard there != target else { continue }
          objects[position].values[name] = there.map { .object($0) }
          if there == nil { removed.append(link) }
        case .objects(let targets)?:
          let left = targets.compactMap(found)
          guard left != targets else { continue }
          objects[position].values[name] = left.isEmpty ? nil : .objects(left)
          removed += repeatElement(link, count: targets.count - left.count)
        default: continue
        }
      }
    }
    return removed
  }
}
