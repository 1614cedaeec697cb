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
    let places = paths.compactMap { RevisionTree.place(of: $0, in: lines[1]) }.filter { !$0.contains("\n") }
    // Children come before their parents, then the newest first. What a commit changed is not asked for: a folder in a
    // bundle can contain any number of names.
    let arguments = ["log", "--date-order", "--date=short", "--format=%H %h %cd", "--"]
    guard !places.isEmpty,
      let log = try? git.run(arguments + places.map { BundlePath.joined(lines[1], $0) }), log.isSuccess
    else { return nil }
    let found = log.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }.filter {
      $0.count == 3
    }
    let questions = found.flatMap { commit in places.map { "\(commit[0]):\($0)\n" } }
    guard let trees = try? git.run(["cat-file", "--batch"], input: Data(questions.joined().utf8), limit: Self.limit),
      trees.isSuccess
    else { return nil }
    let top = AbsolutePath.components(lines[1])
    var reader = TreeReader(bytes: [UInt8](trees.output))
    for (position, commit) in found.enumerated() {
      for place in places {
        guard let folders = reader.next() else { return nil }
        let known = Commit(name: commit[1], date: commit[2], position: found.count - position)
        for folder in folders { commits[Self.key(top + BundlePath.components(place) + folder)] = known }
      }
    }
    return lines[0] == "true"
  }

  /// The most bytes of all folders in the history of the bundles.
  private static let limit = 256 << 20

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

/// Reads the folders that `git cat-file --batch` prints.
private struct TreeReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The paths of the next folder and of the folders in it; none if it is missing; nil if the output ends.
  mutating func next() -> [[String]]? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let header = String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ")
    position = end + 1
    guard header.count == 3, let size = Int(header[2]) else { return [] }
    let content = bytes[position...].prefix(size)
    position += content.count + 1
    guard content.count == size, position <= bytes.count else { return nil }
    guard header[1] == "tree" else { return [] }
    return [[]] + Self.folders(in: content, hashLength: header[0].utf8.count / 2).map { [$0] }
  }

  /// The names of the folders: `mode SP name NUL hash`, again and again.
  private static func folders(in tree: ArraySlice<UInt8>, hashLength: Int) -> [String] {
    var names: [String] = []
    var rest = tree
    while let space = rest.firstIndex(of: UInt8(ascii: " ")), let zero = rest[space...].firstIndex(of: 0) {
      if rest[..<space].elementsEqual("40000".utf8) {
        names.append(String(decoding: rest[(space + 1)..<zero], as: UTF8.self))
      }
      rest = rest[(zero + 1)...].dropFirst(hashLength)
    }
    return names
  }
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
    guard answer.isSuccess else { throw .refused(pattern, reason: answer.complaint) }
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
