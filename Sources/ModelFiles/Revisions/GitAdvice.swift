import ModelDescription

/// The commands of git that advice names, as they run from the folder in which the program runs.
package enum GitAdvice {
  /// What brings a file or a folder back.
  ///
  /// - Parameters:
  ///   - path: the path from this folder.
  ///   - revision: a revision that has it; without one the commit is to be looked for.
  /// - Returns: one command, or two of which the first finds what the second needs.
  package static func restoring(_ path: String, revision: String?) -> String {
    let (git, word) = start(for: path)
    guard let revision else {
      return "\(git) log --diff-filter=D --oneline -- \(word); which names the commit to give to: "
        + "\(git) checkout COMMIT~ -- \(word)"
    }
    return "\(git) checkout \(ShellWord(revision).text) -- \(word)"
  }

  /// What shows how a file came to be what it is.
  ///
  /// - Parameter path: the path from this folder.
  /// - Returns: one command.
  package static func history(of path: String) -> String {
    let (git, word) = start(for: path)
    return "\(git) log -p -- \(word)"
  }

  /// Git with the folder in which it is to run, where that is in another repository, and the path from there.
  private static func start(for path: String) -> (git: String, word: String) {
    let parent = BundlePath.parent(path)
    let folder = RevisionTree.nearestFolder(to: parent)
    guard ProjectFolder.enclosing(folder).components != ProjectFolder.enclosing(".").components else {
      return ("git", ShellWord(path: path).text)
    }
    let missing = AbsolutePath.components(parent).dropFirst(AbsolutePath.components(folder).count)
    let rest = (missing + [BundlePath.lastComponent(path)]).joined(separator: "/")
    return ("git -C \(ShellWord(path: folder).text)", ShellWord(path: rest).text)
  }
}
