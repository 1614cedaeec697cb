import Foundation

/// The model files of a revision of git in a temporary folder, where they are read as in any other.
///
/// The folder mirrors the repository from its top. It holds bundles, lock files (`*.lock.json`), configurations
/// (`.modelctl.json`) and mapping models, and nothing else of the revision.
///
///     try RevisionTree.read("origin/main", paths: ["App"]) { tree in
///       for path in ModelBundle.bundlePaths(under: tree.path(of: "App")) { … }
///     }
public struct RevisionTree: Hashable, Sendable {
  /// Which commit was read.
  public let revision: ResolvedRevision
  /// The temporary folder that stands for the top of the repository.
  public let root: String
  /// The repository's top, links resolved.
  let repository: String

  /// The most files that are written.
  static let fileLimit = 20_000
  /// The most bytes that are written.
  static let byteLimit = 512 << 20

  /// Writes the files of a revision, hands them over, and removes them.
  ///
  /// - Parameters:
  ///   - revision: a branch, a tag or a commit.
  ///   - paths: bundles, which come with their lock files, or folders to take everything below, and the bundles that
  ///     links in them lead to; they need not exist any more. Git runs in the first one's folder, or in the current one
  ///     where `GIT_DIR` names another repository.
  ///   - mappingFolders: folders of which the mapping models below are taken too; one outside of the repository has none.
  ///   - usingMergeBase: whether the merge base of the revision and `HEAD` is read, where git finds one.
  ///   - body: what is done with the files, which are gone when it ends.
  /// - Returns: what the body returns.
  /// - Throws: ``RevisionError``, and what the body throws.
  public static func read<Result>(
    _ revision: String, paths: [String] = ["."], mappingFolders: [String] = [], usingMergeBase: Bool = true,
    _ body: (RevisionTree) throws -> Result
  ) throws -> Result {
    let tree = try written(revision, paths: paths, mappingFolders, usingMergeBase: usingMergeBase)
    defer { tree.remove() }
    return try body(tree)
  }

  private static func written(
    _ text: String, paths: [String], _ mappingFolders: [String], usingMergeBase: Bool
  ) throws(RevisionError) -> RevisionTree {
    let git = GitCommand(folder: folder(of: paths.first ?? "."))
    let repository = try top(git)
    let revision = try ResolvedRevision.resolve(text, git: git, usingMergeBase: usingMergeBase)
    var places: [String] = []
    for path in paths {
      guard let place = place(of: path, in: repository) else {
        throw .outsideRepository(path: path, repository: repository)
      }
      let isBundle = ModelBundle.Form(ofPath: place) != nil
      let bundles = isBundle ? [place] : place.isEmpty ? [] : linkedBundles(under: path, in: repository)
      places += [place] + bundles + bundles.map(ProjectFiles.lock(namedAfter:))
    }
    var files = try entries(of: revision, at: places.contains("") ? [] : places, git)
    let others = mappingFolders.compactMap { place(of: $0, in: repository) }
      .filter { !places.contains("") && !places.contains($0) }
    if !others.isEmpty {
      let known = Set(files.map(\.path))
      files += try entries(of: revision, at: others.contains("") ? [] : others, git)
        .filter { $0.isMappingModel && !known.contains($0.path) }
    }
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)").path
    let tree = RevisionTree(revision: revision, root: root, repository: repository)
    do {
      try RevisionWriter(folder: root, revision: revision, git: git).write(files)
    } catch {
      tree.remove()
      throw error
    }
    return tree
  }

  /// The places of the bundles that links below a folder lead to, as far as they are in the repository.
  private static func linkedBundles(under folder: String, in repository: String) -> [String] {
    ModelBundle.bundlePaths(under: folder).filter(BundleLink.isLink)
      .compactMap { place(of: BundleLink.bundle(around: $0) ?? $0, in: repository) }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: root) }

  /// Where a path of the working folder lies in this tree; it need not be there, and a path elsewhere is itself.
  public func path(of path: String) -> String {
    switch Self.place(of: path, in: repository) {
    case nil: path
    case ""?: root
    case let place?: BundlePath.joined(root, place)
    }
  }

  /// The path in the working folder, relative to it, of a path in this tree.
  public func workingPath(of path: String) -> String {
    guard path == root || path.hasPrefix(root + "/") else { return path }
    return AbsolutePath.relative(
      AbsolutePath.components(repository) + BundlePath.components(String(path.dropFirst(root.count))))
  }

  /// The path from the top of the repository; empty for the top, nil for what is not in it.
  static func place(of path: String, in repository: String) -> String? {
    let (top, parts) = (AbsolutePath.components(repository), AbsolutePath.components(path))
    return parts.starts(with: top) ? parts.dropFirst(top.count).joined(separator: "/") : nil
  }

  /// The folder in which git runs: the nearest that exists, or the current one where the environment names the
  /// repository.
  static func folder(of path: String) -> String {
    let folder = nearestFolder(to: path)
    return GitEnvironment.isFixed(for: folder) ? "." : folder
  }

  /// The nearest folder that exists.
  static func nearestFolder(to path: String) -> String {
    var folder = BundlePath.trimmed(path.isEmpty ? "." : path)
    var isFolder: ObjCBool = false
    while !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue {
      let parent = BundlePath.parent(folder)
      guard parent != folder else { return "." }
      folder = parent
    }
    return folder
  }

  static func top(_ git: GitCommand) throws(RevisionError) -> String {
    let answer = try git.answer(["rev-parse", "--show-toplevel"])
    guard answer.isSuccess, !answer.text.isEmpty else {
      let reason = answer.complaint.split(separator: "\n").first.map(String.init) ?? "git has no working tree here"
      throw .noRepository(folder: git.folder, reason: reason)
    }
    return String(decoding: answer.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func entries(
    of revision: ResolvedRevision, at places: [String], _ git: GitCommand
  ) throws(RevisionError) -> [RevisionEntry] {
    let answer = try git.answer(["ls-tree", "-r", "-z", "--full-tree", revision.commit, "--"] + places)
    guard answer.isSuccess else { throw .failed(revision: revision.revision, reason: answer.complaint) }
    let entries = answer.output.split(separator: 0).compactMap { RevisionEntry($0) }
    guard entries.count <= fileLimit else {
      throw .tooLarge(revision: revision.revision, what: "the number of its model files", limit: fileLimit)
    }
    return entries
  }
}
