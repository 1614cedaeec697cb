import ModelDescription

/// What stands at which position of an object's values in a binary store.
///
/// Attributes of the topmost ancestor come first, by name, then each descendant's own; derived and composite ones stand among
/// them. Transient properties have no positions. One null for each relationship follows.
struct AttributePositions {
  let attributes: [AttributeDescription]
  let relationships: [String: RelationshipDescription]
  let sortedRelationships: [RelationshipDescription]
  /// The names of all properties that a store keeps.
  let names: Set<String>

  init(of entity: String, in model: EntityHierarchy) {
    let all = model.allAttributes(of: entity)
    var seen: Set<String> = []
    attributes = model.lineage(of: entity).reversed().flatMap { ancestor in
      ancestor.attributes.map(\.name).sorted { $0.precedesByBytes($1) }.filter { seen.insert($0).inserted }
        .compactMap { all[$0]?.property }.filter { !$0.isTransient }
    }
    relationships = model.allRelationships(of: entity).mapValues(\.property).filter { !$0.value.isTransient }
    sortedRelationships = relationships.values.sorted { $0.name < $1.name }
    names = Set(attributes.map(\.name)).union(relationships.keys)
  }
}
