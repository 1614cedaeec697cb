/// A text in which two sides stand between git's conflict markers wherever they differ.
public enum ConflictMarkers {
  /// Writes both sides as one text.
  ///
  /// - Parameters:
  ///   - ours: one side.
  ///   - theirs: the other side.
  /// - Returns: the lines of both, those that differ between markers; the text itself where the sides are equal.
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

  /// Lines of which the last ends as the others do, so that a marker begins a line.
  private static func ended(_ lines: [Substring]) -> String {
    let text = lines.joined()
    return text.isEmpty || text.unicodeScalars.last == "\n" ? text : text + "\n"
  }
}
