import ModelDescription

/// The pairs of property declarations, so that a property that moves within a hierarchy is one change.
struct DeclarationPairing {
  /// A property at the entity that declares it.
  struct Declaration: Hashable {
    let entity: String
    let name: String
  }

  let sources: [Declaration: Declaration]
  /// The source declarations that a destination declaration continues.
  let continued: Set<Declaration>
  /// The first destination declaration that continues each source declaration.
  let first: [Declaration: Declaration]

  /// - Parameter declarations: the properties of an entity, including inherited properties, with their declaring entities.
  init(
    _ pairing: EntityPairing,
    names: (String) -> PropertyPairing,
    declarations: (EntityHierarchy, String) -> [String: String]
  ) {
    var sources: [Declaration: Declaration] = [:]
    var continued: Set<Declaration> = []
    for entity in pairing.destination.numberedEntities {
      guard let source = pairing.source(ofDestination: entity.name) else { continue }
      let sourceDeclarations = declarations(pairing.source, source)
      let sourceNames = names(entity.name).sourceNames
      for (name, declaring) in declarations(pairing.destination, entity.name) {
        guard let sourceName = sourceNames[name], let sourceDeclaring = sourceDeclarations[sourceName] else { continue }
        let declaration = Declaration(entity: declaring, name: name)
        let sourceDeclaration = Declaration(entity: sourceDeclaring, name: sourceName)
        if sources[declaration] == nil { sources[declaration] = sourceDeclaration }
        continued.insert(sourceDeclaration)
      }
    }
    (self.sources, self.continued) = (sources, continued)
    first = Dictionary(sources.map { ($0.value, $0.key) }) { one, other in
      (one.entity, one.name) < (other.entity, other.name) ? one : other
    }
  }

  static func attributes(_ pairing: EntityPairing) -> DeclarationPairing {
    DeclarationPairing(pairing, names: pairing.attributes(ofDestination:)) { hierarchy, entity in
      hierarchy.allAttributes(of: entity).mapValues(\.entity.name)
    }
  }

  static func relationships(_ pairing: EntityPairing) -> DeclarationPairing {
    DeclarationPairing(pairing, names: pairing.relationships(ofDestination:)) { hierarchy, entity in
      hierarchy.allRelationships(of: entity).mapValues(\.entity.name)
    }
  }
}
