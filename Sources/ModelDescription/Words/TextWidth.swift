/// The form of text: the columns that sentences are broken at, and whether the text is read aloud.
package enum TextWidth {
  /// The width for output that is not a terminal, so that logs and files are the same everywhere.
  package static let standard = 80

  /// The current width; `Int.max` disables line breaks.
  @TaskLocal package static var current = standard

  /// True for text that is read aloud: a table becomes one line per value, and lists are complete.
  @TaskLocal package static var isSpoken = false

  /// The number of entries of a list that are shown; all if the text is read aloud.
  package static func listed(_ limit: Int) -> Int { isSpoken ? .max : limit }
}
