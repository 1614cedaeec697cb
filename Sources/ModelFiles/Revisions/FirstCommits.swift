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

  /// Reads the first commits of the version folders of bundles, with one run of git per repository; nil outside of a
  /// repository, without git, and before the first commit.
  ///
  /// - Returns: the first commit of each version.
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
  /// - Returns: whether the repository lacks a part of its history; nil if git fails.
  private mutating func read(_ paths: [String]) -> Bool? {
    let git = GitCommand(folder: RevisionTree.folder(of: paths[0]))
    guard let answer = try? git.run(["rev-parse", "--is-shallow-repository", "--show-toplevel"]), answer.isSuccess
    else { return nil }
    let lines = answer.text.split(separator: "\n", maxSplits: 1).map(String.init)
    guard lines.count == 2 else { return nil }
    let places = paths.compactMap { RevisionTree.place(of: $0, in: lines[1]) }.map { BundlePath.joined(lines[1], $0) }
    // Children come before their parents, then the newest first; each commit begins with a byte that no path has.
    let arguments = [
      "log", "--date-order", "--diff-filter=A", "--no-renames", "--name-only", "-z", "--date=short",
      "--format=%x01%h %cd%x00", "--",
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

  /// The times of the first commits of a bundle's versions, by name; nil if git has none of the versions.
  public func commits(of bundle: ModelBundle) -> [String: Int]? {
    var found: [String: Int] = [:]
    for version in bundle.versions { found[version.name] = commit(of: version)?.position }
    return found.isEmpty ? nil : found
  }

  /// The first commit with a version at its present path; nil if it was not committed.
  public func commit(of version: ModelVersion) -> Commit? { commits[Self.key(AbsolutePath.components(version.path))] }

  private static func key(_ components: [String]) -> String { components.joined(separator: "/") }
}

/// The tags of a repository at which an app was released.
public struct ReleaseTags: Hashable, Sendable {
  /// The tags at which the model files differ from those at every tag before, oldest first.
  public let names: [String]
  /// True in a clone that may lack tags.
  public let isShallow: Bool
  /// The matching tags that are ignored, because they are not ancestors of the checked-out commit.
  ///
  /// A maintenance branch excludes the tags of later releases. In a shallow clone git cannot tell, and all tags count.
  public let leftOut: [String]

  /// Finds the tags that fit a pattern.
  ///
  /// - Parameter pattern: a pattern as `git tag --list` takes it.
  /// - Throws: ``RevisionError`` outside a repository.
  public static func read(matching pattern: String, of paths: [String]) throws(RevisionError) -> ReleaseTags {
    let git = GitCommand(folder: RevisionTree.folder(of: paths.first ?? "."))
    let repository = try RevisionTree.top(git)
    let isShallow = try git.answer(["rev-parse", "--is-shallow-repository"]).text == "true"
    let places = paths.compactMap { RevisionTree.place(of: $0, in: repository) }
    let answer = try git.answer(["tag", "--list", "--sort=creatordate", pattern])
    guard answer.isSuccess else { throw .failed(revision: pattern, reason: answer.complaint) }
    let all = answer.text.split(separator: "\n").map(String.init)
    let merged = isShallow ? nil : try git.answer(["tag", "--list", "--merged", "HEAD", pattern])
    let ancestors = merged.flatMap { $0.isSuccess ? Set($0.text.split(separator: "\n").map(String.init)) : nil }
    var names: [String] = []
    var seen: Set<Data> = []
    for name in all where ancestors?.contains(name) ?? true {
      let tree = try git.answer(["ls-tree", "-r", "-z", "--full-tree", "refs/tags/\(name)", "--"] + places)
      if tree.isSuccess, !tree.output.isEmpty, seen.insert(tree.output).inserted { names.append(name) }
    }
    return ReleaseTags(names: names, isShallow: isShallow, leftOut: all.filter { !(ancestors?.contains($0) ?? true) })
  }
}
