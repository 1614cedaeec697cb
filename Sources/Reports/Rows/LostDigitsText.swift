/// The decimal numbers that lost digits, in words.
public enum LostDigitsText {
  /// A note with the number of them; nothing where there are none.
  public static func text(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let counted = count == 1 ? "1 decimal number has" : "\(count) decimal numbers have"
    return "note: \(counted) more digits than a SQLite store keeps\n"
  }
}
