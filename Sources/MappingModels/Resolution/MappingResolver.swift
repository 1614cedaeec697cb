import ModelComparison
import ModelDescription

/// Resolves a custom mapping model against the two models.
struct MappingResolver {
  typealias Part = WrittenMappingModel.Part

  let written: WrittenMappingModel
  let pairing: EntityPairing
  /// True to leave empty any value that cannot be inferred, instead of an error.
  var leavesUndecided = false
  var source: EntityHierarchy { pairing.source }
  var destination: EntityHierarchy { pairing.destination }

  func resolved() throws(MappingResolutionError) -> MappingModel {
    try checkEntities()
    try checkDroppedData()
    let roles = try roles()
    var mappings: [EntityMapping] = []
    for (position, role) in roles.enumerated() {
      if written.entityMappings.indices.contains(position) {
        mappings.append(try entityMapping(at: position, as: role, among: roles))
      } else {
        mappings.append(try inferredMapping(role, among: roles))
      }
    }
    return MappingModel(
      entityMappings: mappings,
      policyReplacements: written.policyReplacements,
      droppedData: written.droppedData
    )
  }

  /// Returns the values that are left to inference and cannot be inferred.
  func undecided() throws(MappingResolutionError) -> [MappingResolutionError] {
    let roles = try roles()
    return roles.enumerated().flatMap { position, role in
      let inference = PropertyInference(of: role, among: roles, pairing: pairing)
      let isWritten = written.entityMappings.indices.contains(position)
      let shape = WrittenEntityMapping(source: role.source, destination: role.destination)
      let found = PropertyResolver(
        mapping: isWritten ? written.entityMappings[position] : shape, position: position, role: role, roles: roles,
        inference: inference, pairing: pairing, leavesUndecided: true
      ).undecided()
      return isWritten ? found : found.map { MappingResolutionError($0.reason, at: .model) }
    }
  }

  /// Returns the roles of the custom mappings, then of the inferred mappings.
  func roles() throws(MappingResolutionError) -> [MappingRole] {
    var roles: [MappingRole] = []
    var names: Set<String> = []
    for (position, mapping) in written.entityMappings.enumerated() {
      let name = mapping.name ?? mapping.defaultName
      guard names.insert(name).inserted else { throw .init(.duplicateName(name), at: .entityMapping(position)) }
      roles.append(MappingRole(name: name, source: mapping.source, destination: mapping.destination))
    }
    guard written.infersUnmentioned else { return roles }
    for role in try UnmentionedEntities(mentioned: roles, pairing: pairing).roles() {
      if !names.insert(role.name).inserted {
        let position = roles.firstIndex { $0.name == role.name }
        throw .init(.nameOfInferredMapping(role.name), at: position.map { .entityMapping($0) } ?? .model)
      }
      roles.append(role)
    }
    return roles
  }

  private func checkEntities() throws(MappingResolutionError) {
    for (position, mapping) in written.entityMappings.enumerated() {
      let part = Part.entityMapping(position)
      if mapping.source == nil, mapping.destination == nil { throw .init(.noEntity, at: part) }
      for (name, model, side) in [
        (mapping.source, source, MappingResolutionError.Side.source), (mapping.destination, destination, .destination),
      ] {
        guard let name, model.entity(named: name) == nil else { continue }
        let near = NearNames.nearest(to: name, among: model.model.entities.map(\.name))
        throw .init(.unknownEntity(name, side, near: near), at: part)
      }
      if mapping.source == nil, mapping.filter != nil { throw .init(.filterWithoutSource, at: part) }
      if mapping.destination == nil {
        if !mapping.attributes.isEmpty { throw .init(.propertiesWithoutDestination, at: .attribute(0, of: position)) }
        if !mapping.relationships.isEmpty {
          throw .init(.propertiesWithoutDestination, at: .relationship(0, of: position))
        }
      }
    }
  }

  private func checkDroppedData() throws(MappingResolutionError) {
    if written.droppedData.isEmpty { return }
    var known: Set<String> = []
    for entity in source.model.entities {
      known.insert(entity.name)
      let properties =
        Array(source.allAttributes(of: entity.name).keys) + Array(source.storedAttributes(of: entity.name).keys)
        + Array(source.allRelationships(of: entity.name).keys)
      known.formUnion(properties.map { "\(entity.name).\($0)" })
    }
    if let name = written.droppedData.subtracting(known).min() {
      throw .init(.unknownDrop(name, near: NearNames.nearest(to: name, among: known.sorted())), at: .drop(name))
    }
  }

  private func inferredMapping(
    _ role: MappingRole, among roles: [MappingRole]
  ) throws(MappingResolutionError) -> EntityMapping {
    let shape = WrittenEntityMapping(source: role.source, destination: role.destination)
    let inference = PropertyInference(of: role, among: roles, pairing: pairing)
    return EntityMapping(
      name: role.name,
      kind: shape.defaultKind,
      source: role.source,
      destination: role.destination,
      attributeMappings: try properties(inference.attributes, at: .model),
      relationshipMappings: try properties(inference.relationships, at: .model)
    )
  }

  private func entityMapping(
    at position: Int, as role: MappingRole, among roles: [MappingRole]
  ) throws(MappingResolutionError) -> EntityMapping {
    let mapping = written.entityMappings[position]
    let inference = PropertyInference(of: role, among: roles, pairing: pairing)
    let properties = PropertyResolver(
      mapping: mapping, position: position, role: role, roles: roles, inference: inference, pairing: pairing,
      leavesUndecided: leavesUndecided)
    return EntityMapping(
      name: role.name,
      kind: mapping.kind ?? mapping.defaultKind,
      source: role.source,
      destination: role.destination,
      sourceVersionHash: mapping.sourceVersionHash,
      destinationVersionHash: mapping.destinationVersionHash,
      filter: mapping.filter,
      attributeMappings: try properties.attributes(),
      relationshipMappings: try properties.relationships(),
      policyClassName: mapping.policyClassName,
      userInfo: mapping.userInfo
    )
  }

  private func properties(
    _ inferred: [String: PropertyInference.Inferred], at part: Part
  ) throws(MappingResolutionError) -> PropertyMappings {
    var mappings = PropertyMappings()
    for (name, value) in inferred.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      switch value {
      case .success(let value): mappings.append(PropertyMapping(name: name, value: value))
      case .failure where leavesUndecided: mappings.append(PropertyMapping(name: name, value: .unset))
      case .failure(let refusal): throw .init(refusal.reason, at: part)
      }
    }
    return mappings
  }
}
