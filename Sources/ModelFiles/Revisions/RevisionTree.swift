import Foundation
import ModelDescription

/// The model files of a git revision in a temporary folder, to be read like other files.
///
/// The folder mirrors the repository from its top. It contains bundles, lock files (`*.lock.json`), configurations
/// (`.modelctl.json`) and mapping models of the revision.
///
///     try RevisionTree.read("origin/main", paths: ["App"]) { tree in
///       for path in ModelBundle.bundlePaths(under: tree.path(of: "App")) { … }
///     }
public struct RevisionTree: Hashable, Sendable {
  /// The commit that was read.
  public let revision: ResolvedRevision
  /// The temporary folder that mirrors the top of the repository.
  public let root: String
  /// The repository's top, links resolved.
  let repository: String

  static let fileLimit = 20_000
  static let byteLimit = 512 << 20

  /// Writes the files of a revision, calls a closure with them, and removes them.
  ///
  /// - Parameters:
  ///   - revision: a branch, a tag or a commit.
  ///   - paths: bundles, which are read with their lock files, or folders with all files below them and the bundles that
  ///     links in them point to; they may be deleted. Git runs in the folder of the first path, or in the current folder
  ///     if `GIT_DIR` names another repository.
  ///   - mappingFolders: folders whose mapping models are read too; a folder outside of the repository is ignored.
  ///   - files: other files, which are read if the revision has them.
  ///   - usingMergeBase: whether the merge base of the revision and `HEAD` is read if git finds one.
  ///   - body: uses the files, which are removed when it ends.
  /// - Throws: ``RevisionError``, and what the body throws.
  public static func read<Result>(
    _ revision: String, paths: [String] = ["."], mappingFolders: [String] = [], files: [String] = [],
    usingMergeBase: Bool = true, _ body: (RevisionTree) throws -> Result
  ) throws -> Result {
    let tree = try written(revision, paths: paths, mappingFolders, files, usingMergeBase: usingMergeBase)
    defer { tree.remove() }
    return try body(tree)
  }

  private static func written(
    _ text: String, paths: [String], _ mappingFolders: [String], _ named: [String], usingMergeBase: Bool
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
    let named = Set(named.compactMap { place(of: $0, in: repository) })
    var files = try entries(of: revision, at: places.contains("") ? [] : places, named, git)
    let others = (mappingFolders.compactMap { place(of: $0, in: repository) } + named.sorted())
      .filter { !places.contains("") && !places.contains($0) }
    if !others.isEmpty {
      let known = Set(files.map(\.path))
      files += try entries(of: revision, at: others.contains("") ? [] : others, named, git)
        .filter { ($0.isMappingModel || named.contains($0.path)) && !known.contains($0.path) }
    }
    let root: String
    do throws(TemporaryLocation.Refusal) {
      root = try TemporaryLocation.makeFolder("modelctl-").path
    } catch {
      throw .unwritable(path: error.folder, reason: CommonWords.cause(of: error))
    }
    let tree = RevisionTree(revision: revision, root: root, repository: repository)
    do {
      try RevisionWriter(folder: root, revision: revision, git: git).write(files)
    } catch {
      tree.remove()
      throw error
    }
    return tree
  }

  /// The paths of the bundles that links below a folder point to, if they are in the repository.
  private static func linkedBundles(under folder: String, in repository: String) -> [String] {
    ModelBundle.bundlePaths(under: folder).filter(BundleLink.isLink)
      .compactMap { place(of: BundleLink.bundle(around: $0) ?? $0, in: repository) }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: root) }

  /// The path in this tree of a path in the working folder, which need not exist; other paths are unchanged.
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
    of revision: ResolvedRevision, at places: [String], _ named: Set<String>, _ git: GitCommand
  ) throws(RevisionError) -> [RevisionEntry] {
    let answer = try git.answer(["ls-tree", "-r", "-z", "--full-tree", revision.commit, "--"] + places)
    guard answer.isSuccess else { throw .failed(revision: revision.revision, reason: answer.complaint) }
    let entries = answer.output.split(separator: 0).compactMap { RevisionEntry($0, named: named) }
    guard entries.count <= fileLimit else {
      throw .tooLarge(revision: revision.revision, what: "the number of its model files", limit: fileLimit)
    }
    return entries
  }
}

/// A file of a revision that matters to models.
struct RevisionEntry {
  let hash: String
  let path: String

  /// Reads a line of `git ls-tree -r -z`: `mode SP type SP hash TAB path`.
  ///
  /// Nil for what is no plain file (a link, a submodule), for a path that would leave a folder it is written into, and
  /// for files that no command reads and nobody named.
  init?(_ line: Data, named: Set<String> = []) {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let fields = line[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 3, ["100644", "100755", "100664"].contains(fields[0]), fields[1] == "blob",
      ResolvedRevision.isHash(fields[2]), let path = String(data: line[line.index(after: tab)...], encoding: .utf8)
    else { return nil }
    guard Self.staysInside(path), named.contains(path) || Self.matters(BundlePath.components(path))
    else { return nil }
    hash = fields[2]
    self.path = path
  }

  var isMappingModel: Bool { MappingPath.form(of: path) != nil }

  private static func staysInside(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.allSatisfy { name in
      !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8) && !name.contains(0)
    }
  }

  /// True for bundles, lock files, the configuration and mapping models outside of hidden folders.
  private static func matters(_ components: [String]) -> Bool {
    guard let name = components.last, !components.dropLast().contains(where: { $0.hasPrefix(".") }) else {
      return false
    }
    let folder = components.dropLast().last.map { BundlePath.pathExtension($0).lowercased() } ?? ""
    switch folder {
    case "xcdatamodel": return name == "contents" || name == "elements"
    case "xcdatamodeld": return name == ".xccurrentversion"
    case "momd": return name == "VersionInfo.plist" || BundlePath.pathExtension(name) == "mom"
    case "xcmappingmodel": return name == "xcmapping.xml"
    default: break
    }
    switch BundlePath.pathExtension(name).lowercased() {
    case "mom", "cdm", "ckdb": return true
    case "xml": return MappingPath.bundleName(of: "./" + components.joined(separator: "/")) != nil
    default: return name == ProjectFolder.configurationName || name.hasSuffix(ProjectFiles.lockSuffix)
    }
  }
}
