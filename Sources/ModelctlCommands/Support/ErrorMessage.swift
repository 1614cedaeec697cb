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
    let words =
      switch error {
      case let error as MigrationBlocked:
        place(store) + "refused, the store is as it was\n\(error)" + (error.jointConsent.map { "\n\($0)" } ?? "")
      case is MigrationRefusal, is InferenceFailure, is ModelStructureError: place(store) + "\(error)"
      case let error as CocoaError: place(store) + error.localizedDescription
      default: "\(error)"
      }
    return "error: " + words.split(separator: "\n").joined(separator: "\n  ") + "\n"
  }

  private static func place(_ store: String?) -> String { store.map { "\($0): " } ?? "" }
}
