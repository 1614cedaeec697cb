public import ModelDescription

/// The pairs of entities and properties of a source model and a destination model.
///
/// Elements with the same canonical name are paired. The canonical name is the renaming identifier, or the name if there
/// is no identifier. If an identifier does not match a canonical name, it is compared with the source's names, and at last
/// the names are compared. Several matches for one element are an ambiguity.
public struct EntityPairing: Sendable {
  /// The source model.
  public let source: EntityHierarchy
  /// The destination model.
  public let destination: EntityHierarchy
  /// The ambiguous matches of entities.
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

  /// The pairs of attributes of a destination entity and of the source entity it continues, including inherited ones.
  public func attributes(ofDestination name: String) -> PropertyPairing {
    attributes(ofDestination: name, from: source(ofDestination: name))
  }

  /// The pairs of attributes of a destination entity and of any source entity, including inherited attributes.
  public func attributes(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    func items(_ hierarchy: EntityHierarchy, _ entity: String) -> [CanonicalPairing.Item] {
      hierarchy.allAttributes(of: entity).values.map {
        .init(name: $0.property.name, identifier: $0.property.renamingIdentifier)
      }
    }
    return PropertyPairing(from: sourceName.map { items(source, $0) } ?? [], to: items(destination, name), of: name)
  }

  /// The pairs of relationships of a destination entity and of the source entity it continues, including inherited ones.
  public func relationships(ofDestination name: String) -> PropertyPairing {
    relationships(ofDestination: name, from: source(ofDestination: name))
  }

  /// The pairs of relationships of a destination entity and of any source entity, including inherited relationships.
  public func relationships(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    func items(_ hierarchy: EntityHierarchy, _ entity: String) -> [CanonicalPairing.Item] {
      hierarchy.allRelationships(of: entity).values.map {
        .init(name: $0.property.name, identifier: $0.property.renamingIdentifier)
      }
    }
    return PropertyPairing(from: sourceName.map { items(source, $0) } ?? [], to: items(destination, name), of: name)
  }

  /// The pairs of attributes as inference copies their values.
  ///
  /// They differ from ``attributes(ofDestination:from:)`` only for an entity with the same name and hash in both models.
  /// Inference copies its columns, even if renaming identifiers exchange two names.
  package func carriedAttributes(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    carried(attributes(ofDestination: name, from: sourceName), of: name, from: sourceName) {
      $0.allAttributes(of: name).mapValues(\.entity.name)
    }
  }

  /// The pairs of relationships as inference copies their links; see ``carriedAttributes(ofDestination:from:)``.
  package func carriedRelationships(ofDestination name: String, from sourceName: String?) -> PropertyPairing {
    carried(relationships(ofDestination: name, from: sourceName), of: name, from: sourceName) {
      $0.allRelationships(of: name).mapValues(\.entity.name)
    }
  }

  /// - Parameter owners: returns the entity that declares each property of an entity.
  private func carried(
    _ names: PropertyPairing, of name: String, from sourceName: String?, _ owners: (EntityHierarchy) -> [String: String]
  ) -> PropertyPairing {
    guard let sourceName, sourceName == name, names.exchangesNames else { return names }
    let (old, new) = (owners(source), owners(destination))
    return names.keeping(
      new.keys.filter { property in new[property].map(isCopied) == true && old[property] == new[property] })
  }

  /// True for an entity that continues the entity of its name and has the same hash.
  package func isCopied(_ name: String) -> Bool {
    guard source(ofDestination: name) == name else { return false }
    return !hashes.value { HashComparison(from: source, to: destination) }.changed.contains(name)
  }

  /// The source leaf path of each leaf path of an attribute that continues a source attribute.
  ///
  /// For a plain attribute, these are the two names. The elements of two composite attributes are paired like attributes.
  /// The result is empty if only one of the attributes is composite.
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

  /// True if a relationship to a destination entity can keep the links of a relationship to a source entity.
  ///
  /// It can if the destination entity continues the source entity, or if both are in the same hierarchy in either model.
  public func canKeepLinks(to sourceEntity: String?, in destinationEntity: String?) -> Bool {
    guard let sourceEntity, let destinationEntity else { return sourceEntity == nil && destinationEntity == nil }
    if let continued = destination(ofSource: sourceEntity) {
      if continued == destinationEntity { return true }
      if destination.rootName(of: continued) == destination.rootName(of: destinationEntity) { return true }
    }
    guard let continued = source(ofDestination: destinationEntity) else { return false }
    return source.rootName(of: continued) == source.rootName(of: sourceEntity)
  }

  /// The source roots whose tables are source tables of a destination root, sorted; Core Data allows only one.
  public func sourceRoots(under root: String) -> [String] {
    var roots: Set<String> = []
    for member in destination.family(of: root) {
      guard let name = self.source(ofDestination: member.name) else { continue }
      roots.insert(source.rootName(of: name))
    }
    return roots.sorted()
  }

  /// The source element that an entity, attribute or relationship of the destination continues.
  ///
  /// - Returns: the origin; nil for an unknown element, for an element without an identity, such as an index, and for a
  ///   property of a new entity.
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

/// The pairs of properties of one kind of a destination entity and its source entity, including inherited properties.
public struct PropertyPairing: Hashable, Sendable {
  /// The source property of each paired destination property.
  public let sourceNames: [String: String]
  /// The source properties that no destination property continues, sorted.
  public let removed: [String]
  /// The destination properties that do not continue a source property, sorted.
  public let added: [String]
  /// The ambiguous matches.
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

  /// True if a property continues a property of a different name, and a different property continues that of its name.
  fileprivate var exchangesNames: Bool {
    let taken = Set(sourceNames.values)
    return sourceNames.contains { name, source in name != source && taken.contains(name) }
  }

  /// The pairing in which some properties continue the properties of their own names.
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

  /// The names of the destination's properties, by the source properties that they continue.
  package var destinationNames: [String: String] {
    Dictionary(sourceNames.map { ($0.value, $0.key) }, uniquingKeysWith: min)
  }
}

/// Several entities or properties of both versions that match, so that a pair cannot be chosen.
public struct PairingAmbiguity: Hashable, Sendable {
  /// The first matching element of the destination.
  public let element: ModelElement
  /// The name by which they match.
  public let claimedName: String
  /// The names of the matching elements of the source.
  public let sources: [String]
  /// The names of the matching elements of the destination.
  public let destinations: [String]

  /// The names of both sides as lists of at most ten names.
  package func words(separator: String = ", ") -> (destinations: String, sources: String) {
    (Self.list(destinations, separator), Self.list(sources, separator))
  }

  /// A list of at most ten names, because each matching element repeats the list.
  private static func list(_ names: [String], _ separator: String) -> String {
    let limit = TextWidth.listed(10)
    let listed = names.prefix(limit).joined(separator: separator)
    return names.count > limit ? "\(listed) and \(names.count - limit) more" : listed
  }
}
