/// The edit of a single line of a text.
struct LineEdit {
  enum Kind: String {
    case same = " "
    case removed = "-"
    case added = "+"
  }

  let kind: Kind
  let line: Substring

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

/// A text with differences of two sides between git's conflict markers.
public enum ConflictMarkers {
  /// Joins both sides into one text.
  ///
  /// - Returns: the lines of both sides, with differences between markers; the text itself if the sides are equal.
  public static func text(ours: String, theirs: String) -> String {
    var output = ""
    var (own, other): ([Substring], [Substring]) = ([], [])
    func close() {
      guard !own.isEmpty || !other.isEmpty else { return }
      output += "<<<<<<< ours\n\(ended(own))=======\n\(ended(other))>>>>>>> theirs\n"
      (own, other) = ([], [])
    }
    for edit in LineEdit.edits(from: LineEdit.lines(of: ours), to: LineEdit.lines(of: theirs)) {
      switch edit.kind {
      case .removed: own.append(edit.line)
      case .added: other.append(edit.line)
      case .same:
        close()
        output += edit.line
      }
    }
    close()
    return output
  }

  /// Lines with a line break at the end of the last line, so that a marker begins a line.
  private static func ended(_ lines: [Substring]) -> String {
    let text = lines.joined()
    return text.isEmpty || text.unicodeScalars.last == "\n" ? text : text + "\n"
  }
}

/// The difference of two texts in the unified form that `diff -u` prints and `patch` reads.
public enum UnifiedDiff {
  /// The number of unchanged lines around changes.
  private static let context = 3

  /// Writes the difference.
  ///
  /// - Parameters:
  ///   - oldText: the text before.
  ///   - newText: the text after.
  /// - Returns: the difference, empty for equal texts.
  public static func text(from oldText: String, to newText: String, path: String) -> String {
    let (old, new) = (LineEdit.lines(of: oldText), LineEdit.lines(of: newText))
    guard old != new else { return "" }
    var output = "--- \(path)\n+++ \(path)\n"
    let edits = LineEdit.edits(from: old, to: new)
    for hunk in hunks(edits) {
      let lines = edits[hunk]
      let before = edits[..<hunk.lowerBound]
      func range(_ excluded: LineEdit.Kind) -> String {
        let count = lines.count { $0.kind != excluded }
        let start = before.count { $0.kind != excluded } + (count == 0 ? 0 : 1)
        return count == 1 ? "\(start)" : "\(start),\(count)"
      }
      output += "@@ -\(range(.added)) +\(range(.removed)) @@\n"
      for edit in lines {
        output += edit.kind.rawValue + edit.line
        if !edit.line.unicodeScalars.contains("\n") { output += "\n\\ No newline at end of file\n" }
      }
    }
    return output
  }

  /// The ranges with changes and their context; ranges that touch are joined.
  private static func hunks(_ edits: [LineEdit]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for position in edits.indices where edits[position].kind != .same {
      let range = max(position - context, 0)..<min(position + context + 1, edits.count)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }
}
