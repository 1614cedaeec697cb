package import ModelDescription

/// Finds what the rows must meet, by what is new in the destination relative to the source.
struct RequirementSearch {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The source entities whose rows go.
  let removed: Set<String>
  let destinationNames: [String: String]
  let mappingsByDestination: [String: EntityMapping]

  init(_ mapping: MappingModel, source: EntityHierarchy, destination: EntityHierarchy) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    var names: [String: String] = [:]
    var mappings: [String: EntityMapping] = [:]
    for entity in mapping.entityMappings {
      if let from = entity.source, let to = entity.destination { names[from] = to }
      if let to = entity.destination { mappings[to] = entity }
    }
    destinationNames = names
    mappingsByDestination = mappings
    removed = Set(source.model.entities.map(\.name).filter { names[$0] == nil })
  }

  func requirements() -> [MappingRequirement] {
    var found: [MappingRequirement] = []
    var seen: Set<MappingRequirement> = []
    func add(_ requirements: [MappingRequirement]) {
      for requirement in requirements where seen.insert(requirement).inserted { found.append(requirement) }
    }
    for entity in mapping.entityMappings {
      guard let name = entity.destination, let sourceName = entity.source else { continue }
      let isSourceAbstract = source.entity(named: sourceName)?.isAbstract ?? false
      let isAbstract = destination.entity(named: name)?.isAbstract ?? false
      if isSourceAbstract { continue }
      if isAbstract { add([.noRowsOfAbstract(entity: name)]) }
      add(attributeRequirements(of: entity, named: name, from: sourceName))
      add(relationshipRequirements(of: entity, named: name, from: sourceName))
    }
    for entity in destination.numberedEntities { add(uniquenessRequirements(of: entity)) }
    return found
  }

  private func attributeRequirements(
    of entity: EntityMapping,
    named name: String,
    from sourceName: String
  ) -> [MappingRequirement] {
    let attributes = destination.storedAttributes(of: name)
    let sourceAttributes = source.storedAttributes(of: sourceName)
    var requirements: [MappingRequirement] = []
    for (path, attribute) in entity.inferredAttributes {
      guard let description = attributes[path] else { continue }
      if description.derivation == nil, !description.isOptional, attribute.canBeEmpty(from: sourceAttributes) {
        requirements.append(.mandatoryAttribute(entity: name, attribute: path))
      }
      let conversions = attribute.conversions
      if conversions.contains(where: { !$0.isExact }) {
        requirements.append(.fits(entity: name, attribute: path, conversions: conversions))
      }
    }
    return requirements
  }
}

extension AttributeMapping {
  /// The changes of type on the way, first thing first.
  package var conversions: [TypeConversion] {
    steps.compactMap { step in
      if case .convert(let from, let to) = step { TypeConversion(from: from, to: to) } else { nil }
    }
  }

  /// True when a row may come out without a value.
  fileprivate func canBeEmpty(from attributes: [String: StoredAttribute]) -> Bool {
    let isReplaced = steps.contains { step in
      if case .replaceNil = step { true } else { false }
    }
    if isReplaced { return false }
    if conversions.contains(where: \.leavesEmpty) { return true }
    switch origin {
    case .source(let path): return attributes[path]?.isOptional ?? true
    case .constant(let value): return value == nil
    case .derived: return true
    }
  }
}

extension TypeConversion {
  /// True when a value that has no equal in the new type becomes none.
  fileprivate var leavesEmpty: Bool {
    switch (from, to) {
    case (.string, .date), (.string, .uuid), (.binary, .uuid): true
    default: false
    }
  }
}
