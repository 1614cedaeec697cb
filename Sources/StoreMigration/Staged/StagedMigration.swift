import MappingModels
public import ModelFiles
import VersionHashing

/// A way through versions as Core Data's own staged migration takes it.
///
/// Source: `NSStagedMigrationManager`, `NSLightweightMigrationStage` and `NSCustomMigrationStage`.
public struct StagedMigration: Sendable {
  /// One stage.
  public enum Stage: Sendable {
    /// Versions that Core Data infers its way through.
    case lightweight([LoadedVersion])
    /// A step at which the app's own code runs; the step itself is inferred as well.
    case custom(KnownMapping)
  }

  /// The stages in order; every version is named once, or as the end of one custom stage and the start of the next.
  public let stages: [Stage]
  /// The versions passed, oldest first.
  public let versions: [LoadedVersion]

  /// Plans the stages of a chain of versions.
  ///
  /// - Parameters:
  ///   - versions: the versions an app's users may come from, oldest first, the one to reach last.
  ///   - mappings: the written mapping models; a step that has one becomes a custom stage.
  ///   - unusable: mapping models that cannot be used; a step for which there is one is refused.
  /// - Throws: ``StagedMigrationRefusal`` for what Core Data would refuse when the app runs.
  public init(
    through versions: [LoadedVersion], mappings: [KnownMapping], unusable: [UnusableMapping] = []
  ) throws(StagedMigrationRefusal) {
    guard versions.count > 1 else { throw .tooFewVersions(versions.map(\.name)) }
    let written = WrittenMappings(mappings, unusable: unusable)
    for (position, version) in versions.enumerated() {
      if let twin = versions[..<position].first(where: { $0.versionHashes == version.versionHashes }) {
        throw .duplicateChecksum(version.versionHashes.checksum, versions: [twin.name, version.name])
      }
    }
    var stages: [Stage] = []
    var run: [LoadedVersion] = []
    var isNamed = false
    for (source, destination) in zip(versions, versions.dropFirst()) {
      do {
        _ = try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
      } catch {
        throw .notInferable(from: source.name, to: destination.name, error)
      }
      let mapping: KnownMapping?
      do {
        mapping = try written.mapping(from: source, to: destination)
      } catch {
        throw .mapping(error)
      }
      guard let mapping else {
        if !isNamed { run.append(source) }
        isNamed = false
        continue
      }
      if !run.isEmpty { stages.append(.lightweight(run)) }
      run = []
      stages.append(.custom(mapping))
      isNamed = true
    }
    if let last = versions.last, !isNamed { run.append(last) }
    if !run.isEmpty { stages.append(.lightweight(run)) }
    self.stages = stages
    self.versions = versions
  }
}
