/// A regular expression that means the whole text, as that of `MATCHES` does.
package enum WholeTextPattern {
  /// The pattern, bound to both ends of the text.
  ///
  /// It must be a pattern by itself too, so that its parentheses cannot close the ones around it.
  package static func around(_ pattern: String) -> String { "\\A(?:\(pattern))\\z" }
}
