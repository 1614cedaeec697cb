import MappingModels
import ModelDescription
public import ModelFiles
import StoreMigration

/// Bundles that the app merges into a single model, with the facts for rules about them.
public struct CheckedUnion: Sendable {
  /// The usable versions of each bundle, oldest first.
  public let bundles: [[LoadedVersion]]
  /// The mapping models between them, and between their merged models.
  public let mappings: [KnownMapping]
  /// The mapping models that cannot be used.
  public let unusableMappings: [UnusableMapping]
  let moves = OncePerKey<String, [String: [VersionStep.Loss]]?>()
  private let matrixCache = Once<MigrationMatrix>()
  private let verdictCache = Once<[MigrationVerdict]>()

  /// Makes a union.
  ///
  /// - Parameters:
  ///   - bundles: the bundles that the app merges.
  ///   - unusableMappings: the mapping models that cannot be used.
  ///   - mappings: the mapping models between merged models.
  ///   - files: the files of mapping models; only those between merged models are used.
  public init(
    bundles: [[LoadedVersion]], mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    files: [UnmatchedMappingModel] = []
  ) {
    self.bundles = bundles
    let known = Set(mappings.map(\.path))
    let others = files.filter { !known.contains($0.path) }
    let merged =
      others.isEmpty ? [] : KnownMapping.find(in: others, among: VersionIndex(Self.path(of: bundles))).mappings
    self.mappings = mappings + merged.filter { !$0.source.parts.isEmpty && !$0.destination.parts.isEmpty }
    let used = Set(merged.map(\.path))
    self.unusableMappings = unusableMappings.filter { !used.contains($0.path) }
  }

  /// The merged versions on the path of a store; empty if the current versions cannot be merged.
  private static func path(of bundles: [[LoadedVersion]]) -> [LoadedVersion] {
    let current = bundles.compactMap { $0.first(where: \.isCurrent) }
    guard current.count == bundles.count, let target = try? LoadedVersion(merging: current) else { return [] }
    return UnionPath(bundles).versions(from: nil, to: target)
  }

  /// The current version of each bundle; nil if a bundle does not have one, which another rule reports.
  var currentVersions: [LoadedVersion]? {
    let current = bundles.compactMap { $0.first(where: \.isCurrent) }
    return current.count == bundles.count ? current : nil
  }

  /// The paths from every older union to the union of the current versions, computed once for all rules.
  ///
  /// Empty if the current versions cannot be merged.
  var verdicts: [MigrationVerdict] {
    verdictCache.value { matrix.versions.last.map { matrix.verdicts(to: $0) } ?? [] }
  }

  /// The paths between the merged versions on the path of a store.
  var matrix: MigrationMatrix {
    matrixCache.value {
      MigrationMatrix(of: Self.path(of: bundles), mappings: mappings, unusable: unusableMappings)
    }
  }

  /// True if every older union with a version has a path to the union of the current versions.
  func isReached(from version: LoadedVersion) -> Bool {
    let holding = verdicts.filter { verdict in
      verdict.source.parts.contains { $0.bundle == version.bundle && $0.name == version.name }
    }
    return !holding.isEmpty && holding.allSatisfy(\.isReachable)
  }
}

extension CheckedUnion {
  /// True if the current version of a different bundle has an entity.
  func keeps(_ entity: String, besides bundle: String) -> Bool {
    (currentVersions ?? []).contains { $0.bundle != bundle && $0.hierarchy.entity(named: entity) != nil }
  }

  /// The losses of an entity that moves from a version of a single bundle to a different bundle.
  ///
  /// Nil if they are unknown: the current versions cannot be merged, no merged version has the version, or there is no
  /// path from it.
  func losses(ofMoved entity: String, from version: LoadedVersion) -> [VersionStep.Loss]? {
    let key = "\(version.bundle)@\(version.name)"
    return moves.value(for: key) { lossesByEntity(from: version) }.map { $0[entity] ?? [] }
  }

  /// The losses of every entity on the step from the last merged version that has a version.
  private func lossesByEntity(from version: LoadedVersion) -> [String: [VersionStep.Loss]]? {
    guard let current = currentVersions, let target = try? LoadedVersion(merging: current) else { return nil }
    let path = UnionPath(bundles).versions(from: nil, to: target)
    let start = path.lastIndex { merged in
      merged.parts.contains { $0.bundle == version.bundle && $0.name == version.name }
    }
    guard let start, start + 1 < path.count,
      let migrationPath = try? MigrationPathFinder(mappings: mappings, unusable: unusableMappings)
        .migrationPath(from: path[start], to: path[start + 1], among: path),
      let forecasts = try? migrationPath.parts.map({ try PathPartForecast(of: $0) })
    else { return nil }
    let losses = forecasts.flatMap(\.losses).map { loss in
      let element = version.hierarchy.declaration(of: ModelElement(consent: loss.element))
      return VersionStep.Loss(
        names: [loss.element] + (loss.otherElement.map { [$0] } ?? []), sentence: loss.sentence, element: element,
        location: version.location(of: element))
    }
    return Dictionary(grouping: losses) { loss in String(loss.names[0].prefix { $0 != "." }) }
  }
}

extension BundleHistory {
  /// The losses of a step that are not allowed; an entity that moves to a different bundle of a union is not lost.
  func losses(of step: VersionStep, without consents: Set<String>) -> [VersionStep.Loss] {
    step.losses.flatMap { moved($0, in: step) ?? [$0] }.filter { !$0.names.contains(where: consents.contains) }
      .map(located)
  }

  /// The names that allow any loss of a step, with and without entities that moved to other bundles.
  func consentNames(of step: VersionStep) -> Set<String> {
    let losses = step.losses
    let all = losses + losses.flatMap { moved($0, in: step) ?? [] }
    return Set(all.flatMap(\.names)).union(step.droppedNames)
  }

  /// The loss, located at the line of the mapping model that causes it.
  private func located(_ loss: VersionStep.Loss) -> VersionStep.Loss {
    guard let mapping = loss.mapping, let entity = loss.names.first?.prefix(while: { $0 != "." }) else { return loss }
    var loss = loss
    let name = mapping.model.entityMappings.first { $0.source == String(entity) }?.name
    loss.location = start(ofMapping: mapping.path, entityMapping: name)
    return loss
  }

  /// The losses of an entity that another bundle of every union now has; nil if a bundle lacks it, or if they are unknown.
  private func moved(_ loss: VersionStep.Loss, in step: VersionStep) -> [VersionStep.Loss]? {
    guard case .entity(let name) = loss.element, !unions.isEmpty else { return nil }
    var found: [VersionStep.Loss] = []
    var seen: Set<[String]> = []
    for union in unions {
      guard union.keeps(name, besides: bundle.path), let losses = union.losses(ofMoved: name, from: step.source) else {
        return nil
      }
      found += losses.filter { seen.insert($0.names).inserted }
    }
    return found
  }
}

extension CheckConfiguration {
  /// The paths of the bundles of each union with a bundle.
  func unionPaths(with bundle: String) -> [[String]] {
    guard !unions.isEmpty else { return [] }
    let place = RealPath.of(bundle)
    return unions.map { $0.paths.map(path) }.filter { $0.contains { RealPath.of($0) == place } }
  }
}
