/// Names in a sentence.
package enum NameList {
  private static let longest = 5

  /// At most five names and how many more there are, so that a sentence about a large project stays one.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - last: what stands before the last name where all are shown.
  /// - Returns: the words.
  package static func text(_ names: [String], last: String = ", ") -> String {
    let shown = names.prefix(longest)
    if names.count > longest { return "\(shown.joined(separator: ", ")) and \(names.count - longest) more" }
    guard let end = shown.last, shown.count > 1 else { return shown.joined() }
    return shown.dropLast().joined(separator: ", ") + last + end
  }
}
