import ModelDescription

/// An edit that may explain a hash, with what it does to the entity.
struct EditCandidate: Hashable, Sendable {
  /// A property of either kind.
  enum Property: Hashable, Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
    }

    var isTransient: Bool {
      switch self {
      case .attribute(let attribute): attribute.isTransient
      case .relationship(let relationship): relationship.isTransient
      }
    }
  }

  /// What an edit does.
  enum Effect: Hashable, Sendable {
    /// Takes a property away, puts one in, or exchanges one.
    case property(removing: String?, inserting: Property?)
    case abstract(Bool)
    case modifier(String?)
    case constraints(adding: [String]?, removing: [String]?)
  }

  let change: ModelEdit.Change
  let effect: Effect
  /// True for edits that are tried alone and not in pairs, because few people make them.
  var isRare = false

  /// The entity after the edit.
  func applied(to entity: EntityDescription) -> EntityDescription {
    var entity = entity
    switch effect {
    case .abstract(let isAbstract): entity.isAbstract = isAbstract
    case .modifier(let modifier): entity.versionHashModifier = modifier
    case .constraints(let added, let removed):
      if let removed { entity.uniquenessConstraints.removeAll { $0 == removed } }
      if let added { entity.uniquenessConstraints.append(added) }
    case .property(let removed, let inserted):
      let names = [removed, inserted?.name]
      entity.attributes.removeAll { names.contains($0.name) }
      entity.relationships.removeAll { names.contains($0.name) }
      switch inserted {
      case .attribute(let attribute)?: entity.attributes.append(attribute)
      case .relationship(let relationship)?: entity.relationships.append(relationship)
      case nil: break
      }
    }
    return entity
  }

  /// The property of the version that the edit is about.
  var subject: String? {
    guard case .property(let removed, _) = effect else { return nil }
    return removed
  }
}
