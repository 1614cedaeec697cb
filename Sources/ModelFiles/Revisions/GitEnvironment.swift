import Foundation
import Synchronization

/// Which repository git works on: that of `GIT_DIR`, or the one that our own search finds.
///
/// In a hook of a linked work tree or of a submodule git sets `GIT_DIR` without `GIT_WORK_TREE`, and takes whatever folder it
/// runs in for the top of the work tree. Without that variable git finds the same repository, with its top.
enum GitEnvironment {
  /// True if the variables name the repository, whatever folder git runs in; then paths and git start where the
  /// program runs.
  static func isFixed(for folder: String) -> Bool { all["GIT_DIR"] != nil && !isFound(from: folder) }

  /// True if no variable names a repository or an index, so that a work tree's own `.git` says where they are.
  static var isPlain: Bool { all["GIT_DIR"] == nil && all["GIT_INDEX_FILE"] == nil }

  /// The folder in which git runs, and its environment variables.
  struct Invocation {
    /// The options before the command.
    let arguments: [String]
    let variables: [String: String]
  }

  /// The repository around a folder, as our own search finds it.
  ///
  /// Git does not search: a folder inside a work tree can look like a repository, with settings of a stranger. A repository
  /// of a different user is the exception. Git looks at its top alone, and takes it if `safe.directory` names it.
  static func place(of folder: String) -> Invocation {
    var variables = all.filter { !$0.key.hasPrefix("GIT_") || kept.contains($0.key) }
    variables["PATH"] = ChildProcess.folders.joined(separator: ":")
    variables.merge(fixed) { $1 }
    guard !isFixed(for: folder) else { return Invocation(arguments: [], variables: variables) }
    variables["GIT_DIR"] = nil
    variables["GIT_WORK_TREE"] = nil
    guard let top = repository(around: folder) else { return Invocation(arguments: [], variables: variables) }
    if top != repository(around: ".") { variables["GIT_INDEX_FILE"] = nil }
    variables["GIT_CEILING_DIRECTORIES"] = BundlePath.parent(top)
    guard let directory = directory(of: top), [top, BundlePath.joined(top, ".git"), directory].allSatisfy(isOwn) else {
      return Invocation(arguments: ["--work-tree=\(top)"], variables: variables)
    }
    return Invocation(arguments: ["--git-dir=\(directory)", "--work-tree=\(top)"], variables: variables)
  }

  /// The reason why git would wait or work without end in the repository around a folder: a file of git that is a pipe, a
  /// device, a folder or a giant; nil if there is none.
  static func obstacle(around folder: String) -> String? {
    guard let top = repository(around: folder), let own = directory(of: top) else { return nil }
    if sound.withLock({ $0.contains(own) }) { return nil }
    let found = obstacle(in: own)
    if found == nil { sound.withLock { _ = $0.insert(own) } }
    return found
  }

  /// The repositories without an obstacle; one that comes later is noticed when git waits for it.
  private static let sound = Mutex<Set<String>>([])

  private static func obstacle(in own: String) -> String? {
    let text = (try? FileBytes.read("\(own)/commondir", limit: 1 << 14)).map { String(decoding: $0, as: UTF8.self) }
    let common = text.map { path($0.trimmingCharacters(in: .whitespacesAndNewlines), from: own) }
    let names = [
      "HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", "info/attributes",
      "info/exclude", "info/grafts", "info/sparse-checkout", alternates, "objects/info/commit-graph",
    ]
    for folder in Set([own, common ?? own]).sorted() {
      let inside = names + files(in: "refs", of: folder) + files(in: "objects/pack", of: folder)
      let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in inside + parts.filter({ $0.hasPrefix("sharedindex.") }) {
        var status = stat()
        guard stat("\(folder)/\(name)", &status) == 0 else { continue }
        guard status.st_mode & S_IFMT == S_IFREG else {
          return "\(folder)/\(name) is not a regular file, and git would wait for it"
        }
        let limit: off_t? = ["config", "config.worktree"].contains(name) ? 8 << 20 : name == alternates ? 1 << 18 : nil
        if let limit, status.st_size > limit { return "\(folder)/\(name) has more than \(limit) bytes" }
      }
    }
    return nil
  }

  private static let alternates = "objects/info/alternates"
  /// The files of a folder of git that are looked at; repositories pack their references beyond that.
  private static let fileLimit = 4_000

  /// The files below a folder of a repository, without following links.
  private static func files(in name: String, of folder: String) -> [String] {
    guard let found = FileManager.default.enumerator(atPath: "\(folder)/\(name)") else { return [] }
    return found.lazy.compactMap { $0 as? String }.prefix(fileLimit).map { "\(name)/\($0)" }.filter { path in
      var status = stat()
      return lstat("\(folder)/\(path)", &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }
  }

  /// The variables of git that are kept: the repository of a hook, and the paths of the user's settings.
  private static let kept: Set = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
  ]

  /// Git fetches no objects, uses no protocol and does not prompt.
  private static let fixed = [
    "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false", "GIT_PAGER": "cat", "GIT_EDITOR": "false",
  ]

  /// True if the path belongs to the user who runs this, or who became the superuser for it.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let user = geteuid()
    return status.st_uid == user || user == 0 && all["SUDO_UID"].flatMap(UInt32.init) == status.st_uid
  }

  private static let all = ProcessInfo.processInfo.environment

  /// True if git finds the repository of `GIT_DIR` from the current folder, or from the folder.
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

  /// The repository of a work tree: `.git` itself, or the folder that this file names.
  static func directory(of top: String) -> String? {
    let link = BundlePath.joined(top, ".git")
    guard !ProjectFiles.isFolder(link) else { return RealPath.existing(link) }
    guard let bytes = try? FileBytes.read(link, limit: 1 << 14), let text = String(data: bytes, encoding: .utf8),
      text.hasPrefix("gitdir:")
    else { return nil }
    return RealPath.existing(
      path(text.dropFirst("gitdir:".count).trimmingCharacters(in: .whitespacesAndNewlines), from: top))
  }

  private static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : BundlePath.joined(folder, path)
  }
}
