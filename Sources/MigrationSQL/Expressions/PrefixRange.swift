/// The texts that begin with others, as a range of texts by their bytes, so that an index serves.
struct PrefixRange {
  /// The first text of the range.
  let prefix: String
  /// The first text beyond it; nil when there is none.
  let end: String?

  /// Finds the range of the texts that begin with one.
  init(_ prefix: String) {
    self.prefix = prefix
    var scalars = Array(prefix.unicodeScalars)
    // UTF-8 orders texts as their scalars do.
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      break
    }
    end = scalars.isEmpty ? nil : scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// The condition that a column's text is in the range.
  func condition(_ column: ExpressionPiece) -> ExpressionPiece {
    let begins: SQLStatement = "\(column.sql) >= \(.text(prefix))"
    guard let end else { return .truth("(\(begins))") }
    return .truth("(\(begins) AND \(column.sql) < \(.text(end)))")
  }
}
