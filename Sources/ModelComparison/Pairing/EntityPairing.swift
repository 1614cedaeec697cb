public import ModelDescription

/// Which entities of a destination model continue which of a source model, and which properties continue which.
///
/// The canonical name (the renaming identifier, else the name) decides; where an identifier matches no canonical name it
/// is tried against the source's names, and at last the plain names are. Two claims on one thing are an ambiguity.
public struct EntityPairing: Sendable {
  /// The older model.
  public let source: EntityHierarchy
  /// The newer model.
  public let destination: EntityHierarchy
  /// The claims between entities that settle nothing.
  public let ambiguities: [PairingAmbiguity]
  private let sourceNames: [String: String]
  private let destinationNames: [String: String]
  private let hashes = Once<HashComparison>()

  /// Pairs the entities of two models.
  public init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    func items(_ hierarchy: EntityHierarchy) -> [CanonicalPairing.Item] {
      hierarchy.model.entities.map { .init(name: $0.name, identifier: $0.renamingIdentifier) }
    }
    let pairing = CanonicalPairing(from: items(source), to: items(destination))
    (self.source, self.destination) = (source, destination)
    sourceNames = pairing.sourceNames
    destinationNames = Dictionary(
      pairing.sourceNames.map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
    ambiguities = pairing.conflicts.map { conflict in
      PairingAmbiguity(
        element: .entity(conflict.destinations.first ?? ""),
        claimedName: conflict.claimedName,
        sources: conflict.sources,
        destinations: conflict.destinations
      )
    }
  }

  /// The source entity that a destination entity continues.
  public func source(ofDestination name: String) -> String? { sourceNames[name] }

  /// The destination entity that continues a source entity.
  public func destination(ofSource name: String) -> String? { destinationNames[name] }

  /// The attributes of a destination entity and of the source entity it continues, inherited ones included.
  public func attributes(ofDestination name: String) -> PropertyPairing {
    attributes(ofDestination: name, from: source(ofDestination: name))
  }

  /// The attributes of a destination entity and of any source entity, inherited ones included.
  public func attributes(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    func items(_ hierarchy: EntityHierarchy, _ entity: String) -> [CanonicalPairing.Item] {
      hierarchy.allAttributes(of: entity).values.map {
        .init(name: $0.property.name, identifier: $0.property.renamingIdentifier)
      }
    }
    return PropertyPairing(from: sourceName.map { items(source, $0) } ?? [], to: items(destination, name), of: name)
  }

  /// The relationships of a destination entity and of the source entity it continues, inherited ones included.
  public func relationships(ofDestination name: String) -> PropertyPairing {
    relationships(ofDestination: name, from: source(ofDestination: name))
  }

  /// The relationships of a destination entity and of any source entity, inherited ones included.
  public func relationships(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    func items(_ hierarchy: EntityHierarchy, _ entity: String) -> [CanonicalPairing.Item] {
      hierarchy.allRelationships(of: entity).values.map {
        .init(name: $0.property.name, identifier: $0.property.renamingIdentifier)
      }
    }
    return PropertyPairing(from: sourceName.map { items(source, $0) } ?? [], to: items(destination, name), of: name)
  }

  /// The attributes as inference carries their values over, which ``attributes(ofDestination:from:)`` are but for copies.
  ///
  /// An entity with the name and the hash of before is copied, so that each of its columns keeps its values, although two
  /// names may have changed places by renaming identifiers.
  package func carriedAttributes(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    carried(attributes(ofDestination: name, from: sourceName), of: name, from: sourceName) {
      $0.allAttributes(of: name).mapValues(\.entity.name)
    }
  }

  /// The relationships as inference carries their links over, as ``carriedAttributes(ofDestination:from:)``.
  package func carriedRelationships(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    carried(relationships(ofDestination: name, from: sourceName), of: name, from: sourceName) {
      $0.allRelationships(of: name).mapValues(\.entity.name)
    }
  }

  /// - Parameter owners: gives the entity that declares each property of a model's entity.
  private func carried(
    _ names: PropertyPairing, of name: String, from sourceName: String?, _ owners: (EntityHierarchy) -> [String: String]
  ) -> PropertyPairing {
    guard let sourceName, sourceName == name, names.exchangesNames else { return names }
    let (old, new) = (owners(source), owners(destination))
    return names.keeping(
      new.keys.filter { property in new[property].map(isCopied) == true && old[property] == new[property] })
  }

  /// True for an entity that continues the one of its name and has its hash.
  package func isCopied(_ name: String) -> Bool {
    guard source(ofDestination: name) == name else { return false }
    return !hashes.value { HashComparison(from: source, to: destination) }.changed.contains(name)
  }

  /// The source leaf path of each leaf path of an attribute that continues another.
  ///
  /// For a plain attribute that is the two names; the elements of two composite attributes are paired like attributes.
  /// Nothing is returned where one is composite and the other is not.
  public static func leafPaths(
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) -> [String: String] {
    switch (source.type == .composite, destination.type == .composite) {
    case (false, false): return [destination.name: source.name]
    case (true, true):
      func items(_ elements: [AttributeDescription]) -> [CanonicalPairing.Item] {
        elements.map { .init(name: $0.name, identifier: $0.renamingIdentifier) }
      }
      let pairing = CanonicalPairing(from: items(source.elements), to: items(destination.elements))
      var paths: [String: String] = [:]
      for element in destination.elements {
        guard let name = pairing.sourceNames[element.name],
          let original = source.elements.first(where: { $0.name == name })
        else { continue }
        for (path, sourcePath) in leafPaths(from: original, to: element) {
          paths["\(destination.name).\(path)"] = "\(source.name).\(sourcePath)"
        }
      }
      return paths
    default: return [:]
    }
  }

  /// True when the links of a relationship to a source entity can stand in one to a destination entity.
  ///
  /// They can when the one continues the other, or when both stand in one hierarchy of either model.
  public func canKeepLinks(to sourceEntity: String?, in destinationEntity: String?) -> Bool {
    guard let sourceEntity, let destinationEntity else { return sourceEntity == nil && destinationEntity == nil }
    if let continued = destination(ofSource: sourceEntity) {
      if continued == destinationEntity { return true }
      if destination.rootName(of: continued) == destination.rootName(of: destinationEntity) { return true }
    }
    guard let continued = source(ofDestination: destinationEntity) else { return false }
    return source.rootName(of: continued) == source.rootName(of: sourceEntity)
  }

  /// The source roots whose tables feed the table of a destination root, sorted; Core Data allows only one.
  public func sourceRoots(under root: String) -> [String] {
    var roots: Set<String> = []
    for member in destination.family(of: root) {
      guard let name = self.source(ofDestination: member.name) else { continue }
      roots.insert(source.rootName(of: name))
    }
    return roots.sorted()
  }

  /// What an entity, attribute or relationship of the destination continues of the source.
  ///
  /// - Returns: the origin; nil for an element that the destination does not have or that has no identity, such as an
  ///   index, and for a property of an entity that continues none.
  public func origin(of element: ModelElement) -> ElementOrigin? {
    switch element {
    case .entity(let name):
      guard destination.entity(named: name) != nil else { return nil }
      return origin(self.source(ofDestination: name).flatMap(source.entity).map { ($0.name, $0.renamingIdentifier) })
    case .property(let entity, let name):
      guard let owner = destination.entity(named: entity), let sourceName = self.source(ofDestination: entity)
      else { return nil }
      if owner.attributes.contains(where: { $0.name == name }) {
        let property = attributes(ofDestination: entity).sourceNames[name].flatMap {
          source.allAttributes(of: sourceName)[$0]?.property
        }
        return origin(property.map { ($0.name, $0.renamingIdentifier) })
      }
      guard owner.relationships.contains(where: { $0.name == name }) else { return nil }
      let property = relationships(ofDestination: entity).sourceNames[name].flatMap {
        source.allRelationships(of: sourceName)[$0]?.property
      }
      return origin(property.map { ($0.name, $0.renamingIdentifier) })
    default: return nil
    }
  }

  private func origin(_ continued: (name: String, identifier: String?)?) -> ElementOrigin {
    guard let continued else { return .added }
    return .continues(
      canonicalName: RenamingIdentifier.meaning(of: continued.identifier, of: continued.name) ?? continued.name)
  }
}

/// Which properties of one kind of a destination entity continue which of its source entity, inherited ones included.
public struct PropertyPairing: Hashable, Sendable {
  /// The source property of each destination property that has one.
  public let sourceNames: [String: String]
  /// The source properties that nothing continues, sorted.
  public let removed: [String]
  /// The destination properties that continue nothing, sorted.
  public let added: [String]
  /// The claims that settle nothing.
  public let ambiguities: [PairingAmbiguity]

  init(from sources: [CanonicalPairing.Item], to destinations: [CanonicalPairing.Item], of entity: String) {
    let pairing = CanonicalPairing(from: sources, to: destinations)
    sourceNames = pairing.sourceNames
    let continued = Set(pairing.sourceNames.values)
    removed = sources.map(\.name).filter { !continued.contains($0) }.sorted()
    added = destinations.map(\.name).filter { pairing.sourceNames[$0] == nil }.sorted()
    ambiguities = pairing.conflicts.map { conflict in
      PairingAmbiguity(
        element: .property(entity: entity, name: conflict.destinations.first ?? ""),
        claimedName: conflict.claimedName,
        sources: conflict.sources,
        destinations: conflict.destinations
      )
    }
  }

  /// True where a property continues another one than that of its name, which another property continues.
  fileprivate var exchangesNames: Bool {
    let taken = Set(sourceNames.values)
    return sourceNames.contains { name, source in name != source && taken.contains(name) }
  }

  /// The same with properties that continue those of their own names.
  fileprivate func keeping(_ names: [String]) -> PropertyPairing {
    let kept = Set(names)
    let others = sourceNames.filter { !kept.contains($0.key) && !kept.contains($0.value) }
    return PropertyPairing(
      sourceNames: others.merging(names.map { ($0, $0) }) { first, _ in first },
      removed: removed.filter { !kept.contains($0) }, added: added.filter { !kept.contains($0) },
      ambiguities: ambiguities)
  }

  private init(
    sourceNames: [String: String], removed: [String], added: [String], ambiguities: [PairingAmbiguity]
  ) {
    (self.sourceNames, self.removed, self.added) = (sourceNames, removed, added)
    self.ambiguities = ambiguities
  }

  /// The names of the destination's properties by those of the source's that they continue.
  package var destinationNames: [String: String] {
    Dictionary(sourceNames.map { ($0.value, $0.key) }, uniquingKeysWith: min)
  }
}

/// Several entities or properties of both versions that claim each other, so that none can be chosen.
public struct PairingAmbiguity: Hashable, Sendable {
  /// The first destination that makes the claim.
  public let element: ModelElement
  /// The name by which they claim each other.
  public let claimedName: String
  /// The names in the source that are claimed.
  public let sources: [String]
  /// The names in the destination that claim them.
  public let destinations: [String]

  /// The claimants and the claimed, each listed as far as somebody reads on.
  package func words(separator: String = ", ") -> (destinations: String, sources: String) {
    (Self.list(destinations, separator), Self.list(sources, separator))
  }

  /// Names that all claim each other are listed once for each of them, so that long lists would multiply.
  private static func list(_ names: [String], _ separator: String) -> String {
    let listed = names.prefix(10).joined(separator: separator)
    return names.count > 10 ? "\(listed) and \(names.count - 10) more" : listed
  }
}
