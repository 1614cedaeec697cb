public import StoreRows

/// Links that are left out, as they lead to objects which are not there, in words.
public enum LinksToNothingText {
  /// Says so in one sentence without its full stop.
  ///
  /// - Parameters:
  ///   - count: how many links there are.
  ///   - example: one of them.
  /// - Returns: the sentence; nil where there are none.
  public static func text(_ count: Int, such example: LinkToNothing?) -> String? {
    guard count > 0, let example else { return nil }
    let link = PrintableText.line("\(example.object): \(example.relationship)")
    return count == 1
      ? "1 link leads to an object that is not there, and is left out: \(link)"
      : "\(Quantity.text(count, "link")) lead to objects that are not there, and are left out, such as \(link)"
  }
}
