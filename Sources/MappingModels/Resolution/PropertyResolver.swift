import ModelComparison
import ModelDescription

/// Resolves the properties of one custom entity mapping.
struct PropertyResolver {
  let mapping: WrittenEntityMapping
  let position: Int
  let role: MappingRole
  let roles: [MappingRole]
  let inference: PropertyInference
  let pairing: EntityPairing
  /// True to leave empty any value that cannot be inferred, instead of an error.
  let leavesUndecided: Bool

  private var entity: String { role.destination ?? "" }

  func attributes() throws(MappingResolutionError) -> PropertyMappings {
    let names = pairing.destination.allAttributes(of: entity)
    let known = Set(names.keys).union(pairing.destination.storedAttributes(of: entity).keys)
    let others = Set(pairing.destination.allRelationships(of: entity).keys)
    return try properties(mapping.attributes, inferred: inferredAttributes) {
      name, part throws(MappingResolutionError) in
      if known.contains(name) { return }
      if others.contains(name) { throw .init(.relationshipAsAttribute(name, entity: entity), at: part) }
      throw unknown(name, among: known.union(others), at: part)
    } part: {
      .attribute($0, of: position)
    }
  }

  /// The inferred attributes, without the elements of a composite attribute that has a mapping of its own.
  private var inferredAttributes: [String: PropertyInference.Inferred] {
    let names = pairing.destination.allAttributes(of: entity)
    let composites = Set(mapping.attributes.map(\.name)).filter { names[$0]?.property.type == .composite }
    return inference.attributes.filter { path, _ in !composites.contains { path.hasPrefix($0 + ".") } }
  }

  /// Returns the values that are left to inference and cannot be inferred.
  func undecided() -> [MappingResolutionError] {
    undecided(mapping.attributes, inferred: inferredAttributes) { .attribute($0, of: position) }
      + undecided(mapping.relationships, inferred: inference.relationships) { .relationship($0, of: position) }
  }

  private func undecided(
    _ written: [WrittenPropertyMapping], inferred: [String: PropertyInference.Inferred],
    part: (Int) -> WrittenMappingModel.Part
  ) -> [MappingResolutionError] {
    let positions = Dictionary(written.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    return inferred.sorted { $0.key < $1.key }.compactMap { name, value in
      guard case .failure(let refusal) = value else { return nil }
      guard let index = positions[name] else { return .init(refusal.reason, at: .entityMapping(position)) }
      return written[index].value == .inferred ? .init(refusal.reason, at: part(index)) : nil
    }
  }

  func relationships() throws(MappingResolutionError) -> PropertyMappings {
    let known = Set(pairing.destination.allRelationships(of: entity).keys)
    let others = Set(pairing.destination.allAttributes(of: entity).keys)
    return try properties(mapping.relationships, inferred: inference.relationships) {
      name, part throws(MappingResolutionError) in
      if known.contains(name) { return }
      if others.contains(name) { throw .init(.attributeAsRelationship(name, entity: entity), at: part) }
      throw unknown(name, among: known.union(others), at: part)
    } part: {
      .relationship($0, of: position)
    }
  }

  private func unknown(
    _ name: String, among names: Set<String>, at part: WrittenMappingModel.Part
  ) -> MappingResolutionError {
    let near = NearNames.nearest(to: name, among: names.sorted())
    return .init(.unknownProperty(name, entity: entity, near: near), at: part)
  }

  private func properties(
    _ written: [WrittenPropertyMapping],
    inferred: [String: PropertyInference.Inferred],
    check: (String, WrittenMappingModel.Part) throws(MappingResolutionError) -> Void,
    part: (Int) -> WrittenMappingModel.Part
  ) throws(MappingResolutionError) -> PropertyMappings {
    var properties: [String: PropertyMapping] = [:]
    var names: Set<String> = []
    for (index, property) in written.enumerated() {
      let part = part(index)
      try check(property.name, part)
      guard names.insert(property.name).inserted else { throw .init(.duplicateProperty(property.name), at: part) }
      guard let value = try value(of: property, inferred: inferred[property.name], at: part) else { continue }
      properties[property.name] = PropertyMapping(name: property.name, value: value, userInfo: property.userInfo)
    }
    for (name, value) in inferred.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
      switch value {
      case .success(let value): properties[name] = PropertyMapping(name: name, value: value)
      case .failure where leavesUndecided: properties[name] = PropertyMapping(name: name, value: .unset)
      case .failure(let refusal): throw .init(refusal.reason, at: .entityMapping(position))
      }
    }
    return PropertyMappings(properties.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }

  /// The value, nil for a property that the mapping is not to list.
  private func value(
    of property: WrittenPropertyMapping, inferred: PropertyInference.Inferred?, at part: WrittenMappingModel.Part
  ) throws(MappingResolutionError) -> PropertyMapping.Value? {
    switch property.value {
    case .omitted: return nil
    case .unset: return .unset
    case .expression(let expression): return .expression(expression)
    case .sql(let sql): return .sql(sql)
    case .inferred:
      switch inferred {
      case .success(let value): return value
      case .failure where leavesUndecided: return .unset
      case .failure(let refusal): throw .init(refusal.reason, at: part)
      case nil: return .unset
      }
    case .made(let name, let objects):
      guard roles.contains(where: { $0.name == name }) else {
        throw .init(.unknownMapping(name, near: NearNames.nearest(to: name, among: roles.map(\.name))), at: part)
      }
      if let objects { return .expression(.objects(madeBy: name, from: objects)) }
      guard let sourceName = inference.sourceRelationships[property.name] else {
        throw .init(.noSourceRelationship(property.name, entity: role.source ?? "(none)"), at: part)
      }
      return .expression(.objects(madeBy: name, from: .sourceValue([sourceName])))
    case .madeFrom(let keyPath):
      return .expression(.objects(madeBy: try maker(of: property.name, from: keyPath, at: part), from: keyPath))
    }
  }

  /// Returns the only mapping that creates objects for a relationship from the source objects at a key path.
  private func maker(
    of relationship: String, from keyPath: ValueExpression, at part: WrittenMappingModel.Part
  ) throws(MappingResolutionError) -> String {
    guard let objects = role.source.flatMap({ keyPath.objects(from: $0, in: pairing.source) }) else {
      throw .init(.noObjects(at: keyPath), at: part)
    }
    let wanted = pairing.destination.allRelationships(of: entity)[relationship]?.property.destinationEntityName ?? ""
    let family = Set(pairing.source.family(of: objects).map(\.name))
    let makers = roles.filter { role in
      role.source.map(family.contains) == true
        && role.destination.map { pairing.destination.isEntity($0, kindOf: wanted) } == true
    }
    guard makers.count == 1, let maker = makers.first else {
      throw .init(.severalMappings(makers.map(\.name), entity: wanted), at: part)
    }
    return maker.name
  }
}

extension ValueExpression {
  /// Returns the entity at the end of a key path of relationships from `$source`; collection operators keep the
  /// objects.
  fileprivate func objects(from entity: String, in hierarchy: EntityHierarchy) -> String? {
    if self == .variable("source") { return entity }
    guard case .keyPath(let keys, of: .variable("source")) = self else { return nil }
    var current = entity
    for key in keys where !key.hasPrefix("@") {
      guard let next = hierarchy.allRelationships(of: current)[key]?.property.destinationEntityName else { return nil }
      current = next
    }
    return current
  }
}
