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

  /// The stretches with changes and their context, those that touch joined.
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
