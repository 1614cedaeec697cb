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
