/// The commits of git that changed a file or a folder.
public struct FileRevisions: Hashable, Sendable {
  /// The commits, newest first, as short as git abbreviates them.
  public let commits: [String]

  /// Asks git for what leads to the commit that is checked out.
  ///
  /// - Parameters:
  ///   - path: the file or folder, which need not be there any more.
  ///   - limit: the most commits to be told.
  /// - Throws: ``RevisionError``.
  public init(of path: String, atMost limit: Int) throws(RevisionError) {
    let git = GitCommand(folder: RevisionTree.folder(of: path))
    let repository = try RevisionTree.top(git)
    guard let place = RevisionTree.place(of: path, in: repository) else {
      throw .outsideRepository(path: path, repository: repository)
    }
    let answer = try git.answer([
      "log", "--max-count=\(limit)", "--format=%h", "--abbrev=10", "--", BundlePath.joined(repository, place),
    ])
    guard answer.isSuccess else { throw .failed(revision: "HEAD", reason: answer.complaint) }
    commits = answer.text.split(separator: "\n").map(String.init)
  }
}
