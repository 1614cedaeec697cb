import ModelDescription
import ModelFiles
import VersionHashing

/// What was released, by the tags of the repository that the bundles lie in.
enum TaggedReleases {
  /// Reads the bundles at every tag.
  ///
  /// - Parameters:
  ///   - pattern: a pattern as `git tag --list` takes it.
  ///   - readings: the bundles as they are now.
  /// - Returns: the versions at the tags, by the paths of the bundles; each state of a version stands once, with its
  ///   first tag.
  /// - Throws: `RevisionError`, and ``HistoryError/noTags(pattern:)`` in a clone that may lack them.
  static func read(matching pattern: String, of readings: [BundleReading]) throws -> [String: [Release]] {
    // A link may lead to a bundle of another repository, of which this one's tags say nothing.
    let groups = Dictionary(grouping: readings) { ProjectFolder.enclosing(RealPath.of($0.bundle.path)) }
    if let own = groups[ProjectFolder.enclosing(RealPath.of("."))] { return try read(pattern, own) }
    return try groups.values.reduce(into: [:]) { released, group in
      released.merge(try read(pattern, group)) { first, _ in first }
    }
  }

  private static func read(_ pattern: String, _ readings: [BundleReading]) throws -> [String: [Release]] {
    var released: [String: [Release]] = [:]
    let paths = readings.map(\.bundle.path)
    let tags = try ReleaseTags.read(matching: pattern, of: paths)
    if tags.names.isEmpty, tags.isShallow { throw HistoryError.noTags(pattern: pattern) }
    var seen: [String: Set<State>] = [:]
    for tag in tags.names {
      let found = try RevisionTree.read("refs/tags/\(tag)", paths: paths, usingMergeBase: false) { tree in
        readings.map { reading in
          (reading.bundle.path, versions(at: tree.path(of: reading.bundle.path), sharing: reading))
        }
      }
      for (path, versions) in found {
        for version in versions {
          let state = State(name: version.name, hashes: version.versionHashes)
          guard seen[path, default: []].insert(state).inserted else { continue }
          released[path, default: []].append(
            Release(
              evidence: .tag(name: tag), name: version.name, hashes: version.versionHashes,
              model: version.hierarchy.model, revision: tag))
        }
      }
    }
    return released
  }

  private static func versions(at path: String, sharing reading: BundleReading) -> [LoadedVersion] {
    (try? ModelBundle(at: path)).map { BundleReading.read($0, sharing: reading).usable } ?? []
  }

  /// One state of a version.
  private struct State: Hashable {
    let name: String
    let hashes: VersionHashes
  }
}
