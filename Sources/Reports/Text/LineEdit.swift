/// What becomes of one line of a text.
struct LineEdit {
  enum Kind: String {
    case same = " "
    case removed = "-"
    case added = "+"
  }

  let kind: Kind
  let line: Substring

  /// The lines with their ends.
  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    while start < scalars.endIndex {
      let end = scalars[start...].firstIndex(of: "\n").map { scalars.index(after: $0) } ?? scalars.endIndex
      lines.append(Substring(scalars[start..<end]))
      start = end
    }
    return lines
  }

  /// What becomes of each line.
  static func edits(from old: [Substring], to new: [Substring]) -> [LineEdit] {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
    let (before, after) = (Array(old[head..<(old.count - tail)]), Array(new[head..<(new.count - tail)]))
    let difference = after.difference(from: before)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var edits = old[..<head].map { LineEdit(kind: .same, line: $0) }
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if removed.contains(left) {
        edits.append(LineEdit(kind: .removed, line: before[left]))
        left += 1
      } else if added.contains(right) {
        edits.append(LineEdit(kind: .added, line: after[right]))
        right += 1
      } else {
        edits.append(LineEdit(kind: .same, line: before[left]))
        (left, right) = (left + 1, right + 1)
      }
    }
    return edits + old[(old.count - tail)...].map { LineEdit(kind: .same, line: $0) }
  }
}
