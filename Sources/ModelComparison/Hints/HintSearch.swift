import ModelDescription

/// Finds the changes that developers overlook in a difference.
struct HintSearch {
  /// The maximum number of compared pairs of entities; with more pairs, the two models are unrelated.
  private static let comparisonLimit = 250_000

  let pairing: EntityPairing
  let changes: [Change]
  /// The destination entities with a new hash.
  let changedEntities: Set<String>
  private var source: EntityHierarchy { pairing.source }
  private var destination: EntityHierarchy { pairing.destination }

  func hints() -> [Hint] {
    let ofProperties = propertyAmbiguities()
    return (pairing.ambiguities + ofProperties).map { .ambiguousPairing($0) } + renamedEntities()
      + renamedProperties(except: ofProperties) + stalePreviousNames() + unreachedRows()
  }

  private func propertyAmbiguities() -> [PairingAmbiguity] {
    var ambiguities: [PairingAmbiguity] = []
    var seen: Set<PairingAmbiguity> = []
    for entity in destination.numberedEntities where pairing.source(ofDestination: entity.name) != nil {
      let found =
        pairing.attributes(ofDestination: entity.name).ambiguities
        + pairing.relationships(ofDestination: entity.name).ambiguities
      for ambiguity in found where seen.insert(ambiguity).inserted { ambiguities.append(ambiguity) }
    }
    return ambiguities
  }

  private func renamedEntities() -> [Hint] {
    // Ambiguous elements have identifiers, so another identifier would not help.
    let claimants = Set(pairing.ambiguities.flatMap(\.destinations))
    let claimed = Set(pairing.ambiguities.flatMap(\.sources))
    let added = destination.numberedEntities.filter {
      pairing.source(ofDestination: $0.name) == nil && !claimants.contains($0.name)
    }
    let removed = source.numberedEntities.filter {
      pairing.destination(ofSource: $0.name) == nil && !claimed.contains($0.name)
    }
    guard added.count * removed.count <= Self.comparisonLimit else { return [] }
    let sourceProperties = removed.map(Self.properties)
    let sourceNames = removed.map { NameLikeness($0.name) }
    let isOnly = added.count == 1 && removed.count == 1
    // The removed entities by property, so that only entities with a common property are compared.
    var holders: [String: [Int]] = [:]
    for (position, properties) in sourceProperties.enumerated() {
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
      let name = NameLikeness(entity.name)
      // A single common property, such as a name, does not make two entities similar.
      let alike = common.filter { position, count in
        count * 2 >= max(properties.count, sourceProperties[position].count)
          && (count > 1 || isOnly || name.share(with: sourceNames[position]) >= 0.5)
      }
      guard let best = alike.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }) else { continue }
      taken.insert(best.key)
      let original = removed[best.key]
      hints.append(
        .looksLikeRename(
          source: .entity(original.name), destination: .entity(entity.name), identifier: original.canonicalName)
      )
    }
    return hints
  }

  private static func properties(of entity: EntityDescription) -> Set<String> {
    Set(entity.attributes.map { "\($0.name): \($0.type.name)" })
      .union(entity.relationships.map { "\($0.name): \($0.isToMany ? "to-many" : "to-one")" })
  }

  private func renamedProperties(except ambiguities: [PairingAmbiguity]) -> [Hint] {
    let claimants = Set(
      ambiguities.flatMap { ambiguity in
        ambiguity.destinations.map { ModelElement.property(entity: ambiguity.element.entityName ?? "", name: $0) }
      })
    var removed: [String: Set<String>] = [:]
    var added: [String: Set<String>] = [:]
    var entities: [String] = []
    for change in changes where change.changesHash {
      guard case .property(let entity, let name) = change.element else { continue }
      if change.kind != .removed, claimants.contains(change.element) { continue }
      if change.kind == .removed, let successor = pairing.destination(ofSource: entity) {
        removed[successor, default: []].insert(name)
      } else if change.kind == .added, pairing.source(ofDestination: entity) != nil {
        if added[entity] == nil { entities.append(entity) }
        added[entity, default: []].insert(name)
      }
    }
    return entities.flatMap { entity in
      renamedProperties(of: entity, removed: removed[entity] ?? [], added: added[entity] ?? [])
    }
  }

  private func renamedProperties(of name: String, removed: Set<String>, added: Set<String>) -> [Hint] {
    guard !removed.isEmpty, let original = pairing.source(ofDestination: name).flatMap(source.entity(named:)),
      let entity = destination.entity(named: name)
    else { return [] }
    let names = pairing.attributes(ofDestination: name).sourceNames
      .merging(pairing.relationships(ofDestination: name).sourceNames) { first, _ in first }
    let destinationNames = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let old = PropertyCandidates(
      of: original, changed: removed, staying: { destinationNames[$0] }, linked: pairing.destination(ofSource:))
    let new = PropertyCandidates(of: entity, changed: added, staying: { names[$0] == nil ? nil : $0 }, linked: { $0 })
    let renamed = RenamedProperties(
      removed: old.candidates, added: new.candidates, isSorted: old.isSorted && new.isSorted)
    return renamed.pairs().map { pair in
      .looksLikeRename(
        source: .property(entity: original.name, name: pair.removed.name),
        destination: .property(entity: name, name: pair.added.name),
        identifier: source.allAttributes(of: original.name)[pair.removed.name]?.property.canonicalName
          ?? source.allRelationships(of: original.name)[pair.removed.name]?.property.canonicalName ?? pair.removed.name)
    }
  }

  private func stalePreviousNames() -> [Hint] {
    var hints: [Hint] = []
    func check(_ element: ModelElement, _ identifier: String, previous: String, canonical: String) {
      guard identifier == previous, canonical != previous else { return }
      hints.append(.identifierNamesPreviousName(element: element, identifier: identifier, canonicalName: canonical))
    }
    func check(
      _ properties: [(name: String, identifier: String?)],
      of entity: String,
      pairing: (String) -> PropertyPairing,
      sourceCanonicalName: (String) -> String?
    ) {
      guard properties.contains(where: { $0.identifier != nil }) else { return }
      let sourceNames = pairing(entity).sourceNames
      for (name, identifier) in properties {
        guard let identifier, let sourceName = sourceNames[name], sourceName != name,
          let canonical = sourceCanonicalName(sourceName)
        else { continue }
        check(.property(entity: entity, name: name), identifier, previous: sourceName, canonical: canonical)
      }
    }
    for entity in destination.numberedEntities {
      guard let original = pairing.source(ofDestination: entity.name).flatMap(source.entity(named:)) else { continue }
      if let identifier = entity.renamingIdentifier, entity.name != original.name {
        check(.entity(entity.name), identifier, previous: original.name, canonical: original.canonicalName)
      }
      check(
        entity.attributes.map { ($0.name, $0.renamingIdentifier) },
        of: entity.name,
        pairing: pairing.attributes(ofDestination:),
        sourceCanonicalName: { source.allAttributes(of: original.name)[$0]?.property.canonicalName }
      )
      check(
        entity.relationships.map { ($0.name, $0.renamingIdentifier) },
        of: entity.name,
        pairing: pairing.relationships(ofDestination:),
        sourceCanonicalName: { source.allRelationships(of: original.name)[$0]?.property.canonicalName }
      )
    }
    return hints
  }

  private func unreachedRows() -> [Hint] {
    let retyped = Set(changes.filter { if case .changed(.type, _, _) = $0.kind { true } else { false } }.map(\.element))
    return changes.compactMap { change -> Hint? in
      let aspect: Aspect
      switch (change.kind, change.element) {
      case (.changed(let changed, _, _), _) where changed.seemsToReachRows && !change.changesHash: aspect = changed
      case (.added, .fetchIndex), (.removed, .fetchIndex): aspect = .indexElements
      default: return nil
      }
      let isNewVersion = change.element.entityName.map(changedEntities.contains) ?? false
      if aspect.isIndex, isNewVersion { return nil }
      // A value of a different type is created again.
      if aspect == .valueTransformer, retyped.contains(change.element) { return nil }
      if let attribute = attribute(change.element, in: destination), let old = change.sourceElement,
        let former = self.attribute(old, in: source)
      {
        // Rows do not have transient values, and every row gets the value of an attribute that was transient.
        if attribute.isTransient || former.isTransient { return nil }
        if aspect == .defaultValue, reachesRows(change.element, former, attribute) { return nil }
      }
      return .doesNotReachExistingRows(element: change.element, aspect: aspect, isNewVersion: isNewVersion)
    }
  }

  private func attribute(_ element: ModelElement, in hierarchy: EntityHierarchy) -> AttributeDescription? {
    guard case .property(let entity, let name) = element else { return nil }
    return hierarchy.allAttributes(of: entity)[name]?.property
  }

  /// True if a migration sets the default value in rows.
  ///
  /// It does so in rows without a value that is now required, and in rows of an entity that did not have the attribute.
  private func reachesRows(
    _ element: ModelElement, _ former: AttributeDescription, _ attribute: AttributeDescription
  ) -> Bool {
    guard attribute.defaultValue != nil, case .property(let entity, let name) = element else { return false }
    if former.isOptional, !attribute.isOptional { return true }
    return destination.family(of: entity).contains { member in
      pairing.source(ofDestination: member.name) != nil
        && pairing.attributes(ofDestination: member.name).sourceNames[name] == nil
    }
  }
}
