/// The difference of two texts in the unified form that `diff -u` prints and `patch` reads.
public enum UnifiedDiff {
  /// How many lines that are the same are shown around those that are not.
  private static let context = 3

  /// Writes the difference.
  ///
  /// - Parameters:
  ///   - oldText: the text before.
  ///   - newText: the text after.
  ///   - path: the file that both are the text of.
  /// - Returns: the difference, empty for equal texts.
  public static func text(from oldText: String, to newText: String, path: String) -> String {
    let (old, new) = (lines(of: oldText), lines(of: newText))
    guard old != new else { return "" }
    var output = "--- \(path)\n+++ \(path)\n"
    let edits = edits(from: old, to: new)
    for hunk in hunks(edits) {
      let lines = edits[hunk]
      let before = edits[..<hunk.lowerBound]
      func range(_ excluded: Edit.Kind) -> String {
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

  private struct Edit {
    enum Kind: String {
      case same = " "
      case removed = "-"
      case added = "+"
    }

    let kind: Kind
    let line: Substring
  }

  /// The lines with their ends.
  private static func lines(of text: String) -> [Substring] {
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

  private static func edits(from old: [Substring], to new: [Substring]) -> [Edit] {
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
    var edits = old[..<head].map { Edit(kind: .same, line: $0) }
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if removed.contains(left) {
        edits.append(Edit(kind: .removed, line: before[left]))
        left += 1
      } else if added.contains(right) {
        edits.append(Edit(kind: .added, line: after[right]))
        right += 1
      } else {
        edits.append(Edit(kind: .same, line: before[left]))
        (left, right) = (left + 1, right + 1)
      }
    }
    return edits + old[(old.count - tail)...].map { Edit(kind: .same, line: $0) }
  }

  /// The stretches with changes and their context, those that touch joined.
  private static func hunks(_ edits: [Edit]) -> [Range<Int>] {
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
