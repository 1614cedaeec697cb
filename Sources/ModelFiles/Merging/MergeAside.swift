/// The comments and the unknown text of one place between elements, merged; white space does not count.
struct MergeAside {
  /// Whose text is taken.
  enum Choice {
    case ours
    case theirs
    /// Both sides changed it differently.
    case both
  }

  let choice: Choice
  /// True when nothing but white space is left.
  let isEmpty: Bool

  /// - Parameters:
  ///   - base: the common ancestor's; nil when both sides added the element.
  ///   - ours: ours.
  ///   - theirs: theirs.
  ///   - isLayout: whether it stands in the diagram, in which ours is as good as theirs.
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

  /// What stands in a piece of a document beside elements; empty for white space.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { !isSpace($0) }) else { return "" }
    return String(decoding: Array(bytes.split(whereSeparator: isSpace).joined(separator: [0x20])), as: UTF8.self)
  }

  /// What stands before the root element beside the declaration of the text's form.
  static func prologue(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    if rest.starts(with: Array("<?xml ".utf8)), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      rest = rest[(end + 1)...]
    }
    return text(rest)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
}
