import Foundation
public import ModelDescription
public import ModelFiles

/// An earlier state of the working folder, with which the current state is compared.
public struct HistoryBase: Sendable {
  /// The name in findings.
  public let name: String
  /// The revision of git; nil for a folder.
  let revision: String?
  /// Returns the path in the base of a path in the working folder.
  let path: @Sendable (String) -> String
  /// Returns the path in the working folder of a path in the base.
  let workingPath: @Sendable (String) -> String
  /// The folder of the base, whose files do not belong to the working folder; nil for a revision.
  var folder: String?

  /// Takes a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder, or a bundle.
  ///   - roots: the checked paths; each corresponds to the folder, unless the folder contains its complete path.
  /// - Returns: the base, with the name of the folder.
  /// - Throws: `ModelFileError` if the folder does not exist, or does not contain a bundle.
  public static func folder(_ folder: String, roots: [String]) throws(ModelFileError) -> HistoryBase {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw .unreadable(path: folder, reason: "there is no such folder")
    }
    guard !ModelBundle.bundlePaths(under: folder).isEmpty else { throw .noBundleInBase(folder: folder) }
    let base = FolderBase(folder: FolderBase.normalised(folder), roots: roots.map(FolderBase.normalised))
    return HistoryBase(
      name: base.folder, revision: nil, path: base.path, workingPath: base.workingPath, folder: base.folder)
  }

  /// True for a file of a base folder inside the working folder.
  func holds(_ path: String) -> Bool {
    guard let folder, folder != "." else { return false }
    return FolderBase.normalised(path).hasPrefix(folder + "/")
  }
}

/// The correspondence of paths here and in a folder.
private struct FolderBase: Sendable {
  let folder: String
  let roots: [String]

  static func normalised(_ path: String) -> String { path.isEmpty ? "." : (path as NSString).standardizingPath }

  /// The root that corresponds to the complete folder, for a path below it.
  private func root(of path: String) -> String? {
    roots.first { $0 != "." && (path == $0 || path.hasPrefix($0 + "/")) }
  }

  func path(_ path: String) -> String {
    let path = Self.normalised(path)
    if path == "." { return folder }
    if isBundle(folder), isBundle(path), BundlePath.lastComponent(path) == BundlePath.lastComponent(folder) {
      return folder
    }
    let whole = "\(folder)/\(path)"
    // `..` would leave the folder again, perhaps to a file of the working folder.
    let isBelow = path != ".." && !path.hasPrefix("../") && FileManager.default.fileExists(atPath: whole)
    guard let root = root(of: path), !isBelow else { return whole }
    if path != root { return folder + path.dropFirst(root.count) }
    guard isBundle(path), !isBundle(folder) else { return folder }
    return "\(folder)/\(BundlePath.lastComponent(path))"
  }

  func workingPath(_ path: String) -> String {
    guard path.hasPrefix(folder + "/") else { return path }
    let rest = String(path.dropFirst(folder.count + 1))
    guard let root = roots.first, root != ".", !rest.hasPrefix(root + "/"), !isBundle(root) else { return rest }
    return "\(root)/\(rest)"
  }

  private func isBundle(_ path: String) -> Bool {
    ModelBundle.Form(rawValue: BundlePath.pathExtension(path).lowercased()) != nil
  }
}

extension HistoryBase {
  /// Takes a revision of git.
  ///
  /// - Parameter tree: the revision's files, which must exist while the base is read.
  /// - Returns: the base, with the given name of the revision.
  public static func revision(_ tree: RevisionTree) -> HistoryBase {
    let revision = tree.revision
    return HistoryBase(
      name: revision.shortRevision,
      revision: revision.isMergeBase ? String(revision.commit.prefix(10)) : revision.shortRevision,
      path: tree.path, workingPath: tree.workingPath)
  }
}

/// The reason why a bundle cannot be compared with its released versions.
public enum HistoryError: Error, Hashable, Sendable {
  /// A compiled model does not belong to a checked bundle.
  case unmatchedCompiledModel(path: String, bundles: [String])
  /// A version of the base cannot be read, so it is unknown whether the version was edited.
  case unreadableVersion(name: String, bundle: String, base: String)
  /// A file is not a compiled model.
  case notCompiled(path: String)
  /// No tag matches a pattern, in a shallow clone that may lack tags.
  case noTags(pattern: String)
}

extension HistoryError: AdvisedError {
  /// The path of the compiled model or of the bundle; nil for tags.
  public var place: String? {
    switch self {
    case .unmatchedCompiledModel(let path, _), .notCompiled(let path): path
    case .unreadableVersion(_, let bundle, _): bundle
    case .noTags: nil
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .unmatchedCompiledModel(_, let bundles):
      "no bundle here has its name or one of its versions"
        + (bundles.isEmpty ? "" : "; known bundles: \(NameList.text(bundles))")
    case .unreadableVersion(let name, _, let base):
      "the version \(name) cannot be read in \(base), and no lock file there records its hashes"
    case .notCompiled: "this is not a compiled model"
    case .noTags(let pattern): "no tag matches “\(pattern)”, but this shallow clone may lack tags"
    }
  }

  /// The next step.
  public var advice: Advice? {
    switch self {
    case .unmatchedCompiledModel: "name the bundle that it was made from"
    case .unreadableVersion: "compare with a revision in which the version can be read"
    case .notCompiled:
      """
      name a .momd or a .mom of your shipped app; or, for an earlier state in git, run: \
      \(run: "modelctl", "check", "--base", "REVISION")
      """
    case .noTags: "fetch the tags: \(run: "git", "fetch", "--depth=1", "origin", "refs/tags/*:refs/tags/*")"
    }
  }
}
