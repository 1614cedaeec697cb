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
  public let isShallow: Bool
  /// The commits by `Bundle.xcdatamodeld/Version.xcdatamodel`.
  private let commits: [String: Commit]

  /// Asks git once about the version folders of bundles; nil outside a repository, without git, and before the first
  /// commit.
  ///
  /// - Parameter bundles: the bundles; git runs in the folder of the first.
  public init?(of bundles: [ModelBundle]) {
    guard let first = bundles.first else { return nil }
    let git = GitCommand(folder: RevisionTree.folder(of: first.path))
    guard let shallow = try? git.run(["rev-parse", "--is-shallow-repository"]), shallow.isSuccess else { return nil }
    let paths = bundles.map { URL(fileURLWithPath: $0.path).standardizedFileURL.path }
    // Children come before their parents, then the newest first; each commit begins with a byte that no path has.
    let arguments = [
      "log", "--date-order", "--diff-filter=A", "--no-renames", "--name-only", "-z", "--date=short",
      "--format=%x01%h %cd%x00",
    ]
    guard let log = try? git.run(arguments + ["--"] + paths), log.isSuccess else { return nil }
    isShallow = shallow.text == "true"
    let all = log.output.split(separator: 1)
    var commits: [String: Commit] = [:]
    for (position, commit) in all.enumerated() {
      let parts = commit.split(whereSeparator: { $0 == 0 || $0 == UInt8(ascii: "\n") })
      guard let head = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
      let words = head.split(separator: " ").map(String.init)
      guard words.count == 2 else { continue }
      for path in parts.dropFirst() {
        guard let version = Self.version(String(decoding: path, as: UTF8.self)) else { continue }
        commits[version] = Commit(name: words[0], date: words[1], position: all.count - position)
      }
    }
    self.commits = commits
  }

  /// When the versions of a bundle were committed first, by their names; nil when git has none of them.
  public func commits(of bundle: ModelBundle) -> [String: Int]? {
    var found: [String: Int] = [:]
    for version in bundle.versions { found[version.name] = commit(of: version, in: bundle)?.position }
    return found.isEmpty ? nil : found
  }

  /// The commit that had a version of a bundle first, nil when it was not committed.
  public func commit(of version: ModelVersion, in bundle: ModelBundle) -> Commit? {
    commits["\(BundlePath.lastComponent(bundle.path))/\(BundlePath.lastComponent(version.path))"]
  }

  /// The last two folders of a path to a version's file.
  private static func version(_ path: String) -> String? {
    let parts = BundlePath.components(path)
    guard parts.count >= 3 else { return nil }
    return parts[(parts.count - 3)...(parts.count - 2)].joined(separator: "/")
  }
}
