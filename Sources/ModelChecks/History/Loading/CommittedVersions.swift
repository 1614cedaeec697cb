import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// The versions of a bundle in the last commit, which can undo uncommitted changes.
struct CommittedVersions {
  private static let revision = "HEAD"
  private var hashes: [String: VersionHashes] = [:]

  /// Reads the bundle at the commit that is checked out; there are no versions if git does not have the bundle.
  ///
  /// - Parameter isNeeded: false to read nothing.
  static func read(of reading: ReadBundle, where isNeeded: Bool) -> CommittedVersions {
    var versions = CommittedVersions()
    guard isNeeded else { return versions }
    let path = reading.bundle.path
    let committed = try? RevisionTree.read(revision, paths: [path], usingMergeBase: false) { tree in
      try ReadBundle.read(ModelBundle(at: tree.path(of: path)), sharing: reading).usable
    }
    for version in committed ?? [] { versions.hashes[version.name] = version.versionHashes }
    return versions
  }

  /// The revision that has a version with these hashes.
  func revision(of name: String, hashes: VersionHashes) -> String? { self.hashes[name] == hashes ? Self.revision : nil }
}

extension LockFile {
  /// The released versions that only earlier commits of a lock file have, under any name.
  ///
  /// They are searched only if the digest of the list is missing or wrong.
  ///
  /// - Returns: the versions, each with the newest commit that has it; empty without git.
  static func lostEntries(of lock: LockFile) -> [(name: String, revision: String)] {
    guard lock.digest == nil || !lock.isIntact else { return [] }
    let here = Set(lock.entries.values.map(\.hashes))
    var lost: [(name: String, revision: String)] = []
    for (revision, bytes) in (try? FileRevisions.contents(of: lock.path, atMost: revisionLimit)) ?? [] {
      guard let node = try? JSONReader.read(Array(bytes), file: lock.path),
        let old = try? LockFile(node, path: lock.path)
      else { continue }
      lost += old.sortedEntries().filter { name, entry in
        entry.state != .draft && lock.entries[name] == nil && !here.contains(entry.hashes)
          && !lost.contains { $0.name == name }
      }.map { ($0.key, revision) }
    }
    return lost
  }

  /// The maximum number of commits of a lock file that are read.
  private static let revisionLimit = 20
}

/// The mapping models in the last commit, which can undo uncommitted changes.
struct CommittedMappings {
  private static let revision = "HEAD"
  /// The revision that has a file, by the file's digest.
  private(set) var revisions: [String: String] = [:]

  /// Finds recorded mapping models that were changed or deleted.
  static func read(missingOf lock: LockFile?, among readings: [UnmatchedMappingModel]) -> CommittedMappings {
    var mappings = CommittedMappings()
    let present = Set(readings.compactMap(\.digest))
    let lost = (lock?.sortedEntries(.released) ?? []).flatMap(\.value.mappings.values).joined()
      .filter { !present.contains($0.value) }
    guard let lock, !lost.isEmpty else { return mappings }
    let folders = Set(lost.map { BundlePath.parent(lock.path(ofRelativePath: $0.key)) }).sorted()
    let digests = try? RevisionTree.read(
      revision, paths: [BundlePath.parent(lock.path)], mappingFolders: folders, usingMergeBase: false
    ) { tree in
      // A folder outside of the repository is not in the revision.
      let inside = folders.map(tree.path).filter { $0 == tree.root || $0.hasPrefix(tree.root + "/") }
      return UnmatchedMappingModel.all(at: inside.flatMap(MappingPath.discover), sharing: readings).compactMap(\.digest)
    }
    for digest in digests ?? [] { mappings.revisions[digest] = revision }
    return mappings
  }
}

/// The compiled models of a shipped app.
struct CompiledEvidence {
  let bundle: ModelBundle
  let released: [Release]

  /// Reads a `.momd` or a `.mom`.
  ///
  /// - Throws: ``HistoryError/notCompiled(path:)``, and `ModelFileError` if it cannot be read.
  static func read(at path: String) throws -> CompiledEvidence {
    let bundle = try ModelBundle(at: path)
    guard bundle.form == .compiled || bundle.form == .compiledSingle else { throw HistoryError.notCompiled(path: path) }
    let stated = bundle.versionInfo?.hashes ?? [:]
    var released: [Release] = []
    for version in bundle.versions {
      let known = hashes(stated[version.name])
      // The hashes that the compiler wrote suffice; the model only explains differences.
      let model = known == nil ? try version.load().model : (try? version.load())?.model
      let computed = model.flatMap { try? VersionHashes(of: $0) }
      guard let hashes = known ?? computed else { continue }
      released.append(
        Release(
          evidence: .compiled(path: path), name: version.name, hashes: hashes, model: computed == hashes ? model : nil))
    }
    return CompiledEvidence(bundle: bundle, released: released)
  }

  private static func hashes(_ stated: [String: Data]?) -> VersionHashes? {
    guard let stated, !stated.isEmpty else { return nil }
    let entities = stated.compactMapValues { VersionHash($0) }
    return entities.count == stated.count ? VersionHashes(entities: entities) : nil
  }

  /// True if it was made from a bundle: both have the same name, or share a version.
  func isMade(from reading: ReadBundle) -> Bool {
    if bundle.name == reading.bundle.name { return true }
    let hashes = Set(released.map(\.hashes))
    return reading.usable.contains { hashes.contains($0.versionHashes) }
  }
}

/// The releases by the tags of the repository of the bundles.
enum TaggedReleases {
  /// Reads the bundles at every tag.
  ///
  /// - Parameter pattern: a pattern as `git tag --list` takes it.
  /// - Returns: the versions at the tags, by the paths of the bundles; each state of a version is listed once, with its
  ///   first tag.
  /// - Throws: `RevisionError`, and ``HistoryError/noTags(pattern:)`` in a clone that may lack tags.
  static func read(matching pattern: String, of readings: [ReadBundle]) throws -> [String: [Release]] {
    // A link may point to a bundle of another repository, which has its own tags.
    let groups = Dictionary(grouping: readings) { ProjectFolder.enclosing(RealPath.of($0.bundle.path)) }
    if let own = groups[ProjectFolder.enclosing(RealPath.of("."))] { return try read(pattern, own) }
    return try groups.values.reduce(into: [:]) { released, group in
      released.merge(try read(pattern, group)) { first, _ in first }
    }
  }

  private static func read(_ pattern: String, _ readings: [ReadBundle]) throws -> [String: [Release]] {
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

  private static func versions(at path: String, sharing reading: ReadBundle) -> [LoadedVersion] {
    (try? ModelBundle(at: path)).map { ReadBundle.read($0, sharing: reading).usable } ?? []
  }

  private struct State: Hashable {
    let name: String
    let hashes: VersionHashes
  }
}
