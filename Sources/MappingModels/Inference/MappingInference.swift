import ModelComparison
public import ModelDescription

/// Infers the mapping between two models, one entity at a time.
///
/// Source: sections a2 and a3 of the inference specification. ``MappingModel/requirements(source:destination:)`` lists
/// the conditions for rows.
struct MappingInference {
  let pairing: EntityPairing
  let options: InferenceOptions
  var source: EntityHierarchy { pairing.source }
  var destination: EntityHierarchy { pairing.destination }

  private let collector: InferenceRefusalCollector?

  /// Prepares an inference; with a collector it continues after a refusal.
  init(
    _ pairing: EntityPairing, options: InferenceOptions = InferenceOptions(),
    collector: InferenceRefusalCollector? = nil
  ) {
    (self.pairing, self.options, self.collector) = (pairing, options, collector)
  }

  /// Throws the refusal, or collects it and returns.
  func refuse(_ failure: InferenceRefusal) throws(InferenceRefusal) {
    guard let collector else { throw failure }
    collector.add(failure, in: destination)
  }

  func mappingModel() throws(InferenceRefusal) -> MappingModel {
    try checkEntities()
    var mappings: [EntityMapping] = []
    for entity in destination.numberedEntities {
      guard let sourceName = pairing.source(ofDestination: entity.name) else {
        mappings.append(EntityMapping(source: nil, destination: entity.name))
        continue
      }
      mappings.append(
        EntityMapping(
          source: sourceName,
          destination: entity.name,
          attributeMappings: PropertyMappings(attributes: try attributes(of: entity.name, from: sourceName)),
          relationshipMappings: PropertyMappings(relationships: try relationships(of: entity.name, from: sourceName))
        )
      )
    }
    for entity in source.numberedEntities where pairing.destination(ofSource: entity.name) == nil {
      mappings.append(EntityMapping(source: entity.name, destination: nil))
    }
    return DerivationRefresh(source: source, destination: destination).applied(
      to: MappingModel(entityMappings: mappings, isInferred: true))
  }

  /// Refuses entities that claim each other, names that only look equal, and a merge of the tables of several root
  /// entities, in which primary keys would collide.
  func checkEntities() throws(InferenceRefusal) {
    for ambiguity in pairing.ambiguities { try refuse(InferenceRefusal(.ambiguous(ambiguity), at: ambiguity.element)) }
    for entity in destination.numberedEntities {
      guard let sourceName = pairing.source(ofDestination: entity.name), sourceName.isRespelled(as: entity.name)
      else { continue }
      try refuse(InferenceRefusal(.respelled(from: sourceName, to: entity.name), at: .entity(entity.name)))
    }
    for root in destination.roots {
      let sourceRoots = pairing.sourceRoots(under: root.name)
      if sourceRoots.count > 1 {
        try refuse(InferenceRefusal(.mergedRoots(sourceRoots, into: root.name), at: .entity(root.name)))
      }
    }
  }

  /// Refuses properties that claim each other, and names that only look equal; Core Data would drop the source's data.
  func check(_ names: PropertyPairing, of entity: String) throws(InferenceRefusal) {
    for ambiguity in names.ambiguities { try refuse(InferenceRefusal(.ambiguous(ambiguity), at: ambiguity.element)) }
    let respelled = names.sourceNames.filter { name, sourceName in sourceName.isRespelled(as: name) }
    for (name, sourceName) in respelled.sorted(by: { $0.key < $1.key }) {
      try refuse(InferenceRefusal(.respelled(from: sourceName, to: name), at: .property(entity: entity, name: name)))
    }
  }

  func relationships(
    of entity: String,
    from sourceEntity: String
  ) throws(InferenceRefusal) -> [String: RelationshipMapping] {
    let names = pairing.carriedRelationships(ofDestination: entity, from: sourceEntity)
    try check(names, of: entity)
    let sourceRelationships = source.storedRelationships(of: sourceEntity)
    return destination.storedRelationships(of: entity).mapValues { relationship in
      guard let name = names.sourceNames[relationship.name], let sourceRelationship = sourceRelationships[name],
        pairing.canKeepLinks(to: sourceRelationship.destinationEntityName, in: relationship.destinationEntityName)
      else { return RelationshipMapping(source: nil) }
      return RelationshipMapping(source: name)
    }
  }

  func attributes(
    of entity: String,
    from sourceEntity: String
  ) throws(InferenceRefusal) -> [String: AttributeMapping] {
    let names = pairing.carriedAttributes(ofDestination: entity, from: sourceEntity)
    try check(names, of: entity)
    let sourceAttributes = source.storedAttributes(of: sourceEntity)
    let sourceDeclarations = source.allAttributes(of: sourceEntity)
    let declarations = destination.allAttributes(of: entity)
    var leafPaths: [String: String] = [:]
    // Only the names are sorted, because declarations are large and every pair of versions runs this loop.
    for name in declarations.keys.sorted() {
      guard let sourceName = names.sourceNames[name], let declaration = sourceDeclarations[sourceName]?.property,
        let declared = declarations[name]
      else { continue }
      let isStored = !declared.property.isTransient && !declaration.isTransient
      if isStored, (declared.property.type == .composite) != (declaration.type == .composite) {
        try refuse(
          InferenceRefusal(
            .incompatibleTypes(TypeConversion(from: declaration.type, to: declared.property.type)),
            at: .property(entity: entity, name: name)))
        continue
      }
      leafPaths.merge(EntityPairing.leafPaths(from: declaration, to: declared.property)) { first, _ in first }
    }
    var mappings: [String: AttributeMapping] = [:]
    let attributes = destination.storedAttributes(of: entity)
    for path in attributes.keys.sorted() {
      guard let attribute = attributes[path] else { continue }
      let sourceAttribute = leafPaths[path].flatMap { sourceAttributes[$0] }
      mappings[path] = try mapping(of: attribute, in: entity, from: sourceAttribute)
    }
    return mappings
  }

  private func mapping(
    of attribute: StoredAttribute,
    in entity: String,
    from sourceAttribute: StoredAttribute?
  ) throws(InferenceRefusal) -> AttributeMapping {
    let fill = try fill(of: attribute, in: entity)
    guard let sourceAttribute else {
      if let derivation = attribute.derivation { return AttributeMapping(origin: .derived(derivation)) }
      return AttributeMapping(origin: .constant(fill ?? attribute.defaultValue))
    }
    if let derivation = attribute.derivation {
      let isKept = sourceAttribute.derivation == derivation && sourceAttribute.leaf.type == attribute.leaf.type
      return AttributeMapping(origin: isKept ? .source(sourceAttribute.path) : .derived(derivation))
    }
    var steps: [AttributeMapping.Step] = []
    let isExternal = attribute.leaf.allowsExternalBinaryDataStorage
    let changesStorage = sourceAttribute.leaf.allowsExternalBinaryDataStorage != isExternal
    if changesStorage, !isExternal { steps.append(.externalStorage(allowed: false)) }
    if let conversion = try conversion(of: attribute, in: entity, from: sourceAttribute) {
      steps.append(.convert(from: conversion.from, to: conversion.to))
    }
    if changesStorage, isExternal { steps.append(.externalStorage(allowed: true)) }
    let becomesMandatory = sourceAttribute.isOptional && !attribute.isOptional
    if let value = fill ?? (becomesMandatory ? attribute.defaultValue : nil) { steps.append(.replaceNil(value)) }
    return AttributeMapping(origin: .source(sourceAttribute.path), steps: steps)
  }

  private func conversion(
    of attribute: StoredAttribute,
    in entity: String,
    from sourceAttribute: StoredAttribute
  ) throws(InferenceRefusal) -> TypeConversion? {
    let conversion = TypeConversion(from: sourceAttribute.leaf.type, to: attribute.leaf.type)
    if conversion.from == conversion.to { return nil }
    if conversion.isInferable || destination.hasOnlySubentities(entity) { return conversion }
    let names = InferenceOptions.names(of: attribute, in: entity, of: destination)
    if conversion.isCastable, names.contains(where: options.casts.contains) { return conversion }
    try refuse(InferenceRefusal(.incompatibleTypes(conversion), at: .property(entity: entity, name: attribute.path)))
    return conversion.isCastable ? conversion : nil
  }

  private func fill(of attribute: StoredAttribute, in entity: String) throws(InferenceRefusal) -> AttributeValue? {
    guard !options.fills.isEmpty else { return nil }
    for name in InferenceOptions.names(of: attribute, in: entity, of: destination) {
      guard let value = options.fills[name] else { continue }
      guard value.suits(attribute.leaf.type) else {
        try refuse(
          InferenceRefusal(.unsuitableFill(attribute.leaf.type), at: .property(entity: entity, name: attribute.path)))
        return nil
      }
      return value
    }
    return nil
  }
}

/// Collects all refusals; a refusal of an inherited property is collected once.
final class InferenceRefusalCollector {
  private(set) var failures: [InferenceRefusal] = []
  private var elements: Set<ModelElement> = []

  /// Adds a refusal, unless an ancestor already has one for the property.
  func add(_ failure: InferenceRefusal, in hierarchy: EntityHierarchy) {
    if case .property(let entity, let name) = failure.element,
      hierarchy.lineage(of: entity).contains(where: {
        $0.name != entity && elements.contains(.property(entity: $0.name, name: name))
      })
    {
      return
    }
    elements.insert(failure.element)
    if !failures.contains(failure) { failures.append(failure) }
  }
}

extension MappingModel {
  /// Infers the mapping between two versions, as Core Data's lightweight migration does.
  ///
  /// ``requirements(source:destination:)`` lists the cases that Core Data refuses only for certain rows.
  ///
  /// - Parameter options: conversions and values beyond those that Core Data infers.
  /// - Returns: one mapping for every destination entity in the order of their numbers, then one for each removed
  ///   entity.
  /// - Throws: ``InferenceRefusal`` for the first element that cannot be inferred.
  public static func inferred(
    from source: EntityHierarchy,
    to destination: EntityHierarchy,
    options: InferenceOptions = InferenceOptions()
  ) throws(InferenceRefusal) -> MappingModel {
    try ModelStep(from: source, to: destination, options: options).inferredMapping()
  }
}
