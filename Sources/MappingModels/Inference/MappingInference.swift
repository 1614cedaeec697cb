import ModelComparison
import ModelDescription

/// Infers the mapping between two models, one entity at a time.
///
/// Source: section a2 and a3 of the inference specification; what depends on the rows is left to
/// ``MappingModel/requirements(source:destination:)``.
struct MappingInference {
  let pairing: EntityPairing
  let options: InferenceOptions
  var source: EntityHierarchy { pairing.source }
  var destination: EntityHierarchy { pairing.destination }

  private let collector: InferenceRefusalCollector?

  /// Prepares an inference; with a collector it goes on after what cannot be inferred.
  init(
    from source: EntityHierarchy, to destination: EntityHierarchy, options: InferenceOptions,
    collector: InferenceRefusalCollector? = nil
  ) {
    pairing = EntityPairing(from: source, to: destination)
    self.options = options
    self.collector = collector
  }

  /// Ends the inference, or goes on where failures are collected.
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

  /// Refuses entities that claim each other, names that only seem to be the same, and to bring rows of several root
  /// tables into one, where their primary keys would collide.
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

  /// Refuses two properties that claim each other, and names that only seem to be the same: Core Data would drop what the
  /// one in the source stands for.
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
    let names = pairing.relationships(ofDestination: entity)
    try check(names, of: entity)
    let sourceRelationships = source.storedRelationships(of: sourceEntity)
    return destination.storedRelationships(of: entity).mapValues { relationship in
      guard let name = names.sourceNames[relationship.name], let sourceRelationship = sourceRelationships[name],
        pairing.canKeepLinks(
          to: sourceRelationship.destinationEntityName,
          in: relationship.destinationEntityName
        )
      else { return RelationshipMapping(source: nil) }
      return RelationshipMapping(source: name)
    }
  }
}
