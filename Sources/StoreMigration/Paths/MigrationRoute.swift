public import MappingModels
public import PersistentStores

/// The versions that a migration passes and the one mapping that equals passing them all.
public struct MigrationRoute: Sendable {
  /// The versions on the way, source first, destination last.
  public let versions: [KnownVersion]
  /// The mapping from the first to the last.
  public let mapping: MappingModel
  /// Why not every version between is passed, when that is so.
  public let note: String?

  /// Finds the way from a store's version to another.
  ///
  /// Every version between is passed, as a user passes them who installs each update: an attribute that went and came
  /// back is a new one. Where a step between cannot be inferred, Core Data's own way is taken, straight from the first
  /// to the last; where that cannot be inferred either, the way with the fewest steps.
  ///
  /// - Parameters:
  ///   - source: the store's version.
  ///   - versions: the bundle's versions, oldest first; the store's own need not be among them.
  ///   - destination: the version to reach.
  ///   - options: conversions and values beyond what Core Data infers.
  ///   - isDirect: true to infer straight from the first to the last, as Core Data does.
  /// - Throws: ``InferenceFailure`` of the straight way when there is none at all.
  public init(
    from source: KnownVersion, among versions: [KnownVersion], to destination: KnownVersion,
    options: InferenceOptions = InferenceOptions(), isDirect: Bool = false
  ) throws(InferenceFailure) {
    let between = isDirect ? [] : Self.versions(between: source, and: destination, in: versions)
    let chain = [source] + between + [destination]
    var broken: String?
    if !between.isEmpty {
      switch Self.composed(chain, options) {
      case .success(let mapping):
        self.init(versions: chain, mapping: mapping, note: nil)
        return
      case .failure(let obstacle): broken = obstacle.description
      }
    }
    let failure: InferenceFailure
    do {
      let mapping = try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy, options: options)
      let note = broken.map { "the versions between are passed over, because \($0)" }
      self.init(versions: [source, destination], mapping: mapping, note: note)
      return
    } catch {
      failure = error
    }
    if let broken, let (path, mapping) = Self.shortest(chain, options) {
      let note = "only \(path.dropFirst().dropLast().map(\.name).joined(separator: ", ")) is passed, because \(broken)"
      self.init(versions: path, mapping: mapping, note: note)
      return
    }
    throw failure
  }

  private init(versions: [KnownVersion], mapping: MappingModel, note: String?) {
    self.versions = versions
    self.mapping = mapping
    self.note = note
  }

  /// The versions after the source and before the destination, each with hashes of its own; none on the way back.
  private static func versions(
    between source: KnownVersion, and destination: KnownVersion, in versions: [KnownVersion]
  ) -> [KnownVersion] {
    guard let start = versions.lastIndex(where: { $0.versionHashes == source.versionHashes }),
      let end = versions.lastIndex(where: { $0.versionHashes == destination.versionHashes }), start < end
    else { return [] }
    var last = source
    return versions[(start + 1)..<end].filter { version in
      guard version.versionHashes != last.versionHashes, version.versionHashes != destination.versionHashes else { return false }
      last = version
      return true
    }
  }

  /// What stops a chain: which step, and why.
  private struct Obstacle: Error {
    let description: String
  }

  private static func composed(_ chain: [KnownVersion], _ options: InferenceOptions) -> Result<MappingModel, Obstacle> {
    var mapping: MappingModel?
    for (earlier, later) in zip(chain, chain.dropFirst()) {
      do {
        let step = try MappingModel.inferred(from: earlier.hierarchy, to: later.hierarchy, options: options)
        mapping =
          try mapping?.composed(
            with: step, from: chain[0].hierarchy, through: earlier.hierarchy, to: later.hierarchy) ?? step
      } catch {
        return .failure(Obstacle(description: "\(earlier.name) → \(later.name) cannot be inferred: \(error)"))
      }
    }
    return mapping.map { .success($0) } ?? .failure(Obstacle(description: "there is no version"))
  }

  /// The way with the fewest steps, each to a later version, tried from the longest steps on.
  private static func shortest(
    _ chain: [KnownVersion], _ options: InferenceOptions
  ) -> (path: [KnownVersion], mapping: MappingModel)? {
    var ways: [[Int]] = [[0]]
    var seen: Set<Int> = [0]
    while !ways.isEmpty {
      var next: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for position in chain.indices.dropFirst(last + 1).reversed() where !seen.contains(position) {
          let step = try? MappingModel.inferred(
            from: chain[last].hierarchy, to: chain[position].hierarchy, options: options)
          guard step != nil else { continue }
          let longer = way + [position]
          if position == chain.indices.last, case .success(let mapping) = composed(longer.map { chain[$0] }, options) {
            return (longer.map { chain[$0] }, mapping)
          }
          seen.insert(position)
          next.append(longer)
        }
      }
      ways = next
    }
    return nil
  }
}
