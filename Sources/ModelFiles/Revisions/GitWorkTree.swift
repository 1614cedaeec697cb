import Foundation

/// The work tree of a git repository, as the setup of a project needs it.
public struct GitWorkTree: Hashable, Sendable {
  /// The top of the work tree, links resolved.
  public let top: String
  /// The default branch of `origin`, or `main` or `master` if one of them exists; nil if it is unknown.
  public let defaultBranch: String?
  /// The address of `origin`, nil without one.
  public let origin: String?

  /// Reads the work tree around a folder.
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
  /// - Returns: the value; nil if the key is not set there.
  public func setting(_ key: String) throws(RevisionError) -> String? {
    try Self.line(GitCommand(folder: top), ["config", "--local", "--get", key])
  }

  /// Sets a key of the repository's own configuration, or takes it away.
  ///
  /// - Parameter value: the value, nil to take the key away.
  public func set(_ key: String, to value: String?) throws(RevisionError) {
    let arguments = value.map { ["config", "--local", key, $0] } ?? ["config", "--local", "--unset", key]
    let answer = try GitCommand(folder: top).answer(arguments)
    guard answer.isSuccess else { throw .refused(key, reason: answer.complaint) }
  }

  private static func line(_ git: GitCommand, _ arguments: [String]) throws(RevisionError) -> String? {
    let answer = try git.answer(arguments)
    return answer.isSuccess && !answer.text.isEmpty ? answer.text : nil
  }
}

/// Paths from the root, with their links resolved as far as they exist.
package enum AbsolutePath {
  package static func components(_ path: String) -> [String] {
    var existing = URL(fileURLWithPath: path).standardizedFileURL
    var missing: [String] = []
    while existing.path != "/", !FileManager.default.fileExists(atPath: existing.path) {
      missing.append(existing.lastPathComponent)
      existing.deleteLastPathComponent()
    }
    let parts = BundlePath.components(existing.resolvingSymlinksInPath().path)
    return parts + missing.reversed()
  }

  /// The path from a single folder to what has these components.
  ///
  /// - Parameters:
  ///   - components: the destination, from the root.
  ///   - base: the start (default: the current folder).
  /// - Returns: the path, `.` for the folder itself.
  package static func relative(_ components: [String], from base: [String] = AbsolutePath.components(".")) -> String {
    let common = zip(base, components).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: base.count - common) + components.dropFirst(common)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}

/// Reads the files of a revision; git never takes an argument for an option.
struct GitRepository {
  let folder: String

  /// `blob` or `tree`; nil if the revision or the path does not exist.
  func kind(of file: GitFile) throws(ModelFileError) -> String? {
    let answer = try run(["cat-file", "-t", object(file)], file)
    return answer.isSuccess ? answer.text : nil
  }

  func contents(of file: GitFile) throws(ModelFileError) -> Data {
    let size = try succeed(["cat-file", "-s", object(file)], file)
    let text = String(decoding: size, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let count = Int(text), count <= FileBytes.limit else {
      throw .tooLarge(path: file.argument, what: "its size in bytes", limit: FileBytes.limit)
    }
    return try succeed(["cat-file", "blob", object(file)], file)
  }

  func names(in file: GitFile) throws(ModelFileError) -> [String] {
    // Without --full-tree, git would leave out what is not below the folder it runs in.
    try succeed(["ls-tree", "--full-tree", "-z", "--name-only", object(file)], file).split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A revision never begins with a dash, so neither does this.
  private func object(_ file: GitFile) -> String { "\(file.revision):\(file.path)" }

  private func succeed(_ arguments: [String], _ file: GitFile) throws(ModelFileError) -> Data {
    let answer = try run(arguments, file)
    guard answer.isSuccess else { throw .git(argument: file.argument, reason: answer.complaint) }
    return answer.output
  }

  private func run(_ arguments: [String], _ file: GitFile) throws(ModelFileError) -> GitCommand.Answer {
    do {
      return try GitCommand(folder: folder).run(arguments)
    } catch {
      throw .git(argument: file.argument, reason: ModelFileError.noGit)
    }
  }
}
