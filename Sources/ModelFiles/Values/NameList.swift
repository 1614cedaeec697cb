/// Names in a sentence.
package enum NameList {
  /// How many stand for themselves.
  package static let limit = 5

  /// At most five names and how many more there are, so that a sentence about a large project stays one.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - last: what stands before the last name where all are shown.
  /// - Returns: the words.
  package static func text(_ names: [String], last: String = ", ") -> String {
    let shown = names.prefix(limit)
    if names.count > limit { return "\(shown.joined(separator: ", ")) and \(names.count - limit) more" }
    guard let end = shown.last, shown.count > 1 else { return shown.joined() }
    return shown.dropLast().joined(separator: ", ") + last + end
  }
}
