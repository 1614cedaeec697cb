import ModelDescription

/// Tells which entities have another version hash, from what enters it and without computing it.
struct HashComparison {
  private let former: [String: HashedEntity]
  private let entities: [String: HashedEntity]
  /// The destination entities whose hash no source entity of the same name has.
  let changed: Set<String>

  init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    former = Self.entities(of: source)
    entities = Self.entities(of: destination)
    var changed: Set<String> = []
    for entity in destination.numberedEntities {
      let isSame = former[entity.name] == entities[entity.name]
      if !isSame || entity.superentityName.map(changed.contains) == true { changed.insert(entity.name) }
    }
    self.changed = changed
  }

  /// True when the entity itself differs, its parent's hash aside.
  func differs(_ former: String, from name: String) -> Bool {
    self.former[former]?.properties != entities[name]?.properties
  }

  private static func entities(of hierarchy: EntityHierarchy) -> [String: HashedEntity] {
    Dictionary(
      hierarchy.model.entities.map { ($0.name, HashedEntity($0, in: hierarchy)) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
