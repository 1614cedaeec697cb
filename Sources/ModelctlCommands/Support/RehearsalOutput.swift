import ModelKit

/// Prints what came of each version as soon as it is known, and how far the rehearsal is.
struct RehearsalOutput {
  /// True when text goes to standard output.
  let isPrinted: Bool
  private let progress = ProgressLine()

  /// Makes the output of a rehearsal.
  init(isPrinted: Bool) {
    self.isPrinted = isPrinted
  }

  /// Prints a part of the result.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func print(_ text: String) throws(CommandError) {
    guard isPrinted else { return }
    progress.finish()
    try Console.standardOutput(PrintableText.escaped(text), .rehearsal)
  }

  /// Shows how far the rehearsal of a bundle is.
  func show(_ rehearsal: RehearsalProgress, of bundle: String) { progress.show(rehearsal, of: bundle) }

  /// Takes the line about progress away.
  func finish() { progress.finish() }
}
