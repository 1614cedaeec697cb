public import ModelDescription

/// The union of several models, for an app that opens a store with the models of several bundles.
///
/// Entities with the same name and hash are merged. Configurations with the same name contain the entities of both models.
///
/// Source: `NSManagedObjectModel(byMerging:)`, `NSManagedObjectModel.mergedModel(from:)`.
public struct MergedModel: Sendable {
  /// The union.
  public let model: ManagedObjectModel
  /// The hashes of its entities, each from its own model.
  public let hashes: VersionHashes

  /// Merges models.
  ///
  /// - Parameter parts: the models with their hashes, in the order of their entities in the union.
  /// - Throws: ``ModelMergeError`` if two models contradict each other.
  public init(_ parts: [(model: ManagedObjectModel, hashes: VersionHashes)]) throws(ModelMergeError) {
    var union = ManagedObjectModel(entities: [])
    var hashes: [String: VersionHash] = [:]
    var owners: [String: Int] = [:]
    var composites: [String: (position: Int, composite: CompositeDescription)] = [:]
    var requests: Set<String> = []
    for (position, part) in parts.enumerated() {
      for entity in part.model.entities {
        if let owner = owners[entity.name] {
          guard owner == position || hashes[entity.name] == part.hashes.entities[entity.name] else {
            throw ModelMergeError(.differentEntities(entity.name), first: owner, second: position)
          }
          if owner != position { continue }
        }
        owners[entity.name] = position
        hashes[entity.name] = part.hashes.entities[entity.name]
        union.entities.append(entity)
      }
      for composite in part.model.composites {
        if let known = composites[composite.name], known.position != position {
          guard known.composite == composite else {
            throw ModelMergeError(.differentComposites(composite.name), first: known.position, second: position)
          }
          continue
        }
        composites[composite.name] = (position, composite)
        union.composites.append(composite)
      }
      union.add(part.model.configurations)
      union.fetchRequests += part.model.fetchRequests.filter { requests.insert($0.name).inserted }
      union.versionIdentifiers += part.model.versionIdentifiers.filter { !union.versionIdentifiers.contains($0) }
    }
    try Self.checkDestinations(parts.map(\.model), owners: owners)
    model = union
    self.hashes = VersionHashes(entities: hashes)
  }

  /// Refuses a relationship to an entity of a different bundle, because no tool compiles such a bundle.
  private static func checkDestinations(
    _ models: [ManagedObjectModel], owners: [String: Int]
  ) throws(ModelMergeError) {
    for (position, model) in models.enumerated() {
      let own = Set(model.entities.map(\.name))
      for entity in model.entities {
        for relationship in entity.relationships {
          guard let destination = relationship.destinationEntityName, !own.contains(destination),
            let owner = owners[destination]
          else { continue }
          throw ModelMergeError(
            .foreignDestination(entity: entity.name, relationship: relationship.name, destination: destination),
            first: position, second: owner)
        }
      }
    }
  }
}

extension ManagedObjectModel {
  fileprivate mutating func add(_ others: [ModelConfiguration]) {
    for other in others {
      guard let position = configurations.firstIndex(where: { $0.name == other.name }) else {
        configurations.append(other)
        continue
      }
      let known = Set(configurations[position].entityNames)
      configurations[position].entityNames += other.entityNames.filter { !known.contains($0) }
    }
  }
}
