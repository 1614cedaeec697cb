/// The columns that sentences are broken at.
package enum TextWidth {
  /// The columns of what is no terminal, so that logs and files are the same everywhere.
  package static let standard = 80

  /// The columns in force; `Int.max` breaks nothing.
  @TaskLocal package static var current = standard
}
