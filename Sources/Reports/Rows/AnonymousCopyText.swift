/// What an anonymous copy has, in words.
public enum AnonymousCopyText {
  /// How many rows it has, and how many decimal numbers that stayed lost digits.
  public static func text(rows: Int, rounded: Int, at path: String) -> String {
    "\(path): anonymous copy made, \(Quantity.text(rows, "row"))\n" + LostDigitsText.text(rounded)
  }
}
