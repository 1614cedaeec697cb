public import MappingModels
public import ModelDescription
public import ModelFiles
import VersionHashing

/// A path through versions as Core Data's own staged migration takes it.
///
/// Core Data infers through a run of lightweight stages straight, from the store's version to the last one of the run,
/// whether the versions are in one stage or in several. So each version of a run reaches its last one in one inferred step.
/// Source: `NSStagedMigrationManager`, `NSLightweightMigrationStage`, `NSCustomMigrationStage`, and the measurements of
/// developer.apple.com/forums/thread/804902.
public struct StagedMigration: Sendable {
  /// One stage.
  public enum Stage: Sendable {
    /// Versions of a run; a custom stage names the version before the first or after the last of them.
    case lightweight([LoadedVersion])
    /// A step at which the app's own code runs; the step itself is inferred as well.
    case custom(KnownMapping)
    /// A step at which no code runs; it ends a run.
    case cut(Cut)
  }

  /// A custom stage without code between two runs.
  public struct Cut: Sendable {
    /// The last version of the run before.
    public let source: LoadedVersion
    /// The first version of the run after.
    public let destination: LoadedVersion
    /// The first version of a direct migration that is not possible.
    public let start: LoadedVersion
    /// The last version of that migration.
    public let end: LoadedVersion
    /// The reason why it is not possible.
    public let reason: InferenceRefusal
  }

  /// The versions passed, oldest first.
  public let versions: [LoadedVersion]
  /// The mapping model of each step, nil for a step without one.
  private let mappings: [KnownMapping?]

  /// Plans the stages of a chain of versions.
  ///
  /// - Parameter unusable: mapping models that cannot be used; their steps are refused.
  /// - Throws: ``StagedMigrationRefusal`` for stages that Core Data would refuse when the app runs.
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
    var found: [KnownMapping?] = []
    for (source, destination) in zip(versions, versions.dropFirst()) {
      if let refusal = ModelStep(from: source.hierarchy, to: destination.hierarchy).refusals.first {
        throw .notInferable(from: source.name, to: destination.name, refusal)
      }
      do {
        found.append(try written.mapping(from: source, to: destination))
      } catch {
        throw .mapping(error)
      }
    }
    (self.versions, self.mappings) = (versions, found)
  }

  /// The stages in order; every version is named once, or as the end of one custom stage and the start of the next.
  public var stages: [Stage] {
    var stages: [Stage] = []
    var search = RunSearch(versions)
    var start = 0
    for (position, mapping) in mappings.enumerated() {
      guard let mapping else { continue }
      stages += search.stages(from: start, through: position, isFollowed: true)
      stages.append(.custom(mapping))
      start = position + 1
    }
    return stages + search.stages(from: start, through: versions.count - 1, isFollowed: false)
  }

  /// The losses of each step that deletes data.
  public var losses: [(source: LoadedVersion, destination: LoadedVersion, losses: [DataLoss])] {
    zip(versions, versions.dropFirst()).compactMap { source, destination in
      let (old, new) = (source.hierarchy, destination.hierarchy)
      let losses = (try? MappingModel.inferred(from: old, to: new))?.losses(source: old, destination: new) ?? []
      return losses.isEmpty ? nil : (source, destination, losses)
    }
  }
}

/// Finds the fewest runs in which every version reaches the last one straight.
private struct RunSearch {
  private let versions: [LoadedVersion]
  private var refusals: [[Int]: InferenceRefusal?] = [:]
  private var ends: [[Int]: (end: Int, cuts: Int)] = [:]

  init(_ versions: [LoadedVersion]) { self.versions = versions }

  /// The stages from one version to another; a custom stage comes before all but the first version, and follows if said.
  mutating func stages(from first: Int, through last: Int, isFollowed: Bool) -> [StagedMigration.Stage] {
    var stages: [StagedMigration.Stage] = []
    var start = first
    while true {
      let end = self.end(from: start, through: last).end
      let listed = (start...end).filter { position in
        (position > start || start == 0) && (position < end || end == last && !isFollowed)
      }
      if !listed.isEmpty { stages.append(.lightweight(listed.map { versions[$0] })) }
      guard end < last else { return stages }
      if let cut = cut(run: start...end, before: last) { stages.append(.cut(cut)) }
      start = end + 1
    }
  }

  private mutating func cut(run: ClosedRange<Int>, before last: Int) -> StagedMigration.Cut? {
    let next = run.upperBound + 1
    guard let (start, end, reason) = obstacle(run.lowerBound, next) ?? obstacle(run.lowerBound, last) else {
      return nil
    }
    return StagedMigration.Cut(
      source: versions[run.upperBound], destination: versions[next], start: versions[start], end: versions[end],
      reason: reason)
  }

  /// The end of the first run with the fewest cuts, the longest of those.
  private mutating func end(from start: Int, through last: Int) -> (end: Int, cuts: Int) {
    if let known = ends[[start, last]] { return known }
    var best = (end: last, cuts: 0)
    if obstacle(start, last) != nil {
      best = (start, .max)
      for end in (start..<last).reversed() where obstacle(start, end) == nil {
        let cuts = 1 + self.end(from: end + 1, through: last).cuts
        if cuts < best.cuts { best = (end, cuts) }
        if cuts == 1 { break }
      }
    }
    ends[[start, last]] = best
    return best
  }

  /// The first version from a start on that does not reach an end straight.
  private mutating func obstacle(_ start: Int, _ end: Int) -> (start: Int, end: Int, reason: InferenceRefusal)? {
    for position in start..<max(start, end) {
      if let reason = refusal(position, end) { return (position, end, reason) }
    }
    return nil
  }

  private mutating func refusal(_ start: Int, _ end: Int) -> InferenceRefusal? {
    if let known = refusals[[start, end]] { return known }
    var refusal: InferenceRefusal?
    do {
      _ = try MappingModel.inferred(from: versions[start].hierarchy, to: versions[end].hierarchy)
    } catch {
      refusal = error
    }
    refusals[[start, end]] = .some(refusal)
    return refusal
  }
}

/// The reason why Core Data's staged migration cannot run a migration path.
public enum StagedMigrationRefusal: Hashable, Sendable {
  /// The path has no step.
  case tooFewVersions([String])
  /// Core Data treats two versions as the same, and refuses a checksum in two stages.
  case duplicateChecksum(String, versions: [String])
  /// A step cannot be inferred, and a custom stage infers its migration between its handlers.
  case notInferable(from: String, to: String, InferenceRefusal)
  /// A mapping model of a step cannot be used, or a step has several mapping models.
  case mapping(MigrationRefusal)
}

extension StagedMigrationRefusal: AdvisedError {
  /// The file of a mapping model, if the error is about one of its entity mappings.
  public var place: String? { if case .mapping(let refusal) = self { refusal.place } else { nil } }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .tooFewVersions(let names):
      "a staged migration needs at least two versions, and the path has \(names.joined(separator: ", "))"
    case .duplicateChecksum(let checksum, let versions):
      """
      \(versions.joined(separator: " and ")) have the same checksum \(checksum), which Core Data refuses as \
      “Duplicate version checksums across stages detected”
      """
    case .notInferable(let source, let destination, let failure):
      "the step from \(source) to \(destination) cannot be inferred, so it cannot be staged: \(failure.words.cause)"
    case .mapping(let refusal): refusal.cause
    }
  }

  /// The remedy, if there is one.
  public var advice: Advice? {
    switch self {
    case .tooFewVersions: nil
    case .duplicateChecksum: "set a version hash modifier in the later version"
    case .notInferable:
      """
      add a version between them that has both the old and the new property; copy the values in a stage to that version, \
      and remove the old property in the version after it
      """
    case .mapping(let refusal): refusal.advice
    }
  }
}
