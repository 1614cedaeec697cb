import Foundation

/// Errors as standard error tells them: one line that begins with `error:`, what follows indented.
enum ErrorMessage {
  /// Puts an error into words.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - place: the store or file it is about, put in front unless the error names it itself.
  /// - Returns: the lines, each ended.
  static func text(_ error: any Error, about place: String? = nil) -> String {
    let words = self.words(error)
    let named = place.map { words.hasPrefix($0) ? words : "\($0): \(words)" } ?? words
    return "error: " + named.split(separator: "\n").joined(separator: "\n  ") + "\n"
  }

  /// Foundation's errors describe themselves for debuggers only.
  private static func words(_ error: any Error) -> String {
    (error as? CocoaError)?.localizedDescription ?? "\(error)"
  }
}
