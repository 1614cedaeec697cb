import ModelDescription

/// The number of every entity, `Z_ENT`.
struct EntityNumbering {
  /// The numbers by entity name.
  let numbers: [String: Int]
  /// The rows of `Z_PRIMARYKEY` in the order of the numbers.
  let rows: [SQLStoreLayout.EntityNumber]

  /// Numbers the entities depth first from 1, except those whose number is known.
  ///
  /// An entity without a known number, when others have one, follows the highest.
  init(of hierarchy: EntityHierarchy, known: [String: Int]?) {
    var numbers: [String: Int] = [:]
    let entities = hierarchy.numberedEntities
    if let known {
      var next = (entities.compactMap { known[$0.name] }.max() ?? 0) &+ 1
      for entity in entities {
        numbers[entity.name] = known[entity.name] ?? next
        if known[entity.name] == nil { next &+= 1 }
      }
    } else {
      for (position, entity) in entities.enumerated() { numbers[entity.name] = position + 1 }
    }
    self.numbers = numbers
    self.rows = entities.map { entity in
      SQLStoreLayout.EntityNumber(
        name: entity.name,
        number: numbers[entity.name] ?? 0,
        superentityNumber: entity.superentityName.flatMap { numbers[$0] } ?? 0
      )
    }.sorted { $0.number < $1.number }
  }
}
