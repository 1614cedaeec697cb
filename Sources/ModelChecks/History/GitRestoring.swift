import ModelDescription
import PersistentStores

/// The commands that bring a file or a folder back from git.
enum GitRestoring {
  /// What to run.
  ///
  /// - Parameters:
  ///   - path: the path from this folder.
  ///   - revision: a revision that has it; without one the commit is to be looked for.
  /// - Returns: one command, or two of which the first finds what the second needs.
  static func command(for path: String, revision: String?) -> String {
    let path = ShellWord(path: path).text
    guard let revision else {
      return "git log --diff-filter=D --oneline -- \(path); which names the commit to give to: "
        + "git checkout COMMIT~ -- \(path)"
    }
    return "git checkout \(ShellWord(revision).text) -- \(path)"
  }
}
