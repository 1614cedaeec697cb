import MappingModels
import ModelChecks
import ModelComparison
public import ModelDescription
public import ModelFiles

/// The history of model bundles.
public struct LogReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The bundles.
  public let bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, bundles
  }

  /// The history of a single bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// The path of the bundle.
    public let path: String
    /// Its versions, the newest first.
    public let versions: [Entry]
  }

  /// One version.
  public struct Entry: Encodable, Hashable, Sendable {
    /// The version's name.
    public let name: String
    /// Whether it is the current version.
    public let isCurrent: Bool
    /// Whether the lock file records it as released.
    public let isReleased: Bool
    /// The day of its first commit; nil if it is not committed, or if git does not know it.
    public let date: String?
    /// The short name of that commit.
    public let commit: String?
    /// The changes since the previous version, or the content of the first version, one clause each.
    public let changes: [String]
  }

  /// Creates a report of bundles with ordered versions.
  ///
  /// - Parameter commits: the first commits of the versions; nil outside a repository.
  public init(_ bundles: [LoggedBundle], commits: FirstCommits?) {
    self.bundles = bundles.map { logged in
      let entries = logged.bundle.versions.enumerated().map { position, version in
        let commit = commits?.commit(of: version)
        return Entry(
          name: version.name, isCurrent: version.name == logged.bundle.currentVersionName,
          isReleased: logged.released.contains(version.name), date: commit?.date, commit: commit?.name,
          changes: Self.changes(of: logged.models, at: position))
      }
      return Bundle(path: logged.bundle.path, versions: entries.reversed())
    }
  }

  private static func changes(of models: [Result<EntityHierarchy, any Error>], at position: Int)
    -> [String]
  {
    let model: EntityHierarchy
    switch models[position] {
    case .success(let hierarchy): model = hierarchy
    case .failure(let error): return ["cannot be read: \(error.sentence)"]
    }
    guard position > 0, case .success(let source) = models[position - 1] else {
      return [Quantity.text(model.model.entities.count, "entity", "entities")]
    }
    return ModelStep(from: source, to: model).notableChanges.compactMap(clause)
  }

  /// A change in a few words; nil if it only follows from a different change.
  private static func clause(_ change: Change) -> String? {
    switch change.kind {
    case .followsRename, .followsAncestor: return nil
    default: return "\(change.element) \(change.words.sentence)"
    }
  }

  /// The maximum number of clauses in a line of text.
  private static let clauseLimit = 5

  /// One line per version.
  public var text: String {
    let parts = bundles.map { bundle in
      ([bundle.path] + bundle.versions.flatMap { WrappedText.lines(Self.line($0), lead: "  ", indent: "    ") })
        .joined(separator: "\n")
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func line(_ entry: Entry) -> String {
    let marks = [entry.isCurrent ? "current" : nil, entry.isReleased ? "released" : nil].compactMap { $0 }
    let when = entry.date.map { "\($0) \(entry.commit ?? "")" } ?? "not committed"
    let head = entry.name + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
    let clauseLimit = TextWidth.listed(clauseLimit)
    let rest = entry.changes.count - clauseLimit
    let clauses = entry.changes.prefix(rest > 1 ? clauseLimit : entry.changes.count)
    let words = clauses.isEmpty ? "no change of the data" : SpokenText.shown(clauses.joined(separator: ", "))
    return "\(head), \(when): \(words)" + (rest > 1 ? " and \(rest) more" : "")
  }
}

/// A bundle with the models of its versions, for its history.
public struct LoggedBundle: Sendable {
  /// The bundle, its versions in order.
  public let bundle: ModelBundle
  /// The models of its versions.
  public let models: [Result<EntityHierarchy, any Error>]
  /// The versions that its lock file records as released.
  public let released: Set<String>

  /// Reads the models of a bundle.
  ///
  /// - Parameter bundle: the bundle, its versions in order.
  /// - Returns: the bundle with the models; a lock file that cannot be read is ignored.
  public static func load(_ bundle: ModelBundle) -> LoggedBundle {
    let models = bundle.versions.concurrentMap { version in
      Result { try EntityHierarchy(try version.load().model) }
    }
    let lock = (try? LockFile.read(beside: bundle)) ?? nil
    let released = lock?.entries.filter { $0.value.state == .released }.keys
    return LoggedBundle(bundle: bundle, models: models, released: Set(released.map(Array.init) ?? []))
  }
}
