public import ModelChecks
import ModelDescription
public import ModelFiles
public import StoreContents
import StoreRows

/// The conflicts of a merge.
public struct MergeReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The file that was merged.
  public let path: String
  /// The conflicts, in the order of the text.
  public let conflicts: [Conflict]

  private enum CodingKeys: CodingKey {
    case version, path, conflicts
  }

  /// Something that the sides disagree about.
  public struct Conflict: Encodable, Hashable, Sendable {
    /// The line in the merged file, from 1; nil for a conflict without a line, and for objects of stores.
    public let line: Int?
    /// The entity, property or other element; for a store the object, such as `Order 7.total`.
    public let element: String
    /// `attribute`, `removed`, `list`, `text`, `kind`, `name` or `rule`; of a store `value`, `removed`, `list`,
    /// `unique` or `count`; of a lock file `version`.
    public let cause: String
    /// The changes of the sides, in words.
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

  /// Creates a report of a merge of models.
  ///
  /// - Parameter broken: the findings of the merged model that neither side has.
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

  /// Creates a report of a merge of lock files.
  public init(path: String, _ merge: LockMerge) {
    let words = "has two different records; keep one of the two, or record the version again: modelctl lock"
    conflicts = merge.conflicts.map { name in
      Conflict(
        line: nil, element: name, cause: "version", message: "\(name) \(words)", attribute: nil, base: nil, ours: nil,
        theirs: nil)
    }
    self.path = path
  }

  /// The text of a merged lock file, with conflicts between git's conflict markers.
  public static func text(of merge: LockMerge) -> String {
    ConflictMarkers.text(ours: merge.merged.text, theirs: merge.alternative.text)
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

extension MergeReport {
  /// Creates a report of a merge of stores.
  public init(path: String, _ merge: StoreMerge) {
    self.init(path: path, conflicts: merge.conflicts.map { Conflict($0) })
  }
}

extension MergeReport.Conflict {
  fileprivate init(_ conflict: StoreMergeConflict) {
    let object = "\(conflict.object)"
    switch conflict.cause {
    case .value(let property, let base, let ours, let theirs):
      self.init(
        line: nil, element: "\(object).\(property)", cause: "value",
        message: PrintableText.line(
          "\(object): \(property) was \(base.shown), is \(ours.shown) in ours and \(theirs.shown) in theirs"),
        attribute: property, base: base.shownUnlessNull, ours: ours.shownUnlessNull, theirs: theirs.shownUnlessNull)
    case .order(let property): self.init(object, property, "list", "both sides changed the order of its \(property)")
    case .deletedByOurs: self.init(object, nil, "removed", "deleted in ours, changed or linked to in theirs")
    case .deletedByTheirs: self.init(object, nil, "removed", "changed or linked to in ours, deleted in theirs")
    case .notUnique(let properties, let other):
      self.init(
        object, nil, "unique", "has the same \(properties.joined(separator: ", ")) as \(other); change one of them")
    case .tooFew(let property, let count, let minimum):
      self.init(
        object, property, "count",
        "\(property) has \(Quantity.text(count, "object")) and needs at least \(minimum); add objects")
    case .tooMany(let property, let count, let maximum):
      self.init(
        object, property, "count",
        "\(property) has \(Quantity.text(count, "object")) and may have at most \(maximum); remove objects")
    }
  }

  private init(_ object: String, _ property: String?, _ cause: String, _ words: String) {
    self.init(
      line: nil, element: property.map { "\(object).\($0)" } ?? object, cause: cause,
      message: PrintableText.line("\(object): \(words)"), attribute: nil, base: nil, ours: nil, theirs: nil)
  }
}

extension RecordValue {
  fileprivate var shownUnlessNull: String? { self == .null ? nil : shown }
}
