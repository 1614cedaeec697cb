public import MappingModels
public import PersistentStores

/// Finds the ways between versions, remembering what it has inferred for the next store.
public struct MigrationRoutes: Sendable {
  private let isDirect: Bool
  private let memory: MappingMemory

  /// Makes a finder.
  ///
  /// - Parameters:
  ///   - options: conversions and values beyond what Core Data infers.
  ///   - isDirect: true to infer straight from the first to the last, as Core Data does.
  public init(options: InferenceOptions = InferenceOptions(), isDirect: Bool = false) {
    self.isDirect = isDirect
    memory = MappingMemory(options: options)
  }

  /// Finds the way from a store's version to another.
  ///
  /// Every version between is passed, as a user passes them who installs each update: an attribute that went and came
  /// back is a new one. Where a step between cannot be inferred, Core Data's own way is taken, straight from the first
  /// to the last; where that cannot be inferred either, the way with the fewest steps.
  ///
  /// - Parameters:
  ///   - source: the store's version.
  ///   - destination: the version to reach.
  ///   - versions: the bundle's versions, oldest first; the store's own need not be among them.
  /// - Returns: the versions to pass, with the one mapping that equals passing them.
  /// - Throws: `InferenceFailure` of the straight way when there is none at all.
  public func route(
    from source: KnownVersion, to destination: KnownVersion, among versions: [KnownVersion]
  ) throws(InferenceFailure) -> MigrationRoute {
    let between = isDirect ? [] : Self.versions(between: source, and: destination, in: versions)
    let chain = [source] + between + [destination]
    var broken: String?
    if !between.isEmpty {
      do {
        return MigrationRoute(versions: chain, mapping: try memory.chain(chain), note: nil)
      } catch {
        broken = error.description
      }
    }
    let failure: InferenceFailure
    do {
      let mapping = try memory.step(from: source, to: destination)
      let note = broken.map { "the versions between are passed over, because \($0)" }
      return MigrationRoute(versions: [source, destination], mapping: mapping, note: note)
    } catch {
      failure = error
    }
    guard let broken, let (path, mapping) = shortest(chain) else { throw failure }
    let passed = path.dropFirst().dropLast().map(\.name).joined(separator: ", ")
    return MigrationRoute(versions: path, mapping: mapping, note: "only \(passed) is passed, because \(broken)")
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
      guard version.versionHashes != last.versionHashes, version.versionHashes != destination.versionHashes else {
        return false
      }
      last = version
      return true
    }
  }

  /// The way with the fewest steps, each to a later version, the longest steps tried first.
  private func shortest(_ chain: [KnownVersion]) -> (path: [KnownVersion], mapping: MappingModel)? {
    var ways: [[Int]] = [[0]]
    var seen: Set<Int> = [0]
    while !ways.isEmpty {
      var next: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for position in chain.indices.dropFirst(last + 1).reversed() where !seen.contains(position) {
          guard (try? memory.step(from: chain[last], to: chain[position])) != nil else { continue }
          let longer = way + [position]
          if position == chain.indices.last, let mapping = try? memory.chain(longer.map { chain[$0] }) {
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
