import Foundation
import ModelDescription
public import ModelFiles

/// An earlier state of the working folder that it is held against.
public struct HistoryBase: Sendable {
  /// What findings call it.
  public let name: String
  /// What git finds it by; nil for a folder.
  let revision: String?
  /// Where a path of the working folder lies in the base.
  let path: @Sendable (String) -> String
  /// Where a path in the base lies in the working folder.
  let workingPath: @Sendable (String) -> String
  /// The folder that it is, where it is one; files below it are not those of the working folder.
  var folder: String?

  /// Takes a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder, or a bundle.
  ///   - roots: the paths that are checked; each of them corresponds to the folder, unless the folder holds it by its
  ///     whole path.
  /// - Returns: the base, called as the folder.
  /// - Throws: `ModelFileError` when there is no such folder, or no bundle in it.
  public static func folder(_ folder: String, roots: [String]) throws(ModelFileError) -> HistoryBase {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw .unreadable(path: folder, reason: "there is no such folder")
    }
    guard !ModelBundle.bundlePaths(under: folder).isEmpty else { throw .noBundle(folder: folder) }
    let base = FolderBase(folder: FolderBase.normalised(folder), roots: roots.map(FolderBase.normalised))
    return HistoryBase(
      name: base.folder, revision: nil, path: base.path, workingPath: base.workingPath, folder: base.folder)
  }

  /// True for a file of the base that lies where the working folder is looked through.
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

  /// The root that corresponds to the whole folder, for a path below it.
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
    // Below the folder, `..` would lead out of it again, perhaps to the working folder's own file.
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
  /// - Parameter tree: the revision's files, which must stay while the base is read.
  /// - Returns: the base, called as the revision was asked for.
  public static func revision(_ tree: RevisionTree) -> HistoryBase {
    let revision = tree.revision
    return HistoryBase(
      name: revision.revision, revision: revision.isMergeBase ? String(revision.commit.prefix(10)) : revision.revision,
      path: tree.path, workingPath: tree.workingPath)
  }
}

/// What keeps a bundle from being held against what was released.
public enum HistoryError: Error, Hashable, Sendable {
  /// A compiled model was made from none of the bundles that are checked.
  case unmatchedCompiledModel(path: String, bundles: [String])
  /// A version of the base cannot be read, so that nothing tells whether it was edited.
  case unreadableVersion(name: String, bundle: String, base: String)
  /// What is to be a compiled model is something else.
  case notCompiled(path: String)
  /// No tag fits a pattern, in a clone that may lack tags.
  case noTags(pattern: String)
}

extension HistoryError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .unmatchedCompiledModel(let path, let bundles):
      """
      \(path): no bundle here has its name or one of its versions; name the bundle it was made from\
      \(bundles.isEmpty ? "" : ", here are \(NameList.text(bundles))")
      """
    case .unreadableVersion(let name, let bundle, let base):
      """
      \(bundle): the version \(name) cannot be read as it is in \(base), and no lock file there says what it was; \
      compare with a revision in which it is whole
      """
    case .notCompiled(let path):
      """
      \(path): not a compiled model; name a .momd or a .mom of the app that users have, or for an earlier state in git: \
      modelctl check --base REVISION
      """
    case .noTags(let pattern):
      """
      no tag fits “\(pattern)”, and this is a shallow clone, which may lack them; fetch them with: \
      git fetch --depth=1 origin 'refs/tags/*:refs/tags/*'
      """
    }
  }
}
