import MappingModels
import ModelDescription
package import ModelFiles

extension LoadedVersion {
  /// The two versions of the only bundle that changes between two versions of a merged model, nil where another number
  /// of bundles does.
  package func changedPart(since source: LoadedVersion) -> (source: LoadedVersion, destination: LoadedVersion)? {
    guard !parts.isEmpty, parts.count == source.parts.count else { return nil }
    let changed = zip(source.parts, parts).filter { $0.versionHashes != $1.versionHashes }
    guard changed.count == 1, let pair = changed.first, pair.0.bundle == pair.1.bundle else { return nil }
    return pair
  }
}

extension KnownMapping {
  /// Makes a mapping of one bundle's versions one of a merged model's: what the other bundles hold stays as it is.
  ///
  /// - Parameters:
  ///   - source: the merged version whose stores it migrates.
  ///   - destination: the merged version they get; only this mapping's bundle differs.
  /// - Returns: the mapping; nil when the entities of the other bundles alone cannot be mapped.
  func completed(from source: LoadedVersion, to destination: LoadedVersion) -> KnownMapping? {
    let sourceRest = source.hierarchy.model.leavingOut(self.source.hierarchy.model)
    let destinationRest = destination.hierarchy.model.leavingOut(self.destination.hierarchy.model)
    guard let from = try? EntityHierarchy(sourceRest), let to = try? EntityHierarchy(destinationRest),
      let others = try? WrittenMappingModel().resolved(from: from, to: to)
    else { return nil }
    var model = model
    model.entityMappings += others.entityMappings
    return KnownMapping(path: path, source: source, destination: destination, model: model)
  }
}

extension ManagedObjectModel {
  /// The model without the entities that another one has.
  fileprivate func leavingOut(_ other: ManagedObjectModel) -> ManagedObjectModel {
    let names = Set(other.entities.map(\.name))
    var model = self
    model.entities = entities.filter { !names.contains($0.name) }
    return model
  }
}
