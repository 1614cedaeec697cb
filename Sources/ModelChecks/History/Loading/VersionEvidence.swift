import Foundation
public import ModelFiles

/// The order of the versions of bundles: from their lock files, from git, or from their names, in this order.
///
/// In git, the first commit of each version's folder counts.
public enum VersionEvidence {
  /// The reason why git does not show when versions were added.
  public enum Gap: Hashable, Sendable, CustomStringConvertible {
    /// The clone lacks the history.
    case shallowClone(bundles: [String])

    /// The bundles with versions in the order of their names, the reason, and the remedy.
    public var description: String {
      switch self {
      case .shallowClone(let bundles):
        """
        this clone lacks the history that shows when the versions of \(NameList.text(bundles)) were added, so they are \
        ordered by their names; fetch the history: git fetch --unshallow; or record the order: modelctl lock --all
        """
      }
    }
  }

  /// Orders the versions of bundles.
  ///
  /// It reads lock files if names do not suffice, and runs git once if the lock files do not have an order.
  ///
  /// - Parameters:
  ///   - bundles: the bundles.
  ///   - asksGit: false to use only lock files and names.
  ///   - report: takes the reason why git does not show the order.
  /// - Returns: the bundles with their versions in order.
  public static func ordered(
    _ bundles: [ModelBundle], asksGit: Bool = true, report: (Gap) -> Void = { _ in }
  ) -> [ModelBundle] {
    ordered(bundles, recorded: bundles.map(recordedOrder), asksGit: asksGit, report: report)
  }

  /// Orders bundles whose lock files are read.
  static func ordered(_ bundles: [ModelBundle], locks: [LockFile?], report: (Gap) -> Void = { _ in }) -> [ModelBundle] {
    ordered(bundles, recorded: locks.map { $0?.recordedOrder ?? [] }, report: report)
  }

  private static func ordered(
    _ bundles: [ModelBundle], recorded: [[String]], asksGit: Bool = true, report: (Gap) -> Void
  ) -> [ModelBundle] {
    var ordered = zip(bundles, recorded).map { bundle, recorded in
      recorded.isEmpty ? bundle : bundle.ordered(recorded: recorded, commits: nil)
    }
    let open = ordered.indices.filter { position in
      ordered[position].form.isEditable && ordered[position].isOrderGuessed
    }
    if asksGit, let history = FirstCommits.read(of: open.map { ordered[$0] }) {
      for position in open {
        guard let commits = history.commits(of: ordered[position]) else { continue }
        ordered[position] = ordered[position].ordered(recorded: recorded[position], commits: commits)
      }
      let guessed = open.map { ordered[$0] }.filter(\.isOrderGuessed).map(\.path)
      if history.isShallow, !guessed.isEmpty { report(.shallowClone(bundles: guessed)) }
    }
    return ordered
  }

  /// The order in a bundle's lock file; empty if it cannot be read, which its other readers report.
  private static func recordedOrder(of bundle: ModelBundle) -> [String] {
    guard bundle.form.isEditable, bundle.versions.count > 1 else { return [] }
    let path = LockFile.path(beside: bundle)
    guard let bytes = try? FileBytes.read(path),
      bundle.isOrderGuessed || bytes.range(of: Data("\"after\"".utf8)) != nil
    else { return [] }
    return (try? LockFile(contentsOf: path))?.recordedOrder ?? []
  }
}

extension ModelBundle {
  /// True if only names with two different stems give the order of two neighbours.
  fileprivate var isOrderGuessed: Bool { sequence.isGuess(among: versions.map(\.name)) }

  /// The location of the current version in `.xccurrentversion`; nil without this file.
  var currentVersionLocation: SourceLocation? {
    let path = "\(self.path)/.xccurrentversion"
    guard form == .versioned, let bytes = try? FileBytes.read(path) else { return nil }
    let start = SourceLocation(file: path, line: 1, column: 1)
    guard let root = try? MarkupReader.read(bytes, path: path),
      let entries = root.children(named: "dict").first?.children,
      let key = entries.firstIndex(where: { $0.name == "key" && $0.text == "_XCCurrentVersionName" })
    else { return start }
    return entries.dropFirst(key + 1).first?.location ?? start
  }
}
