import Foundation

/// The tags of a repository at which an app was released.
public struct ReleaseTags: Hashable, Sendable {
  /// The tags at which the model files differ from those at every tag before, oldest first.
  public let names: [String]
  /// True in a clone that may lack tags.
  public let isShallow: Bool

  /// Finds the tags that fit a pattern.
  ///
  /// - Parameters:
  ///   - pattern: a pattern as `git tag --list` takes it.
  ///   - paths: the bundles whose states matter.
  /// - Returns: the tags.
  /// - Throws: ``RevisionError`` outside a repository.
  public static func read(matching pattern: String, of paths: [String]) throws(RevisionError) -> ReleaseTags {
    let git = GitCommand(folder: RevisionTree.folder(of: paths.first ?? "."))
    let repository = try RevisionTree.top(git)
    let isShallow = try git.answer(["rev-parse", "--is-shallow-repository"]).text == "true"
    let places = paths.compactMap { RevisionTree.place(of: $0, in: repository) }
    let answer = try git.answer(["tag", "--list", "--sort=creatordate", pattern])
    guard answer.isSuccess else { throw .failed(revision: pattern, reason: answer.complaint) }
    var names: [String] = []
    var seen: Set<Data> = []
    for name in answer.text.split(separator: "\n").map(String.init) {
      let tree = try git.answer(["ls-tree", "-r", "-z", "--full-tree", "refs/tags/\(name)", "--"] + places)
      if tree.isSuccess, !tree.output.isEmpty, seen.insert(tree.output).inserted { names.append(name) }
    }
    return ReleaseTags(names: names, isShallow: isShallow)
  }
}
