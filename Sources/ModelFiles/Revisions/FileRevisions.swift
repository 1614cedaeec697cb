/// The commits of git that changed a file or a folder.
public enum FileRevisions {
  /// Asks git for what leads to the commit that is checked out.
  ///
  /// - Parameters:
  ///   - path: the file or folder, which need not be there any more.
  ///   - limit: the most commits that are wanted.
  /// - Returns: the commits, newest first, as short as git abbreviates them.
  /// - Throws: ``RevisionError``.
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
}
