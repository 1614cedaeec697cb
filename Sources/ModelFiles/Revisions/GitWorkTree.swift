import Foundation

/// The work tree of a git repository, as the setup of a project needs it.
public struct GitWorkTree: Hashable, Sendable {
  /// The top of the work tree, links resolved.
  public let top: String
  /// The branch that others start from: that of `origin`, otherwise `main` or `master` where there is one; nil when that
  /// is not known.
  public let defaultBranch: String?
  /// The address of `origin`, nil without one.
  public let origin: String?

  /// Looks at the work tree around a folder.
  ///
  /// - Parameter folder: the folder.
  /// - Returns: what git says of it.
  /// - Throws: ``RevisionError/noGit`` and ``RevisionError/noRepository(folder:reason:)``.
  public static func read(around folder: String) throws(RevisionError) -> GitWorkTree {
    let git = GitCommand(folder: folder)
    return GitWorkTree(
      top: RealPath.of(try RevisionTree.top(git)), defaultBranch: try defaultBranch(git),
      origin: try line(git, ["config", "--get", "remote.origin.url"]))
  }

  private static func defaultBranch(_ git: GitCommand) throws(RevisionError) -> String? {
    let head = try line(git, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"])
    if let head, head.hasPrefix("origin/") { return String(head.dropFirst("origin/".count)) }
    let branches = try git.answer(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).text
    let names = branches.split(separator: "\n").map(String.init)
    // A repository without a commit has no branch, but a name for the first one.
    let first = names.isEmpty ? try line(git, ["symbolic-ref", "--quiet", "--short", "HEAD"]) : nil
    return ["main", "master"].first(where: names.contains) ?? first
  }

  /// The value of a key in the repository's own configuration.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value, nil when the key is not set there.
  /// - Throws: ``RevisionError/noGit``.
  public func setting(_ key: String) throws(RevisionError) -> String? {
    try Self.line(GitCommand(folder: top), ["config", "--local", "--get", key])
  }

  /// Sets a key of the repository's own configuration, or takes it away.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - value: the value, nil to take the key away.
  /// - Throws: ``RevisionError/noGit`` and ``RevisionError/failed(revision:reason:)``.
  public func set(_ key: String, to value: String?) throws(RevisionError) {
    let arguments = value.map { ["config", "--local", key, $0] } ?? ["config", "--local", "--unset", key]
    let answer = try GitCommand(folder: top).answer(arguments)
    guard answer.isSuccess else { throw .failed(revision: key, reason: answer.complaint) }
  }

  private static func line(_ git: GitCommand, _ arguments: [String]) throws(RevisionError) -> String? {
    let answer = try git.answer(arguments)
    return answer.isSuccess && !answer.text.isEmpty ? answer.text : nil
  }
}
