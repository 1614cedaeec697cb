import Foundation

/// A moment as people and programs read it.
package enum DateText {
  /// The moment in ISO 8601, with exactly the digits that tell it from every other; one that no calendar reaches as a
  /// number of seconds.
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z.
  /// - Returns: such as `2026-02-28T12:00:00Z` or `2026-02-28T12:00:00.5Z`.
  package static func of(_ seconds: Double) -> String {
    guard abs(seconds) < 1e11 else { return inSeconds(seconds) }
    let whole = seconds.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    guard whole != seconds else { return text }
    // The shortest decimal number that is read as the same value.
    let parts = seconds.magnitude.description.split(separator: ".")
    guard parts.count == 2, let digits = UInt64(parts[1]), parts[1].count < 19 else { return inSeconds(seconds) }
    var scale: UInt64 = 1
    for _ in parts[1].indices { scale *= 10 }
    let fraction = String(seconds < 0 ? scale - digits : digits)
    let zeros = String(repeating: "0", count: parts[1].count - fraction.count)
    return "\(text.dropLast()).\(zeros)\(fraction)Z"
  }

  private static func inSeconds(_ seconds: Double) -> String { "\(seconds) seconds after 2001-01-01" }
}
