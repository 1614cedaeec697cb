import Foundation
import ModelKit

/// Errors as standard error tells them: one line that begins with `error:`, what follows indented.
enum ErrorMessage {
  /// Puts an error into words.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - store: the store it is about, put in front of errors that name none themselves.
  /// - Returns: the lines, each ended.
  static func text(_ error: any Error, about store: String? = nil) -> String {
    "error: " + lines(error, about: store).joined(separator: "\n  ") + "\n"
  }

  /// Puts an error into words on one line, where many may follow each other.
  static func line(_ error: any Error, about store: String) -> String {
    "error: " + lines(error, about: store).joined(separator: ". ") + "\n"
  }

  private static func lines(_ error: any Error, about store: String?) -> [Substring] {
    let words =
      switch error {
      case let error as MigrationBlocked:
        place(store) + "refused, the store is as it was\n\(error)" + (error.jointConsent.map { "\n\($0)" } ?? "")
      case is MigrationRefusal, is InferenceFailure, is ModelStructureError: place(store) + "\(error)"
      case let error as CocoaError: place(store) + error.localizedDescription
      default: "\(error)"
      }
    return words.split(separator: "\n")
  }

  private static func place(_ store: String?) -> String { store.map { "\($0): " } ?? "" }
}
