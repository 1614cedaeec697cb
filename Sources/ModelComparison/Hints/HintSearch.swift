import ModelDescription

/// Looks for what developers overlook in a difference.
struct HintSearch {
  /// The most pairs of an added and a removed entity that are compared; beyond that the model is another one.
  private static let comparisonLimit = 250_000

  let pairing: EntityPairing
  let changes: [Change]
  private var source: EntityHierarchy { pairing.source }
  private var destination: EntityHierarchy { pairing.destination }

  init(_ pairing: EntityPairing, _ changes: [Change]) {
    self.pairing = pairing
    self.changes = changes
  }

  func hints() -> [Hint] {
    pairing.ambiguities.map { .ambiguousPairing($0) } + propertyAmbiguities() + renamedEntities() + renamedProperties()
      + stalePreviousNames() + unreachedRows()
  }

  private func propertyAmbiguities() -> [Hint] {
    var hints: [Hint] = []
    var seen: Set<PairingAmbiguity> = []
    for entity in destination.numberedEntities where pairing.source(ofDestination: entity.name) != nil {
      let found =
        pairing.attributes(ofDestination: entity.name).ambiguities
        + pairing.relationships(ofDestination: entity.name).ambiguities
      for ambiguity in found where seen.insert(ambiguity).inserted { hints.append(.ambiguousPairing(ambiguity)) }
    }
    return hints
  }

  private func renamedEntities() -> [Hint] {
    let added = destination.numberedEntities.filter { pairing.source(ofDestination: $0.name) == nil }
    let removed = source.numberedEntities.filter { pairing.destination(ofSource: $0.name) == nil }
    guard added.count * removed.count <= Self.comparisonLimit else { return [] }
    let formerProperties = removed.map(Self.properties)
    // The removed entities that have a property, so that only those that share one are compared.
    var holders: [String: [Int]] = [:]
    for (position, properties) in formerProperties.enumerated() {
      for property in properties { holders[property, default: []].append(position) }
    }
    var taken: Set<Int> = []
    var hints: [Hint] = []
    for entity in added {
      let properties = Self.properties(of: entity)
      var common: [Int: Int] = [:]
      for property in properties {
        for position in holders[property] ?? [] where !taken.contains(position) { common[position, default: 0] += 1 }
      }
      let alike = common.filter { $0.value * 2 >= max(properties.count, formerProperties[$0.key].count) }
      guard let best = alike.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }) else { continue }
      taken.insert(best.key)
      let former = removed[best.key]
      hints.append(
        .looksLikeRename(old: .entity(former.name), new: .entity(entity.name), identifier: former.canonicalName)
      )
    }
    return hints
  }

  private static func properties(of entity: EntityDescription) -> Set<String> {
    Set(entity.attributes.map { "\($0.name): \($0.type.name)" })
      .union(entity.relationships.map { "\($0.name): \($0.isToMany ? "to-many" : "to-one")" })
  }

  /// What two properties of one entity must share to look like one.
  private struct Likeness: Hashable {
    let entity: String
    /// The type, or whether it is to-many and where it leads.
    let shape: String
  }

  private func renamedProperties() -> [Hint] {
    var removed: [Likeness: [String]] = [:]
    var added: [(likeness: Likeness, name: String)] = []
    for change in changes where change.changesHash {
      guard case .property(let entity, let name) = change.element else { continue }
      if change.kind == .removed, let successor = pairing.destination(ofSource: entity),
        let shape = shape(of: name, at: entity, in: source, linked: pairing.destination(ofSource:))
      {
        removed[Likeness(entity: successor, shape: shape), default: []].append(name)
      } else if change.kind == .added, let shape = shape(of: name, at: entity, in: destination, linked: { $0 }) {
        added.append((Likeness(entity: entity, shape: shape), name))
      }
    }
    let addedByLikeness = Dictionary(grouping: added, by: \.likeness)
    return added.compactMap { likeness, new in
      guard addedByLikeness[likeness]?.count == 1, let names = removed[likeness], names.count == 1,
        let old = names.first, let former = pairing.source(ofDestination: likeness.entity)
      else { return nil }
      let identifier =
        source.allAttributes(of: former)[old]?.property.canonicalName
        ?? source.allRelationships(of: former)[old]?.property.canonicalName ?? old
      return .looksLikeRename(
        old: .property(entity: former, name: old),
        new: .property(entity: likeness.entity, name: new),
        identifier: identifier
      )
    }
  }

  /// What a property has in common with one that it may continue, nil for one that is computed and keeps no values.
  private func shape(
    of name: String,
    at entity: String,
    in hierarchy: EntityHierarchy,
    linked: (String) -> String?
  ) -> String? {
    if let attribute = hierarchy.allAttributes(of: entity)[name]?.property {
      return attribute.derivation == nil ? attribute.type.name : nil
    }
    guard let relationship = hierarchy.allRelationships(of: entity)[name]?.property,
      let destination = relationship.destinationEntityName.flatMap(linked)
    else { return nil }
    return "\(relationship.isToMany ? "to-many" : "to-one") \(destination)"
  }

  private func stalePreviousNames() -> [Hint] {
    var hints: [Hint] = []
    func check(_ element: ModelElement, _ identifier: String, former: String, canonical: String) {
      guard identifier == former, canonical != former else { return }
      hints.append(
        .identifierNamesPreviousName(element: element, identifier: identifier, canonicalName: canonical)
      )
    }
    func check(
      _ properties: [(name: String, identifier: String?)],
      of entity: String,
      pairing: (String) -> PropertyPairing,
      formerCanonicalName: (String) -> String?
    ) {
      guard properties.contains(where: { $0.identifier != nil }) else { return }
      let formerNames = pairing(entity).sourceNames
      for (name, identifier) in properties {
        guard let identifier, let former = formerNames[name], former != name,
          let canonical = formerCanonicalName(former)
        else { continue }
        check(.property(entity: entity, name: name), identifier, former: former, canonical: canonical)
      }
    }
    for entity in destination.numberedEntities {
      guard let former = pairing.source(ofDestination: entity.name).flatMap(source.entity(named:)) else { continue }
      if let identifier = entity.renamingIdentifier, entity.name != former.name {
        check(.entity(entity.name), identifier, former: former.name, canonical: former.canonicalName)
      }
      check(
        entity.attributes.map { ($0.name, $0.renamingIdentifier) },
        of: entity.name,
        pairing: pairing.attributes(ofDestination:),
        formerCanonicalName: { source.allAttributes(of: former.name)[$0]?.property.canonicalName }
      )
      check(
        entity.relationships.map { ($0.name, $0.renamingIdentifier) },
        of: entity.name,
        pairing: pairing.relationships(ofDestination:),
        formerCanonicalName: { source.allRelationships(of: former.name)[$0]?.property.canonicalName }
      )
    }
    return hints
  }

  private func unreachedRows() -> [Hint] {
    changes.compactMap { change in
      switch (change.kind, change.element) {
      case (.changed(let aspect, _, _), _) where aspect.seemsToReachRows && !change.changesHash:
        .doesNotReachExistingRows(element: change.element, aspect: aspect)
      case (.added, .fetchIndex), (.removed, .fetchIndex):
        .doesNotReachExistingRows(element: change.element, aspect: .indexElements)
      default: nil
      }
    }
  }
}
