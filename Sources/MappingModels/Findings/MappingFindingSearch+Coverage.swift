import ModelDescription

extension MappingFindingSearch {
  /// Entities that no entity mapping mentions; abstract ones have no objects.
  mutating func findUncoveredEntities() {
    let read = Set(mapping.entityMappings.compactMap(\.source))
    for entity in source.numberedEntities where !entity.isAbstract && !read.contains(entity.name) {
      guard !mapping.droppedData.contains(entity.name) else { continue }
      let remains = destination.entity(named: entity.name) != nil
      add(.warning, nil, .uncoveredSource(entity.name, isInDestination: remains))
    }
    let made = Set(mapping.entityMappings.compactMap(\.destination))
    for entity in destination.numberedEntities where !entity.isAbstract && !made.contains(entity.name) {
      add(.note, nil, .uncoveredDestination(entity.name))
    }
  }

  /// Entities whose objects become objects of the next one around a circle, while none keeps its own.
  mutating func findEntityCycles() {
    var next: [String: [String]] = [:]
    for entity in mapping.entityMappings {
      if let from = entity.source, let to = entity.destination { next[from, default: []].append(to) }
    }
    var seen: Set<String> = []
    for start in mapping.entityMappings.compactMap(\.source) where !seen.contains(start) {
      var path: [String] = []
      var entity = start
      // Where objects of an entity go several ways, they are split, which is no change of places.
      while seen.insert(entity).inserted, let ways = next[entity], ways.count == 1 {
        path.append(entity)
        entity = ways[0]
      }
      guard let position = path.firstIndex(of: entity), path.count - position > 1 else { continue }
      add(.warning, nil, .entityCycle(Array(path[position...])))
    }
  }
}
