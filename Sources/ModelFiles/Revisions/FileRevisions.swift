public import Foundation

/// The commits of git that changed a file or a folder.
public enum FileRevisions {
  /// Reads the ancestors of the checked-out commit that changed the path.
  ///
  /// - Parameters:
  ///   - path: the file or folder, which may be deleted.
  ///   - limit: the maximum number of commits.
  /// - Returns: the commits, newest first, as short as git abbreviates them.
  public static func read(of path: String, atMost limit: Int) throws(RevisionError) -> [String] {
    let git = GitCommand(folder: RevisionTree.folder(of: path))
    let repository = try RevisionTree.top(git)
    guard let place = RevisionTree.place(of: path, in: repository) else {
      throw .outsideRepository(path: path, repository: repository)
    }
    let answer = try git.answer([
      "log", "--max-count=\(limit)", "--format=%h", "--abbrev=10", "--", BundlePath.joined(repository, place),
    ])
    guard answer.isSuccess else { throw .failed(revision: "HEAD", reason: answer.complaint) }
    return answer.text.split(separator: "\n").map(String.init)
  }

  /// Reads a file as the newest commits that changed it have it.
  ///
  /// - Parameters:
  ///   - path: the file, which may be deleted.
  ///   - limit: the maximum number of commits.
  /// - Returns: the commits with the bytes, newest first; commits without the file are excluded.
  public static func contents(
    of path: String, atMost limit: Int
  ) throws(RevisionError) -> [(revision: String, bytes: Data)] {
    let commits = try read(of: path, atMost: limit)
    let git = GitCommand(folder: RevisionTree.folder(of: path))
    guard let place = RevisionTree.place(of: path, in: try RevisionTree.top(git)) else { return [] }
    var found: [(revision: String, bytes: Data)] = []
    for commit in commits {
      let answer = try git.answer(["cat-file", "blob", "\(commit):\(place)"])
      if answer.isSuccess { found.append((commit, answer.output)) }
    }
    return found
  }

  /// The states that have a file or a folder: the newest tags, the commit that is checked out, and the one before the
  /// last change of it.
  ///
  /// - Parameter path: the file or folder, which need not be there any more.
  /// - Returns: names of tags and commits, those to try first in front.
  public static func holders(of path: String) throws(RevisionError) -> [String] {
    let git = GitCommand(folder: RevisionTree.folder(of: path))
    guard let place = RevisionTree.place(of: path, in: try RevisionTree.top(git)) else { return [] }
    func holds(_ revision: String) throws(RevisionError) -> Bool {
      try git.answer(["cat-file", "-e", "\(revision):\(place)"]).isSuccess
    }
    let tags = try git.answer(["tag", "--list", "--sort=-version:refname", "--sort=-creatordate"]).text.split(
      separator: "\n"
    ).prefix(500)
    var found: [String] = []
    for tag in tags.map(String.init) where found.count < 3 {
      if try holds("refs/tags/\(tag)") { found.append(tag) }
    }
    let changed = try read(of: path, atMost: 1)
    for commit in ["HEAD"] + changed.flatMap({ [$0, "\($0)~"] }) where try holds(commit) { found.append(commit) }
    return found
  }
}
