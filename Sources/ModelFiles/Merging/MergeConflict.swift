/// A place where both sides of a merge changed the same thing differently.
public struct MergeConflict: Hashable, Sendable {
  /// What the sides disagree about.
  public enum Cause: Hashable, Sendable {
    /// An attribute has two new values; nil where it is absent.
    case attribute(name: String, base: String?, ours: String?, theirs: String?)
    /// Ours took the element away, theirs changed it.
    case deletedByOurs
    /// Theirs took the element away, ours changed it.
    case deletedByTheirs
    /// Both changed a list whose order counts.
    case list
    /// Both changed a constraint, each to something else.
    case constraint
    /// Both changed the comments or the text before the element, or at its end.
    case text
    /// The sides made different kinds of element of one name.
    case kind(ours: String, theirs: String)
    /// The merged file declares the name twice, each side once.
    case declaredTwice
    /// In the merged file another element of this name has the same renaming identifier.
    case sameIdentifier(String, other: String)
  }

  /// The element, as in `Order.total`.
  public let element: String
  /// What the sides disagree about.
  public let cause: Cause
  /// The line in the merged text, counted from 1.
  public internal(set) var line: Int
}

extension MergeConflict: CustomStringConvertible {
  /// What both sides did.
  public var description: String {
    switch cause {
    case .attribute(let name, let base, let ours, let theirs):
      "\(element): \(name) was \(Self.value(base)), is \(Self.value(ours)) in ours and \(Self.value(theirs)) in theirs"
    case .deletedByOurs: "\(element): removed in ours, changed in theirs"
    case .deletedByTheirs: "\(element): changed in ours, removed in theirs"
    case .list: "\(element): both sides changed its list, whose order counts"
    case .constraint: "\(element): both sides changed the same one, each to something else"
    case .text: "\(element): both sides changed the comment or text at it"
    case .kind(let ours, let theirs): "\(element): <\(ours)> in ours, <\(theirs)> in theirs"
    case .declaredTwice: "\(element): each side has one of this name; remove or rename one"
    case .sameIdentifier(let identifier, let other):
      "\(element): is known by “\(identifier)” in former versions, and so is \(other); one of them needs another identifier"
    }
  }

  private static func value(_ text: String?) -> String { text.map { "“\($0)”" } ?? "absent" }
}
