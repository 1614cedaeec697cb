import ModelDescription

/// Which entities have another version hash, from what enters it and without computing it.
struct HashComparison {
  private let sources: [String: HashedEntity]
  private let destinations: [String: HashedEntity]
  /// The destination entities whose hash no source entity of the same name has.
  let changed: Set<String>

  init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    sources = Self.entities(of: source)
    destinations = Self.entities(of: destination)
    var changed: Set<String> = []
    for entity in destination.numberedEntities {
      let isSame = sources[entity.name] == destinations[entity.name]
      if !isSame || entity.superentityName.map(changed.contains) == true { changed.insert(entity.name) }
    }
    self.changed = changed
  }

  /// True when the entity itself differs, its parent's hash aside.
  func differs(_ source: String, from name: String) -> Bool {
    sources[source]?.properties != destinations[name]?.properties
  }

  private static func entities(of hierarchy: EntityHierarchy) -> [String: HashedEntity] {
    Dictionary(
      hierarchy.model.entities.map { ($0.name, HashedEntity($0, in: hierarchy)) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
