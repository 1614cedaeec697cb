import VersionHashing

/// A bundle at two states of a project: its current version in each, and the added versions.
public struct BundleChange: Sendable {
  /// A version with its model.
  public typealias Version = (name: String, file: ModelFile)

  /// The path of the bundle, relative to the current folder.
  public let path: String
  /// Its path in the earlier state; nil if it is the same.
  public let sourcePath: String?
  /// The current version in the earlier state; nil for a new bundle.
  public let source: Version?
  /// The current version in the later state; nil for a deleted bundle.
  public let destination: Version?
  /// The versions that only the later state has, in order.
  public let addedVersions: [String]

  /// Compares the bundles of a project with those of a revision.
  ///
  /// - Parameters:
  ///   - base: a git revision; its merge base with `HEAD` is used if there is one.
  ///   - report: uses the changes and the revision while the files of the revision exist.
  /// - Returns: what `report` returns.
  /// - Throws: ``RevisionError``, ``ModelFileError``, `noBundle` if neither side has a bundle, and what `report` throws.
  public static func since<Result>(
    _ base: String, in search: ProjectSearch, _ report: ([BundleChange], ResolvedRevision) throws -> Result
  ) throws -> Result {
    try RevisionTree.read(base, paths: [search.project.path]) { tree in
      let files = search.files(under: search.project.path)
      // The revision says nothing of what other repositories have.
      let foreign = Set(files.foreignBundles)
      let bundles = files.bundles.filter { path in
        !foreign.contains(path) && RevisionTree.place(of: path, in: tree.repository) != nil
      }
      return try report(changes(of: bundles.map { ($0, $0) }, since: tree, search), tree.revision)
    }
  }

  /// Compares the bundles of two revisions.
  ///
  /// - Parameter report: uses the changes while the files of the revisions exist.
  /// - Returns: what `report` returns.
  public static func between<Result>(
    _ source: String, _ destination: String, in search: ProjectSearch, _ report: ([BundleChange]) throws -> Result
  ) throws -> Result {
    let folder = [search.project.path]
    return try RevisionTree.read(source, paths: folder, usingMergeBase: false) { earlier in
      try RevisionTree.read(destination, paths: folder, usingMergeBase: false) { later in
        let paths = ModelBundle.bundlePaths(under: later.path(of: search.project.path))
        return try report(changes(of: paths.map { (later.workingPath(of: $0), $0) }, since: earlier, search))
      }
    }
  }

  private static func changes(
    of bundles: [ShownPath], since tree: RevisionTree, _ search: ProjectSearch
  ) throws -> [BundleChange] {
    let editable = bundles.filter {
      ModelBundle.Form(ofPath: $0.path)?.isEditable ?? false && !search.leavesOut($0.shown)
    }
    let kept = Set(editable.map { tree.path(of: $0.shown) })
    let deleted = ModelBundle.bundlePaths(under: tree.path(of: search.project.path)).filter { path in
      ModelBundle.Form(ofPath: path)?.isEditable ?? false && !kept.contains(path)
        && !search.leavesOut(tree.workingPath(of: path))
    }
    let added = editable.filter { !isThere(tree.path(of: $0.shown)) }
    let moved = try successors(of: deleted, among: added)
    let sources = Dictionary(uniqueKeysWithValues: moved.map { ($0.value.shown, $0.key) })
    guard !editable.isEmpty || !deleted.isEmpty else { throw ModelFileError.noBundle(folder: search.project.path) }
    let changes = try editable.map { bundle in
      if let path = sources[bundle.shown] {
        return try change(bundle.shown, from: path, to: bundle.path, movedFrom: tree.workingPath(of: path))
      }
      let sourcePath = tree.path(of: bundle.shown)
      return try change(bundle.shown, from: isThere(sourcePath) ? sourcePath : nil, to: bundle.path)
    }
    let removed = deleted.filter { moved[$0] == nil }
    return try changes + removed.map { try change(tree.workingPath(of: $0), from: $0, to: nil) }
  }

  /// A bundle's path relative to the current folder, and the path of its files.
  private typealias ShownPath = (shown: String, path: String)

  /// The new paths of deleted bundles: an added bundle of the same name, preferably with the same current version.
  ///
  /// A bundle of another name counts only if it alone has the current version, and no other deleted bundle claims it.
  private static func successors(of deleted: [String], among added: [ShownPath]) throws -> [String: ShownPath] {
    guard !deleted.isEmpty, !added.isEmpty else { return [:] }
    var byHashes: [VersionHashes: [Int]] = [:]
    for (position, place) in added.enumerated() {
      let hashes = try ModelBundle(at: place.path).versions.compactMap { try? versionHashes(of: $0) }
      for hashes in Set(hashes) { byHashes[hashes, default: []].append(position) }
    }
    var holders: [String: [Int]] = [:]
    for path in deleted {
      // Bundles without an entity are all alike.
      guard let hashes = try? versionHashes(of: ModelBundle(at: path).currentVersion()), !hashes.entities.isEmpty
      else { continue }
      holders[path] = byHashes[hashes]
    }
    let byName = Dictionary(grouping: added.indices) { BundlePath.stem(added[$0].path) }
    var (found, free): ([String: ShownPath], Set<Int>) = ([:], Set(added.indices))
    func take(_ positions: [Int], for path: String) {
      guard let position = positions.first(where: free.contains) else { return }
      free.remove(position)
      found[path] = added[position]
    }
    for path in deleted {
      let named = byName[BundlePath.stem(path)] ?? []
      take(named.filter((holders[path] ?? []).contains), for: path)
    }
    // What several have, such as the model of a template, does not say which of them is meant.
    let open = deleted.filter { found[$0] == nil }.map { path in
      (path: path, positions: (holders[path] ?? []).filter(free.contains))
    }
    let claims = open.reduce(into: [Int: Int]()) { claims, one in
      for position in one.positions { claims[position, default: 0] += 1 }
    }
    for (path, positions) in open where positions.count == 1 && claims[positions[0]] == 1 {
      take(positions, for: path)
    }
    for path in deleted where found[path] == nil { take(byName[BundlePath.stem(path)] ?? [], for: path) }
    return found
  }

  private static func versionHashes(of version: ModelVersion) throws -> VersionHashes {
    try VersionHashes(of: version.load().model)
  }

  private static func change(
    _ path: String, from sourcePath: String?, to destinationPath: String?, movedFrom earlierPath: String? = nil
  ) throws -> BundleChange {
    let source = try sourcePath.map { try ModelBundle(at: $0) }
    let destination = try destinationPath.map { try ModelBundle(at: $0) }
    let names = Set(source?.versions.map(\.name) ?? [])
    return BundleChange(
      path: path, sourcePath: earlierPath, source: try source.map(current), destination: try destination.map(current),
      addedVersions: destination?.versions.map(\.name).filter { !names.contains($0) } ?? [])
  }

  private static func current(of bundle: ModelBundle) throws -> Version {
    let version = try bundle.currentVersion()
    return (version.name, try version.load())
  }

  private static func isThere(_ path: String) -> Bool { ProjectFiles.isFolder(path) }
}
