public import ModelChecks
import ModelDescription
public import ModelFiles

/// What a merge left to decide, for people and programs.
public struct MergeReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The file that was merged.
  public let path: String
  /// What is left to decide, in the order of the text.
  public let conflicts: [Conflict]

  private enum CodingKeys: CodingKey {
    case version, path, conflicts
  }

  /// Something that the sides disagree about.
  public struct Conflict: Encodable, Hashable, Sendable {
    /// The line in the merged file, from 1; nil for what has no place in it, and for objects of stores.
    public let line: Int?
    /// The entity, property or other element; of a store the object, such as `Order 7.total`.
    public let element: String
    /// `attribute`, `removed`, `list`, `text`, `kind`, `name` or `rule`; of a store `value`, `removed`, `list`,
    /// `unique` or `count`.
    public let cause: String
    /// What the sides did, in words.
    public let message: String
    /// The XML attribute, or the property of an object, that has two new values.
    public let attribute: String?
    /// Its value before; nil when it was absent.
    public let base: String?
    /// Its value in ours.
    public let ours: String?
    /// Its value in theirs.
    public let theirs: String?
  }

  init(path: String, conflicts: [Conflict]) { (self.path, self.conflicts) = (path, conflicts) }

  /// Takes a merge.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - merge: the merge.
  ///   - broken: rules that both sides keep and the merged model does not.
  public init(path: String, _ merge: ContentsMerge, broken: [Finding] = []) {
    self.path = path
    conflicts =
      merge.conflicts.map { Conflict($0) }
      + broken.map {
        Conflict(
          line: $0.location?.line, element: "\($0.element)", cause: "rule", message: "\($0.message) [\($0.rule)]",
          attribute: nil, base: nil, ours: nil, theirs: nil)
      }
  }

  /// A line a conflict: `file:line: conflict: what the sides did`.
  public var text: String {
    conflicts.map { conflict in
      "\(path):\(conflict.line.map { "\($0):" } ?? "") conflict: \(conflict.message)\n"
    }.joined()
  }
}

extension MergeReport.Conflict {
  fileprivate init(_ conflict: MergeConflict) {
    var values: (name: String, base: String?, ours: String?, theirs: String?)?
    let cause: String
    switch conflict.cause {
    case .attribute(let name, let base, let ours, let theirs):
      values = (name, base, ours, theirs)
      cause = "attribute"
    case .deletedByOurs, .deletedByTheirs: cause = "removed"
    case .list, .constraint: cause = "list"
    case .text: cause = "text"
    case .kind: cause = "kind"
    case .declaredTwice, .sameIdentifier: cause = "name"
    }
    self.init(
      line: conflict.line, element: conflict.element, cause: cause, message: "\(conflict)", attribute: values?.name,
      base: values?.base, ours: values?.ours, theirs: values?.theirs)
  }
}
