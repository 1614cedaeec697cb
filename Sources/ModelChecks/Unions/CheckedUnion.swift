import MappingModels
import ModelDescription
public import ModelFiles
import StoreMigration

/// Bundles that the app merges into one model, with everything that rules about them ask.
public struct CheckedUnion: Sendable {
  /// The versions of each bundle that can be used, oldest first.
  public let bundles: [[LoadedVersion]]
  /// The mapping models between them, and between their merged models.
  public let mappings: [KnownMapping]
  /// The mapping models found that cannot be used.
  public let unusableMappings: [UnusableMapping]
  let moves = OncePerKey<String, [String: [VersionStep.Loss]]?>()
  private let matrixMemory = Once<MigrationMatrix>()
  private let verdictMemory = Once<[MigrationVerdict]>()

  /// Makes a union.
  ///
  /// - Parameters:
  ///   - bundles: the bundles that the app merges.
  ///   - unusableMappings: the mapping models found that cannot be used.
  ///   - mappings: the mapping models between merged models.
  ///   - files: the files of mapping models, of which those between merged models are taken.
  public init(
    bundles: [[LoadedVersion]], mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = [],
    files: [MappingReading] = []
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

  /// The merged versions that a store passes; none where the current versions cannot be merged.
  private static func path(of bundles: [[LoadedVersion]]) -> [LoadedVersion] {
    let current = bundles.compactMap { $0.first(where: \.isCurrent) }
    guard current.count == bundles.count, let target = try? LoadedVersion(merging: current) else { return [] }
    return UnionPath(bundles).versions(from: nil, to: target)
  }

  /// The current version of each bundle; nil when one has none, which another rule reports.
  var currentVersions: [LoadedVersion]? {
    let current = bundles.compactMap { $0.first(where: \.isCurrent) }
    return current.count == bundles.count ? current : nil
  }

  /// How the union of the current versions is reached from every older one, looked into once for all rules; none where
  /// the current versions cannot be merged.
  var verdicts: [MigrationVerdict] {
    verdictMemory.value { matrix.versions.last.map { matrix.verdicts(to: $0) } ?? [] }
  }

  /// How the merged versions that a store passes are reached from each other.
  var matrix: MigrationMatrix {
    matrixMemory.value {
      MigrationMatrix(of: Self.path(of: bundles), mappings: mappings, unusable: unusableMappings)
    }
  }

  /// True when the union of the current versions is reached from every older one that holds a version.
  func isReached(from version: LoadedVersion) -> Bool {
    let holding = verdicts.filter { verdict in
      verdict.source.parts.contains { $0.bundle == version.bundle && $0.name == version.name }
    }
    return !holding.isEmpty && holding.allSatisfy(\.isReachable)
  }
}

extension CheckedUnion {
  /// True when the current version of another bundle has an entity.
  func keeps(_ entity: String, besides bundle: String) -> Bool {
    (currentVersions ?? []).contains { $0.bundle != bundle && $0.hierarchy.entity(named: entity) != nil }
  }

  /// What an entity loses that moves from a version of one bundle to another; nil where nobody can say: the current
  /// versions cannot be merged, no merged version holds the version, or no path leads on from it.
  func losses(ofMoved entity: String, from version: LoadedVersion) -> [VersionStep.Loss]? {
    let key = "\(version.bundle)@\(version.name)"
    return moves.value(for: key) { lossesByEntity(from: version) }.map { $0[entity] ?? [] }
  }

  /// What every entity loses on the step from the last merged version that holds a version.
  private func lossesByEntity(from version: LoadedVersion) -> [String: [VersionStep.Loss]]? {
    guard let current = currentVersions, let target = try? LoadedVersion(merging: current) else { return nil }
    let path = UnionPath(bundles).versions(from: nil, to: target)
    let start = path.lastIndex { merged in
      merged.parts.contains { $0.bundle == version.bundle && $0.name == version.name }
    }
    guard let start, start + 1 < path.count,
      let route = try? MigrationRoutes(mappings: mappings, unusable: unusableMappings)
        .route(from: path[start], to: path[start + 1], among: path),
      let forecasts = try? route.hops.map({ try HopForecast(of: $0) })
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
  /// What goes on a step and is not in a list of what may; an entity that moves to another bundle of a union stays.
  func losses(of step: VersionStep, without consents: Set<String>) -> [VersionStep.Loss] {
    step.losses.flatMap { moved($0, in: step) ?? [$0] }.filter { !$0.names.contains(where: consents.contains) }
      .map(located)
  }

  /// The names that consent to anything on a step, whether an entity that goes is looked for in other bundles or not.
  func consentNames(of step: VersionStep) -> Set<String> {
    let losses = step.losses
    let all = losses + losses.flatMap { moved($0, in: step) ?? [] }
    return Set(all.flatMap(\.names)).union(step.droppedNames)
  }

  /// A loss that a mapping model causes, at the line of the mapping model's file.
  private func located(_ loss: VersionStep.Loss) -> VersionStep.Loss {
    guard let mapping = loss.mapping, let entity = loss.names.first?.prefix(while: { $0 != "." }) else { return loss }
    var loss = loss
    let name = mapping.model.entityMappings.first { $0.source == String(entity) }?.name
    loss.location = start(ofMapping: mapping.path, entityMapping: name)
    return loss
  }

  /// What is lost of an entity that another bundle of every union has now; nil where one has none, or nobody can say.
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
  /// The paths of the bundles of each union that a bundle is a part of.
  func unionPaths(with bundle: String) -> [[String]] {
    guard !unions.isEmpty else { return [] }
    let place = RealPath.of(bundle)
    return unions.map { $0.paths.map(path) }.filter { $0.contains { RealPath.of($0) == place } }
  }
}
