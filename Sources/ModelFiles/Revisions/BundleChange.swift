import VersionHashing

/// A bundle at two states of a project: its current version in each, and the versions that came.
public struct BundleChange: Sendable {
  /// A version with its model.
  public typealias Version = (name: String, file: ModelFile)

  /// The path of the bundle, from where the program runs.
  public let path: String
  /// Its path in the earlier state where that is another one.
  public let formerPath: String?
  /// The current version in the earlier state, nil for a bundle that is new.
  public let source: Version?
  /// The current version in the later state, nil for a bundle that is gone.
  public let destination: Version?
  /// The versions that only the later state has, in order.
  public let addedVersions: [String]

  /// Compares the bundles of a project with those of a revision.
  ///
  /// - Parameters:
  ///   - base: a revision of git, of which the merge base with `HEAD` is taken where there is one.
  ///   - search: the project.
  ///   - report: what is done with the changes and the revision while the files of the revision are there.
  /// - Returns: what `report` returns.
  /// - Throws: ``RevisionError``, ``ModelFileError``, and what `report` throws.
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
  /// - Parameters:
  ///   - source: the earlier revision.
  ///   - destination: the later revision.
  ///   - search: the project.
  ///   - report: what is done with the changes while the files of the revisions are there.
  /// - Returns: what `report` returns.
  /// - Throws: as ``since(_:in:_:)``.
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
    of bundles: [(shown: String, path: String)], since tree: RevisionTree, _ search: ProjectSearch
  ) throws -> [BundleChange] {
    let editable = bundles.filter {
      ModelBundle.Form(ofPath: $0.path)?.isEditable ?? false && !search.leavesOut($0.shown)
    }
    var changes = try editable.map { bundle in
      let sourcePath = tree.path(of: bundle.shown)
      return try change(bundle.shown, from: isThere(sourcePath) ? sourcePath : nil, to: bundle.path)
    }
    let kept = Set(editable.map { tree.path(of: $0.shown) })
    for path in ModelBundle.bundlePaths(under: tree.path(of: search.project.path))
    where ModelBundle.Form(ofPath: path)?.isEditable ?? false && !kept.contains(path)
      && !search.leavesOut(tree.workingPath(of: path))
    {
      let former = tree.workingPath(of: path)
      let added = editable.filter { bundle in changes.contains { $0.path == bundle.shown && $0.source == nil } }
      guard let moved = try successor(of: path, among: added) else {
        changes.append(try change(former, from: path, to: nil))
        continue
      }
      changes = try changes.map { known in
        known.path == moved.shown ? try change(known.path, from: path, to: moved.path, formerPath: former) : known
      }
    }
    return changes
  }

  /// The new bundle that a bundle has become: one that has a version of it, else one of its name.
  private static func successor(
    of path: String, among added: [(shown: String, path: String)]
  ) throws -> (shown: String, path: String)? {
    guard !added.isEmpty else { return nil }
    let gone = try ModelBundle(at: path)
    let hashes = Set(versionHashes(of: gone))
    return try added.first { try !hashes.isDisjoint(with: versionHashes(of: ModelBundle(at: $0.path))) }
      ?? added.first { try ModelBundle(at: $0.path).name == gone.name }
  }

  private static func versionHashes(of bundle: ModelBundle) -> [VersionHashes] {
    bundle.versions.compactMap { version in try? VersionHashes(of: version.load().model) }
  }

  private static func change(
    _ path: String, from sourcePath: String?, to destinationPath: String?, formerPath: String? = nil
  ) throws -> BundleChange {
    let source = try sourcePath.map { try ModelBundle(at: $0) }
    let destination = try destinationPath.map { try ModelBundle(at: $0) }
    let names = Set(source?.versions.map(\.name) ?? [])
    return BundleChange(
      path: path, formerPath: formerPath, source: try source.map(current), destination: try destination.map(current),
      addedVersions: destination?.versions.map(\.name).filter { !names.contains($0) } ?? [])
  }

  private static func current(of bundle: ModelBundle) throws -> Version {
    let version = try bundle.currentVersion()
    return (version.name, try version.load())
  }

  private static func isThere(_ path: String) -> Bool { ProjectFiles.isFolder(path) }
}
