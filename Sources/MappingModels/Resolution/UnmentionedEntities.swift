import ModelComparison
import ModelDescription

/// The entity mappings that inference adds to those that are written.
///
/// Two entities that continue one another are mapped unless both are mentioned; one that is said to start empty or to
/// be removed is not filled or carried over in spite of that.
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

  /// The same, where entities that claim each other are paired by their plain names or not at all.
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
