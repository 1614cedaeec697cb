/// What an attribute's values become in an anonymous copy.
public enum AttributeRule: Hashable, Sendable {
  /// They stay.
  case keep
  /// Each becomes another of its kind; so it is where nothing is said.
  case mask
  /// Numbers and moments are all moved by the same amount, which attributes of one group share.
  case shift(group: String?)
  /// All become this one.
  case replace(String)
  /// None is left.
  case null
}
