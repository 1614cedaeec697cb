import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension CheckedUnion {
  /// True when the current version of another bundle has an entity.
  func keeps(_ entity: String, besides bundle: String) -> Bool {
    (currentVersions ?? []).contains { $0.known.bundle != bundle && $0.known.hierarchy.entity(named: entity) != nil }
  }

  /// What an entity loses that moves from a version of one bundle to another.
  ///
  /// - Returns: nil where the current versions cannot be merged, or no merged version holds the version.
  func losses(ofMoved entity: String, from version: CheckedVersion) -> [VersionStep.Loss]? {
    guard let current = currentVersions, let target = try? KnownVersion(merging: current.map(\.known)) else {
      return nil
    }
    let path = UnionPath(bundles.map { $0.map(\.known) }).versions(from: nil, to: target)
    let start = path.lastIndex { merged in
      merged.parts.contains { $0.bundle == version.known.bundle && $0.name == version.name }
    }
    guard let start, start + 1 < path.count else { return nil }
    let route = try? MigrationRoutes(mappings: mappings, unusable: unusableMappings)
      .route(from: path[start], to: path[start + 1], among: path)
    return (route?.hops ?? []).flatMap { (try? HopForecast(of: $0))?.losses ?? [] }
      .filter { $0.element == entity || $0.element.hasPrefix("\(entity).") }
      .map { loss in
        let element = version.declaration(of: ModelElement(consent: loss.element))
        return VersionStep.Loss(
          names: [loss.element] + (loss.otherElement.map { [$0] } ?? []), sentence: loss.sentence, element: element,
          location: version.location(of: element))
      }
  }
}

extension BundleHistory {
  /// What goes on a step and is not in a list of what may; an entity that moves to another bundle of a union stays.
  func losses(of step: VersionStep, without consents: Set<String>) -> [VersionStep.Loss] {
    step.losses.flatMap { moved($0, in: step) ?? [$0] }.filter { !$0.names.contains(where: consents.contains) }
  }

  /// What goes on a step, whether an entity that goes is looked for in other bundles or not.
  func possibleLosses(of step: VersionStep) -> [VersionStep.Loss] {
    step.losses + step.losses.flatMap { moved($0, in: step) ?? [] }
  }

  /// What is lost of an entity that another bundle of a union has now; nil where none has it.
  private func moved(_ loss: VersionStep.Loss, in step: VersionStep) -> [VersionStep.Loss]? {
    guard case .entity(let name) = loss.element,
      let union = unions.first(where: { $0.keeps(name, besides: bundle.path) })
    else { return nil }
    return union.losses(ofMoved: name, from: step.former)
  }
}

extension CheckConfiguration {
  /// The paths of the bundles of each union that a bundle is a part of.
  func unionPaths(with bundle: String) -> [[String]] {
    unions.map { $0.paths.map(path) }.filter { $0.contains { RealPath.of($0) == RealPath.of(bundle) } }
  }
}
