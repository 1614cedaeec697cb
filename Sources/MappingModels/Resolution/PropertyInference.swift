import ModelComparison
import ModelDescription

/// What inference says about the properties of one entity mapping, whichever two entities it connects.
///
/// Source: section a2 of the inference specification for the pairing, b4 for the expressions.
struct PropertyInference {
  /// The origin of a value, or why it cannot be inferred.
  typealias Inferred = Result<PropertyMapping.Value, Refusal>

  /// Why the value of a property cannot be inferred.
  struct Refusal: Error, Hashable {
    var cause: MappingResolutionError.Cause
    /// The source value that it would be made of.
    var sourcePath: String?
  }

  /// The stored attributes by leaf path.
  let attributes: [String: Inferred]
  /// The stored relationships by name.
  let relationships: [String: Inferred]
  /// The source relationship that each relationship continues.
  let sourceRelationships: [String: String]

  /// - Parameters:
  ///   - role: the entity mapping.
  ///   - roles: every entity mapping of the model, this one too.
  ///   - pairing: the two models.
  init(of role: MappingRole, among roles: [MappingRole], pairing: EntityPairing) {
    guard let entity = role.destination else {
      (attributes, relationships, sourceRelationships) = ([:], [:], [:])
      return
    }
    attributes = Self.attributes(of: entity, from: role.source, pairing)
    let names = pairing.relationships(ofDestination: entity, from: role.source)
    let stored = role.source.map { pairing.source.storedRelationships(of: $0) } ?? [:]
    var sourceNames: [String: String] = [:]
    var relationships: [String: Inferred] = [:]
    for (name, relationship) in pairing.destination.storedRelationships(of: entity) {
      if let ambiguity = names.ambiguities.first(where: { $0.destinations.contains(name) }) {
        relationships[name] = .failure(
          .init(cause: .ambiguousProperty("\(entity).\(name)", sources: ambiguity.sources)))
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

  /// The objects that a source relationship leads to, nil when no mapping makes any.
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
    let names = pairing.attributes(ofDestination: entity, from: sourceEntity)
    let declarations = sourceEntity.map { pairing.source.allAttributes(of: $0) } ?? [:]
    let stored = sourceEntity.map { pairing.source.storedAttributes(of: $0) } ?? [:]
    var attributes: [String: Inferred] = [:]
    for (path, attribute) in pairing.destination.storedAttributes(of: entity) where attribute.derivation == nil {
      let name = attribute.attribute.name
      if let ambiguity = names.ambiguities.first(where: { $0.destinations.contains(name) }) {
        attributes[path] = .failure(.init(cause: .ambiguousProperty("\(entity).\(path)", sources: ambiguity.sources)))
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
          .init(cause: .incompatibleTypes("\(entity).\(path)", conversion), sourcePath: declaration.name))
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
        .init(cause: .incompatibleTypes("\(entity).\(attribute.path)", conversion), sourcePath: sourceAttribute.path))
    }
    let filling = sourceAttribute.isOptional && !attribute.isOptional ? attribute.defaultValue : nil
    var mapping = AttributeMapping(
      origin: .source(sourceAttribute.path), steps: filling.map { [.replaceNil($0)] } ?? [])
    // An expression converts whatever it is given; where nobody wrote one, the rows are asked what does not fit.
    guard conversion.isExact else {
      mapping.steps.insert(.convert(from: conversion.from, to: conversion.to), at: 0)
      return .success(.attribute(mapping))
    }
    return .success(mapping.expression.map { .expression($0) } ?? .unset)
  }
}
