import ModelDescription

extension LayoutBinding {
  /// The store's numbers of a model's entities.
  ///
  /// Core Data's in-place migration leaves the former name of a renamed entity in `Z_PRIMARYKEY`; such a row is found
  /// by the renaming identifier, or by standing under the same parent at the number that a fresh store would give.
  mutating func numbers(of hierarchy: EntityHierarchy, in snapshot: StoreSnapshot) -> [String: Int] {
    let rows = snapshot.entityRows.filter { !$0.isService }
    var numbers = Dictionary(rows.map { ($0.name, $0.number) }) { first, _ in first }
    let fresh = EntityNumbering(of: hierarchy, known: nil)
    let names = Set(hierarchy.model.entities.map(\.name))
    var unclaimed = rows.filter { !names.contains($0.name) }
    for entity in hierarchy.numberedEntities where numbers[entity.name] == nil {
      let parent = entity.superentityName.flatMap { numbers[$0] } ?? 0
      let candidates = unclaimed.filter { $0.superentityNumber == parent }
      let renamed = candidates.first { $0.name == entity.canonicalName }
      guard let row = renamed ?? candidates.first(where: { $0.number == fresh.numbers[entity.name] }) else {
        deviations.append(.missingEntity(name: entity.name))
        continue
      }
      numbers[entity.name] = row.number
      unclaimed.removeAll { $0 == row }
      deviations.append(.entityName(expected: entity.name, actual: row.name))
    }
    return numbers
  }
}
