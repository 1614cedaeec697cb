/// Names in a sentence.
package enum NameList {
  private static let longest = 5

  /// At most five names and how many more there are, so that a sentence about a large project stays one.
  package static func text(_ names: [String]) -> String {
    let shown = names.prefix(longest).joined(separator: ", ")
    return names.count > longest ? "\(shown) and \(names.count - longest) more" : shown
  }
}
