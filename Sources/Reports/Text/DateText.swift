import Foundation

/// A moment as people and programs read it.
enum DateText {
  /// The moment in ISO 8601; one that no calendar reaches as a number of seconds.
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z.
  /// - Returns: such as `2026-02-28T12:00:00Z`.
  static func of(_ seconds: Double) -> String {
    abs(seconds) < 1e11
      ? Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
      : "\(seconds) seconds after 2001-01-01"
  }
}
