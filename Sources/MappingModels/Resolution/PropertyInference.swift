import ModelComparison
import ModelDescription

/// The inferred properties of a single entity mapping, for any two entities.
///
/// Source: section a2 of the inference specification for the pairing, b4 for the expressions.
struct PropertyInference {
  /// The origin of a value, or why it cannot be inferred.
  typealias Inferred = Result<PropertyMapping.Value, Refusal>

  /// The reason that the value of a property cannot be inferred.
  struct Refusal: Error, Hashable {
    var reason: MappingResolutionError.Reason
    /// The source value that the property would get.
    var sourcePath: String?
  }

  /// The stored attributes by leaf path.
  let attributes: [String: Inferred]
  let relationships: [String: Inferred]
  let sourceRelationships: [String: String]

  init(of role: MappingRole, among roles: [MappingRole], pairing: EntityPairing) {
    guard let entity = role.destination else {
      (attributes, relationships, sourceRelationships) = ([:], [:], [:])
      return
    }
    attributes = Self.attributes(of: entity, from: role.source, pairing)
    let names = pairing.carriedRelationships(ofDestination: entity, from: role.source)
    let stored = role.source.map { pairing.source.storedRelationships(of: $0) } ?? [:]
    var sourceNames: [String: String] = [:]
    var relationships: [String: Inferred] = [:]
    for (name, relationship) in pairing.destination.storedRelationships(of: entity) {
      if let ambiguity = names.ambiguities.first(where: { $0.destinations.contains(name) }) {
        relationships[name] = .failure(
          .init(reason: .ambiguousProperty("\(entity).\(name)", sources: ambiguity.sources)))
        continue
      }
      guard let sourceName = names.sourceNames[name], let sourceRelationship = stored[sourceName] else {
        relationships[name] = .success(.unset)
        continue
      }
      sourceNames[name] = sourceName
      relationships[name] = .success(
        Self.objects(of: sourceRelationship, for: relationship, among: roles, pairing).map { .expression($0) } ?? .unset
      )
    }
    self.relationships = relationships
    sourceRelationships = sourceNames
  }

  /// Returns the objects of a source relationship; nil if no mapping creates any.
  private static func objects(
    of sourceRelationship: RelationshipDescription,
    for relationship: RelationshipDescription,
    among roles: [MappingRole],
    _ pairing: EntityPairing
  ) -> ValueExpression? {
    guard let objects = sourceRelationship.destinationEntityName, let wanted = relationship.destinationEntityName else {
      return nil
    }
    let family = Set(pairing.source.family(of: objects).map(\.name))
    let readers = roles.filter { $0.source.map(family.contains) == true && $0.destination != nil }
    let makers = readers.filter { pairing.destination.isEntity($0.destination ?? "", kindOf: wanted) }
    if makers.isEmpty { return nil }
    let exact = makers.filter { $0.source == objects && $0.destination == wanted }
    if exact.count == 1, readers.allSatisfy({ $0.source == objects }) {
      return .objects(madeBy: exact[0].name, from: .sourceValue([sourceRelationship.name]))
    }
    return .objects(madeFromRelationship: sourceRelationship.name)
  }

  private static func attributes(
    of entity: String, from sourceEntity: String?, _ pairing: EntityPairing
  ) -> [String: Inferred] {
    let names = pairing.carriedAttributes(ofDestination: entity, from: sourceEntity)
    let declarations = sourceEntity.map { pairing.source.allAttributes(of: $0) } ?? [:]
    let stored = sourceEntity.map { pairing.source.storedAttributes(of: $0) } ?? [:]
    var attributes: [String: Inferred] = [:]
    for (path, attribute) in pairing.destination.storedAttributes(of: entity) where attribute.derivation == nil {
      let name = attribute.attribute.name
      if let ambiguity = names.ambiguities.first(where: { $0.destinations.contains(name) }) {
        attributes[path] = .failure(.init(reason: .ambiguousProperty("\(entity).\(path)", sources: ambiguity.sources)))
        continue
      }
      guard let declaration = names.sourceNames[name].flatMap({ declarations[$0]?.property }),
        !declaration.isTransient
      else {
        attributes[path] = .success(.unset)
        continue
      }
      if (attribute.attribute.type == .composite) != (declaration.type == .composite) {
        let conversion = TypeConversion(from: declaration.type, to: attribute.attribute.type)
        attributes[path] = .failure(
          .init(reason: .incompatibleTypes("\(entity).\(path)", conversion), sourcePath: declaration.name))
        continue
      }
      let leafPath = EntityPairing.leafPaths(from: declaration, to: attribute.attribute)[path]
      attributes[path] =
        leafPath.flatMap { stored[$0] }.map { value(of: attribute, in: entity, from: $0) } ?? .success(.unset)
    }
    return attributes
  }

  private static func value(of attribute: StoredAttribute, in entity: String, from sourceAttribute: StoredAttribute)
    -> Inferred
  {
    let conversion = TypeConversion(from: sourceAttribute.leaf.type, to: attribute.leaf.type)
    guard conversion.isInferable else {
      return .failure(
        .init(reason: .incompatibleTypes("\(entity).\(attribute.path)", conversion), sourcePath: sourceAttribute.path))
    }
    let filling = sourceAttribute.isOptional && !attribute.isOptional ? attribute.defaultValue : nil
    var mapping = AttributeMapping(
      origin: .source(sourceAttribute.path), steps: filling.map { [.replaceNil($0)] } ?? [])
    // An expression converts every value; if nobody wrote an expression, a check finds the rows that do not fit.
    guard conversion.isExact else {
      mapping.steps.insert(.convert(from: conversion.from, to: conversion.to), at: 0)
      return .success(.attribute(mapping))
    }
    return .success(mapping.expression.map { .expression($0) } ?? .unset)
  }
}

/// An entity mapping for use by other mappings: its name and its entities.
struct MappingRole: Hashable {
  var name: String
  var source: String?
  var destination: String?
}

/// The entity mappings that inference adds to the custom mappings.
///
/// Two entities that continue each other are mapped, unless custom mappings mention both. An entity that the file
/// starts empty is not filled, and an entity that the file removes is not carried over.
struct UnmentionedEntities {
  let mentioned: [MappingRole]
  let pairing: EntityPairing

  func roles() throws(MappingResolutionError) -> [MappingRole] {
    let destinations = Set(mentioned.compactMap(\.destination))
    for entity in pairing.destination.numberedEntities where !entity.isAbstract && !destinations.contains(entity.name) {
      guard let ambiguity = pairing.ambiguities.first(where: { $0.destinations.contains(entity.name) }) else {
        continue
      }
      throw .init(.ambiguousEntity(entity.name, sources: ambiguity.sources), at: .model)
    }
    return rolesDespiteAmbiguity()
  }

  /// Returns the roles if entities that claim each other are paired only by their plain names.
  func rolesDespiteAmbiguity() -> [MappingRole] {
    let sources = Set(mentioned.compactMap(\.source))
    let destinations = Set(mentioned.compactMap(\.destination))
    let removed = Set(mentioned.filter { $0.destination == nil }.compactMap(\.source))
    let added = Set(mentioned.filter { $0.source == nil }.compactMap(\.destination))
    var roles: [MappingRole] = []
    var carried: Set<String> = []
    for entity in pairing.destination.numberedEntities where !entity.isAbstract {
      let name = entity.name
      if let sourceName = pairing.source(ofDestination: name),
        let sourceEntity = pairing.source.entity(named: sourceName),
        !sourceEntity.isAbstract, !removed.contains(sourceName), !added.contains(name)
      {
        carried.insert(sourceName)
        if !sources.contains(sourceName) || !destinations.contains(name) {
          roles.append(MappingRole(name: "\(sourceName)To\(name)", source: sourceName, destination: name))
        }
      } else if !destinations.contains(name) {
        let free = freeName(name, else: "NothingTo\(name)", besides: roles)
        roles.append(MappingRole(name: free, source: nil, destination: name))
      }
    }
    for entity in pairing.source.numberedEntities where !entity.isAbstract {
      if sources.contains(entity.name) || carried.contains(entity.name) { continue }
      let free = freeName(entity.name, else: "\(entity.name)ToNothing", besides: roles)
      roles.append(MappingRole(name: free, source: entity.name))
    }
    return roles
  }

  /// The name, unless another mapping has it.
  private func freeName(_ name: String, else other: String, besides roles: [MappingRole]) -> String {
    (mentioned + roles).contains { $0.name == name } ? other : name
  }
}
