import Foundation
package import ModelDescription

/// The commands of git that advice names, as they run from the folder in which the program runs.
package enum GitAdvice {
  /// The command that restores a file or a folder.
  ///
  /// - Parameter revision: a revision that has it; nil if the user must find the commit.
  /// - Returns: one command, or two: the first finds the commit for the second.
  package static func restoring(_ path: String, revision: String?) -> Advice {
    let place = WorkingPath(of: path)
    let (git, word) = (place.git, place.word)
    // What is not committed yet can be taken from the last commit.
    guard let revision = revision ?? (place.isCommitted ? "HEAD" : nil) else {
      return """
        \(command: "\(git) log --diff-filter=D --oneline -- \(word)"); then restore it from before that commit: \
        \(command: "\(git) checkout COMMIT~ -- \(word)")
        """
    }
    return "\(command: "\(git) checkout \(ShellWord(revision).text) -- \(word)")"
  }

  /// Returns whether a path is in a git repository; the path need not exist.
  package static func canRun(at path: String) -> Bool {
    let folder = RevisionTree.nearestFolder(to: BundlePath.parent(path))
    return ProjectFolder.enclosing(folder).isRepository || GitEnvironment.isFixed(for: folder)
  }

  /// True for a file that differs from that of git's index, line ends aside.
  ///
  /// Bytes are compared here: `git diff` would run the filters that a repository names.
  package static func isChanged(_ path: String) -> Bool {
    let place = WorkingPath(of: path)
    let git = GitCommand(folder: place.folder ?? ".")
    guard let line = try? git.answer(["ls-files", "--stage", "-z", "--", place.path]), line.isSuccess,
      let hash = line.text.split(separator: " ").dropFirst().first, ResolvedRevision.isHash(hash),
      let staged = try? git.answer(["cat-file", "blob", String(hash)]), staged.isSuccess
    else { return false }
    func lines(_ data: Data) -> [UInt8] { data.filter { $0 != UInt8(ascii: "\r") } }
    // One that is empty, or not there, has no bytes.
    return lines((try? FileBytes.read(path)) ?? Data()) != lines(staged.output)
  }

  /// The command that prints a file of a revision.
  ///
  /// - Parameter path: the path of the file in the revision, from this folder; it need not be there any more.
  package static func showing(_ path: String, of revision: String) -> String {
    let place = WorkingPath(of: path)
    let start = place.path.hasPrefix("../") ? "" : "./"
    return "\(place.git) show \(ShellWord("\(revision):\(start)\(place.path)").text)"
  }

  /// The command that writes a file of a revision to a different path.
  ///
  /// - Parameters:
  ///   - path: the path of the file in the revision, from this folder; it need not be there any more.
  ///   - destination: the path of the file that is written, in a folder that is there.
  package static func writing(_ path: String, of revision: String, to destination: String) -> String {
    "\(showing(path, of: revision)) > \(ShellWord(path: destination).text)"
  }

  /// The command that prints the history of a file.
  package static func history(of path: String) -> String {
    let place = WorkingPath(of: path)
    return "\(place.git) log -p -- \(place.word)"
  }

  /// The folder in which git runs, and the path relative to it.
  private struct WorkingPath {
    /// The folder; nil for the current folder if it is in the same repository.
    let folder: String?
    let path: String

    init(of path: String) {
      let parent = BundlePath.parent(path)
      let folder = RevisionTree.nearestFolder(to: parent)
      let project = ProjectFolder.enclosing(folder)
      guard project.isRepository, project.components != ProjectFolder.enclosing(".").components else {
        // Git follows no link.
        let resolved = AbsolutePath.components(parent) + [BundlePath.lastComponent(path)]
        self.path = BundleLink.first(on: parent) != nil ? AbsolutePath.relative(resolved) : path
        self.folder = nil
        return
      }
      let missing = AbsolutePath.components(parent).dropFirst(AbsolutePath.components(folder).count)
      (self.folder, self.path) = (folder, (missing + [BundlePath.lastComponent(path)]).joined(separator: "/"))
    }

    var git: String { folder.map { "git -C \(ShellWord(path: $0).text)" } ?? "git" }

    /// The path as a shell word that git does not read as a pattern.
    var word: String {
      let isPattern = path.hasPrefix(":") || path.contains { "*?[\\".contains($0) }
      return isPattern ? ShellWord(":(literal)\(path)").text : ShellWord(path: path).text
    }

    /// True if the checked-out commit has the path.
    var isCommitted: Bool {
      let answer = try? GitCommand(folder: folder ?? ".").answer(["ls-tree", "HEAD", "--", path])
      return answer.map { $0.isSuccess && !$0.text.isEmpty } ?? false
    }
  }
}
