import ModelDescription

/// Lists the edits of an entity that may explain a store's hash, the likely ones first.
struct EditGenerator {
  let vocabulary: EditVocabulary

  /// Every single edit of an entity.
  ///
  /// - Returns: the edits, each at most once.
  func candidates(for entity: EntityDescription) -> [EditCandidate] {
    let properties = Self.properties(of: entity)
    return properties.flatMap(flips) + additions(to: entity) + properties.map(Self.removal)
      + entityEdits(of: entity) + properties.flatMap { lesserEdits(of: $0, in: entity) }
      + properties.flatMap { definitions(of: $0, in: entity) } + columnAttributes(of: entity)
  }

  /// Attributes named after columns of the store that no version has a property for.
  private func columnAttributes(of entity: EntityDescription) -> [EditCandidate] {
    vocabulary.unknownColumns[entity.name, default: []].prefix(Self.columnLimit).flatMap { column in
      column.spellings.flatMap { name in
        column.attributeTypes.flatMap { type in
          [true, false].map { isOptional -> EditCandidate in
            let attribute = AttributeDescription(name: name, type: type, isOptional: isOptional)
            var candidate = EditCandidate(
              change: .addedAttribute(attribute), effect: .property(removing: nil, inserting: .attribute(attribute)))
            candidate.isRare = true
            return candidate
          }
        }
      }
    }
  }

  /// Of how many columns attributes are tried.
  private static let columnLimit = 4

  func candidates(for property: EditCandidate.Property, in entity: EntityDescription) -> [EditCandidate] {
    flips(property) + lesserEdits(of: property, in: entity)
  }

  static func properties(of entity: EntityDescription) -> [EditCandidate.Property] {
    entity.attributes.map { .attribute($0) } + entity.relationships.map { .relationship($0) }
  }

  private static func removal(of property: EditCandidate.Property) -> EditCandidate {
    EditCandidate(change: .removedProperty(property.name), effect: .property(removing: property.name, inserting: nil))
  }

  private func flips(_ property: EditCandidate.Property) -> [EditCandidate] {
    switch property {
    case .attribute(let attribute):
      [edit(attribute, .optional(attribute.name, !attribute.isOptional)) { $0.isOptional.toggle() }]
    case .relationship(let relationship):
      [edit(relationship, .optional(relationship.name, !relationship.isOptional)) { $0.isOptional.toggle() }]
    }
  }

  private func additions(to entity: EntityDescription) -> [EditCandidate] {
    let own = Set(Self.properties(of: entity).map(\.name))
    let attributes = vocabulary.attributes[entity.name, default: []].map(\.element).filter { !own.contains($0.name) }
    let relationships = vocabulary.relationships[entity.name, default: []].map(\.element)
      .filter { !own.contains($0.name) }
    let addedAttributes = attributes.filter { !$0.isTransient }.map { attribute in
      EditCandidate(
        change: .addedAttribute(attribute), effect: .property(removing: nil, inserting: .attribute(attribute)))
    }
    let addedRelationships = relationships.filter { !$0.isTransient }.map { relationship in
      EditCandidate(
        change: .addedRelationship(relationship),
        effect: .property(removing: nil, inserting: .relationship(relationship)))
    }
    return addedAttributes + addedRelationships
  }

  private func entityEdits(of entity: EntityDescription) -> [EditCandidate] {
    var edits = [EditCandidate(change: .abstract(!entity.isAbstract), effect: .abstract(!entity.isAbstract))]
    edits += entity.uniquenessConstraints.map { names in
      EditCandidate(change: .removedConstraint(names), effect: .constraints(adding: nil, removing: names))
    }
    edits += vocabulary.constraints[entity.name, default: []].filter { !entity.uniquenessConstraints.contains($0) }
      .map { EditCandidate(change: .addedConstraint($0), effect: .constraints(adding: $0, removing: nil)) }
    edits += modifiers(besides: entity.versionHashModifier).map { modifier in
      EditCandidate(change: .entityModifier(modifier), effect: .modifier(modifier))
    }
    return edits
  }

  private func lesserEdits(of property: EditCandidate.Property, in entity: EntityDescription) -> [EditCandidate] {
    switch property {
    case .attribute(let attribute): edits(of: attribute) + renamings(of: property, in: entity)
    case .relationship(let relationship): edits(of: relationship) + renamings(of: property, in: entity)
    }
  }

  /// The bytes that external storage and preservation add to the hash are the same, so that external storage, which
  /// only binary data has, is tried first where it is possible.
  private func edits(of attribute: AttributeDescription) -> [EditCandidate] {
    let name = attribute.name
    var edits: [EditCandidate] = []
    if attribute.isTransient { edits.append(edit(attribute, .stored(name)) { $0.isTransient = false }) }
    if attribute.derivation != nil { edits.append(edit(attribute, .notDerived(name)) { $0.derivation = nil }) }
    for type in AttributeType.known where type != attribute.type && type != .composite {
      var candidate = edit(attribute, .type(name, store: type, version: attribute.type)) { $0.type = type }
      candidate.isRare = !(type.isNumeric && attribute.type.isNumeric)
      edits.append(candidate)
    }
    if attribute.type == .binary || attribute.allowsExternalBinaryDataStorage {
      let allows = !attribute.allowsExternalBinaryDataStorage
      edits.append(edit(attribute, .externalStorage(name, allows)) { $0.allowsExternalBinaryDataStorage = allows })
    }
    let preserves = !attribute.preservesValueInHistoryOnDeletion
    edits.append(edit(attribute, .preservation(name, preserves)) { $0.preservesValueInHistoryOnDeletion = preserves })
    return edits
      + modifiers(besides: attribute.versionHashModifier).map { modifier in
        edit(attribute, .propertyModifier(name, modifier)) { $0.versionHashModifier = modifier }
      }
  }

  private func edits(of relationship: RelationshipDescription) -> [EditCandidate] {
    let name = relationship.name
    var edits: [EditCandidate] = []
    if relationship.isTransient { edits.append(edit(relationship, .stored(name)) { $0.isTransient = false }) }
    edits.append(edit(relationship, .ordered(name, !relationship.isOrdered)) { $0.isOrdered.toggle() })
    for count in vocabulary.counts where count != [relationship.minCount, relationship.maxCount] {
      let change = ModelEdit.Change.counts(
        name, minimum: count[0], maximum: count[1], wasToMany: relationship.isToMany)
      edits.append(edit(relationship, change) { ($0.minCount, $0.maxCount) = (count[0], count[1]) })
    }
    let destination = relationship.destinationEntityName
    for inverse in [nil] + vocabulary.relationshipNames[destination ?? "", default: []].map(Optional.some)
    where inverse != relationship.inverseName {
      edits.append(edit(relationship, .inverse(name, inverse)) { $0.inverseName = inverse })
    }
    for other in vocabulary.entityNames where other != destination {
      let change = ModelEdit.Change.destination(name, store: other, version: destination)
      edits.append(edit(relationship, change) { $0.destinationEntityName = other })
    }
    return edits
      + modifiers(besides: relationship.versionHashModifier).map { modifier in
        edit(relationship, .propertyModifier(name, modifier)) { $0.versionHashModifier = modifier }
      }
  }

  /// A property may have had any name that another version gives a property of the entity, or its renaming identifier.
  private func renamings(of property: EditCandidate.Property, in entity: EntityDescription) -> [EditCandidate] {
    let own = Set(Self.properties(of: entity).map(\.name))
    switch property {
    case .attribute(let attribute):
      let names = Set(vocabulary.attributes[entity.name, default: []].map(\.element.name))
        .union([attribute.canonicalName]).subtracting(own)
      return names.sorted().map { name in
        edit(attribute, .renamedProperty(attribute.name, storeName: name)) { $0.name = name }
      }
    case .relationship(let relationship):
      let names = Set(vocabulary.relationships[entity.name, default: []].map(\.element.name))
        .union([relationship.canonicalName]).subtracting(own)
      return names.sorted().map { name in
        edit(relationship, .renamedProperty(relationship.name, storeName: name)) { $0.name = name }
      }
    }
  }

  /// A property as another version defines it, for what no single edit gives.
  private func definitions(of property: EditCandidate.Property, in entity: EntityDescription) -> [EditCandidate] {
    func candidate(_ other: EditCandidate.Property, _ version: String) -> EditCandidate? {
      guard other.name == property.name, other != property, !other.isTransient else { return nil }
      return EditCandidate(
        change: .definition(property.name, asIn: version),
        effect: .property(removing: property.name, inserting: other))
    }
    return vocabulary.attributes[entity.name, default: []].compactMap { candidate(.attribute($0.element), $0.version) }
      + vocabulary.relationships[entity.name, default: []]
      .compactMap { candidate(.relationship($0.element), $0.version) }
  }

  private func modifiers(besides current: String?) -> [String?] {
    ([nil] + vocabulary.modifiers.map(Optional.some)).filter { $0 != current }
  }

  private func edit(
    _ attribute: AttributeDescription, _ change: ModelEdit.Change, _ mutate: (inout AttributeDescription) -> Void
  ) -> EditCandidate {
    var edited = attribute
    mutate(&edited)
    return EditCandidate(change: change, effect: .property(removing: attribute.name, inserting: .attribute(edited)))
  }

  private func edit(
    _ relationship: RelationshipDescription, _ change: ModelEdit.Change,
    _ mutate: (inout RelationshipDescription) -> Void
  ) -> EditCandidate {
    var edited = relationship
    mutate(&edited)
    return EditCandidate(
      change: change, effect: .property(removing: relationship.name, inserting: .relationship(edited)))
  }
}

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
