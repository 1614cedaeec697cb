/// What becomes of derived attributes when rows are written.
package enum DerivedWriting {
  /// They are computed for what the rows reach, and a moment is that of the writing.
  case computed
  /// As computed, but new rows keep what they have and no row gives: moments, and values of forms whose SQL is not known.
  case kept
  /// They wait until all rows are there.
  case later
}
