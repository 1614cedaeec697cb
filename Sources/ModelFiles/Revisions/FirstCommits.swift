import Foundation

/// When git first had each version of bundles.
public struct FirstCommits: Hashable, Sendable {
  /// A commit.
  public struct Commit: Hashable, Sendable {
    /// The short name.
    public let name: String
    /// The day it was made, such as `2026-01-31`.
    public let date: String
    /// A number that grows with the history.
    fileprivate let position: Int
  }

  /// True in a clone that lacks a part of the history.
  public private(set) var isShallow = false
  /// The commits by the versions' absolute paths, links resolved.
  private var commits: [String: Commit] = [:]

  /// Asks git about the version folders of bundles, once a repository; nil outside of one, without git, and before the
  /// first commit.
  ///
  /// - Parameter bundles: the bundles.
  /// - Returns: when it first had each version.
  public static func read(of bundles: [ModelBundle]) -> FirstCommits? {
    var first = FirstCommits()
    var answers: [Bool] = []
    // A link to a bundle elsewhere is in the repository of that bundle.
    let paths = bundles.map { RealPath.of($0.path) }
    for paths in Dictionary(grouping: paths, by: { ProjectFolder.enclosing($0).components }).values {
      if let isShallow = first.read(paths) { answers.append(isShallow) }
    }
    guard !answers.isEmpty else { return nil }
    first.isShallow = answers.contains(true)
    return first
  }

  /// Takes the commits of bundles in one repository.
  ///
  /// - Returns: whether the repository lacks a part of its history, nil when git has nothing to say.
  private mutating func read(_ paths: [String]) -> Bool? {
    let git = GitCommand(folder: RevisionTree.folder(of: paths[0]))
    guard let answer = try? git.run(["rev-parse", "--is-shallow-repository", "--show-toplevel"]), answer.isSuccess
    else { return nil }
    let lines = answer.text.split(separator: "\n", maxSplits: 1).map(String.init)
    guard lines.count == 2 else { return nil }
    let places = paths.compactMap { RevisionTree.place(of: $0, in: lines[1]) }.map { BundlePath.joined(lines[1], $0) }
    // Children come before their parents, then the newest first; each commit begins with a byte that no path has.
    let arguments = [
      "-c", "diff.relative=false", "log", "--date-order", "--diff-filter=A", "--no-renames", "--name-only", "-z",
      "--date=short", "--format=%x01%h %cd%x00", "--",
    ]
    guard !places.isEmpty, let log = try? git.run(arguments + places), log.isSuccess else { return nil }
    take(log.output.split(separator: 1), in: AbsolutePath.components(lines[1]))
    return lines[0] == "true"
  }

  /// Takes commits, the newest first, with the paths of the files that they added.
  private mutating func take(_ log: [Data], in top: [String]) {
    for (position, commit) in log.enumerated() {
      let parts = commit.split(whereSeparator: { $0 == 0 || $0 == UInt8(ascii: "\n") })
      let words = parts.first?.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) } ?? []
      guard words.count == 2 else { continue }
      for path in parts.dropFirst() {
        let version = top + BundlePath.components(String(decoding: path, as: UTF8.self)).dropLast()
        commits[Self.key(version)] = Commit(name: words[0], date: words[1], position: log.count - position)
      }
    }
  }

  /// When the versions of a bundle were committed first, by their names; nil when git has none of them.
  public func commits(of bundle: ModelBundle) -> [String: Int]? {
    var found: [String: Int] = [:]
    for version in bundle.versions { found[version.name] = commit(of: version)?.position }
    return found.isEmpty ? nil : found
  }

  /// The commit that had a version first, where it lies now; nil when it was not committed.
  public func commit(of version: ModelVersion) -> Commit? {
    commits[Self.key(AbsolutePath.components(version.path))]
  }

  private static func key(_ components: [String]) -> String { components.joined(separator: "/") }
}
