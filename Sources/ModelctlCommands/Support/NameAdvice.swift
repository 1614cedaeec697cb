import ModelKit

/// What to say to somebody who mistyped a word of the command line.
enum NameAdvice {
  /// `; did you mean “default”?`, or all words where none is near.
  static func text(for word: String, among known: [String]) -> String {
    let near = NearNames.close(to: word, among: known)
    guard near.isEmpty else { return "; did you mean \(near.map { "“\($0)”" }.joined(separator: " or "))?" }
    return "; there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))"
  }
}
