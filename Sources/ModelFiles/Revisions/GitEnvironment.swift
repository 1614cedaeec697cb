import Foundation

/// The variables that say which repository git works on, `GIT_DIR` first.
///
/// In a hook of a linked work tree or of a submodule git sets `GIT_DIR` without `GIT_WORK_TREE`, and takes whatever folder it
/// runs in for the top of the work tree. Without that variable git finds the same repository, with its top.
enum GitEnvironment {
  /// True when the variables name the repository, whatever folder git runs in; then paths and git start where the
  /// program runs.
  static func isFixed(for folder: String) -> Bool { all["GIT_DIR"] != nil && !isFound(from: folder) }

  /// True when no variable names a repository or an index, so that a work tree's own `.git` says where they are.
  static var isPlain: Bool { all["GIT_DIR"] == nil && all["GIT_INDEX_FILE"] == nil }

  /// The variables for git in a folder.
  ///
  /// - Returns: the program's own without those that would mislead git there; nil when all of them stay.
  static func variables(for folder: String) -> [String: String]? {
    guard all["GIT_DIR"] != nil || all["GIT_INDEX_FILE"] != nil, !isFixed(for: folder) else { return nil }
    var variables = all
    variables["GIT_DIR"] = nil
    if repository(around: folder) != repository(around: ".") { variables["GIT_INDEX_FILE"] = nil }
    return variables
  }

  private static let all = ProcessInfo.processInfo.environment

  /// True when git finds the repository of `GIT_DIR` from where the program runs, or from the folder.
  private static func isFound(from folder: String) -> Bool {
    guard let name = all["GIT_DIR"], all["GIT_WORK_TREE"] == nil else { return false }
    return [".", folder].contains { start in
      guard let top = repository(around: start) else { return false }
      // A hook that has left the top of the work tree still has the path from there.
      return [name, path(name, from: top)].contains { RealPath.existing($0) == directory(of: top) }
    }
  }

  /// The top of the work tree around a folder.
  private static func repository(around folder: String) -> String? {
    let project = ProjectFolder.enclosing(folder)
    return project.isRepository ? "/" + project.components.joined(separator: "/") : nil
  }

  /// Where the repository of a work tree lies: `.git` itself, or what that file names.
  static func directory(of top: String) -> String? {
    let link = BundlePath.joined(top, ".git")
    guard !ProjectFiles.isFolder(link), let text = try? String(contentsOfFile: link, encoding: .utf8),
      text.hasPrefix("gitdir:")
    else { return RealPath.existing(link) }
    return RealPath.existing(
      path(text.dropFirst("gitdir:".count).trimmingCharacters(in: .whitespacesAndNewlines), from: top))
  }

  private static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : BundlePath.joined(folder, path)
  }
}
