import ModelComparison
public import ModelDescription

extension WrittenMappingModel {
  /// Creates a custom mapping model with only the parts that inference would not give.
  ///
  /// ``resolved(from:to:)`` returns an equal mapping model if the names in it are unique, and its properties are sorted
  /// by name and exist in the models.
  public init(_ mapping: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy) {
    let pairing = ModelStep(from: source, to: destination).pairing
    let abbreviation = MappingAbbreviation(mapping: mapping, pairing: pairing)
    self.init(
      entityMappings: mapping.entityMappings.map(abbreviation.entityMapping),
      infersUnmentioned: true,
      policyReplacements: mapping.policyReplacements,
      droppedData: mapping.droppedData
    )
    func isEnough(_ written: WrittenMappingModel) -> Bool {
      (try? MappingResolver(written: written, pairing: pairing).resolved()) == mapping
    }
    guard isEnough(self) else {
      infersUnmentioned = false
      return
    }
    // Mappings at the end that inference would add in the same order are not needed.
    var (unneeded, needed) = (0, entityMappings.count)
    while unneeded < needed {
      let count = (unneeded + needed) / 2
      var shorter = self
      shorter.entityMappings.removeLast(entityMappings.count - count)
      if isEnough(shorter) { needed = count } else { unneeded = count + 1 }
    }
    entityMappings.removeLast(entityMappings.count - needed)
  }
}

/// Removes the inferable parts from a mapping model.
private struct MappingAbbreviation {
  let pairing: EntityPairing
  let roles: [MappingRole]

  init(mapping: MappingModel, pairing: EntityPairing) {
    self.pairing = pairing
    roles = mapping.entityMappings.map {
      MappingRole(name: $0.name, source: $0.source, destination: $0.destination)
    }
  }

  func entityMapping(_ mapping: EntityMapping) -> WrittenEntityMapping {
    var written = WrittenEntityMapping(
      source: mapping.source,
      destination: mapping.destination,
      sourceVersionHash: mapping.sourceVersionHash,
      destinationVersionHash: mapping.destinationVersionHash,
      filter: mapping.filter,
      policyClassName: mapping.policyClassName,
      userInfo: mapping.userInfo
    )
    if mapping.name != written.defaultName { written.name = mapping.name }
    if mapping.kind != written.defaultKind { written.kind = mapping.kind }
    let role = MappingRole(name: mapping.name, source: mapping.source, destination: mapping.destination)
    let inference = PropertyInference(of: role, among: roles, pairing: pairing)
    let composites = Set(mapping.attributeMappings.map(\.name))
    written.attributes = properties(
      mapping.attributeMappings,
      inferred: inference.attributes.filter { path, _ in !composites.contains { path.hasPrefix($0 + ".") } }
    ) { property in
      switch property.value {
      case .unset: .unset
      case .expression(let expression): .expression(expression)
      case .sql(let sql): .sql(sql)
      case .attribute, .relationship: .inferred
      }
    }
    written.relationships = properties(mapping.relationshipMappings, inferred: inference.relationships) { property in
      relationship(property, sourceName: inference.sourceRelationships[property.name])
    }
    return written
  }

  private func relationship(_ property: PropertyMapping, sourceName: String?) -> WrittenPropertyMapping.Value {
    switch property.value {
    case .unset: return .unset
    case .sql(let sql): return .sql(sql)
    case .attribute, .relationship: return .inferred
    case .expression(let expression):
      guard let (name, objects) = expression.madeObjects, roles.contains(where: { $0.name == name }) else {
        return .expression(expression)
      }
      return .made(by: name, from: sourceName.map { .sourceValue([$0]) } == objects ? nil : objects)
    }
  }

  private func properties(
    _ properties: PropertyMappings,
    inferred: [String: PropertyInference.Inferred],
    value: (PropertyMapping) -> WrittenPropertyMapping.Value
  ) -> [WrittenPropertyMapping] {
    var written: [WrittenPropertyMapping] = []
    for property in properties {
      let isInferred = inferred[property.name] == .success(property.value)
      if isInferred, property.userInfo.isEmpty { continue }
      written.append(
        WrittenPropertyMapping(
          name: property.name, value: isInferred ? .inferred : value(property), userInfo: property.userInfo))
    }
    let names = Set(properties.map(\.name))
    for name in inferred.keys.sorted() where !names.contains(name) {
      written.append(WrittenPropertyMapping(name: name, value: .omitted))
    }
    return written.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
