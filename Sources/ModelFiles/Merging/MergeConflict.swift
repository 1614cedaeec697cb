/// A place where both sides of a merge changed the same thing differently.
public struct MergeConflict: Hashable, Sendable {
  /// A disagreement of the sides.
  public enum Cause: Hashable, Sendable {
    /// An attribute has two new values; nil for a missing attribute.
    case attribute(name: String, base: String?, ours: String?, theirs: String?)
    /// Ours took the element away, theirs changed it.
    case deletedByOurs
    /// Theirs took the element away, ours changed it.
    case deletedByTheirs
    /// Both changed a list whose order counts.
    case list
    /// Both sides changed a constraint in different ways.
    case constraint
    /// Both changed the comments or the text before the element, or at its end.
    case text
    /// The sides made different kinds of element of a single name.
    case kind(ours: String, theirs: String)
    /// The merged file declares the name twice, each side once.
    case declaredTwice
    /// In the merged file another element of this name has the same renaming identifier.
    case sameIdentifier(String, other: String)
  }

  /// The element, as in `Order.total`.
  public let element: String
  /// A disagreement of the sides.
  public let cause: Cause
  /// The line in the merged text, counted from 1.
  public internal(set) var line: Int
}

extension MergeConflict: CustomStringConvertible {
  /// The changes of both sides.
  public var description: String {
    switch cause {
    case .attribute(let name, let base, let ours, let theirs):
      "\(element): \(name) was \(Self.value(base)), is \(Self.value(ours)) in ours and \(Self.value(theirs)) in theirs"
    case .deletedByOurs: "\(element): removed in ours, changed in theirs"
    case .deletedByTheirs: "\(element): changed in ours, removed in theirs"
    case .list: "\(element): both sides changed its list, and the order of the list matters"
    case .constraint: "\(element): both sides changed the same constraint in different ways"
    case .text: "\(element): both sides changed its comment or text"
    case .kind(let ours, let theirs): "\(element): <\(ours)> in ours, <\(theirs)> in theirs"
    case .declaredTwice: "\(element): each side has an element of this name; remove or rename one of the two"
    case .sameIdentifier(let identifier, let other):
      "\(element): “\(identifier)” identifies it in other versions, and \(other) too; give one of the two another identifier"
    }
  }

  private static func value(_ text: String?) -> String { text.map { "“\($0)”" } ?? "absent" }
}

/// The comments and the unknown text of one place between elements, merged; white space does not count.
struct MergeAside {
  /// The side whose text is used.
  enum Choice {
    case ours
    case theirs
    /// Both sides changed it differently.
    case both
  }

  let choice: Choice
  /// True if only white space remains.
  let isEmpty: Bool

  /// - Parameters:
  ///   - base: the common ancestor's; nil if both sides added the element.
  ///   - isLayout: whether the element is in the diagram; then ours wins.
  init(base: String?, ours: String, theirs: String, isLayout: Bool) {
    if ours == theirs || base == theirs || base == nil && theirs.isEmpty {
      choice = .ours
    } else if base == ours || base == nil && ours.isEmpty {
      choice = .theirs
    } else {
      choice = isLayout ? .ours : .both
    }
    isEmpty = choice == .ours && ours.isEmpty || choice == .theirs && theirs.isEmpty
  }

  /// The comments and texts in a piece of a document; empty for white space.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { !isSpace($0) }) else { return "" }
    return String(decoding: Array(bytes.split(whereSeparator: isSpace).joined(separator: [0x20])), as: UTF8.self)
  }

  /// The text before the root element without the XML declaration.
  static func prologue(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    if rest.starts(with: Array("<?xml ".utf8)), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      rest = rest[(end + 1)...]
    }
    return text(rest)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
}
