/// Names in a sentence.
package enum NameList {
  /// How many stand for themselves.
  package static let limit = 5

  /// At most five names and how many more there are, so that a sentence about a large project stays one.
  package static func text(_ names: [String]) -> String {
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }
}
