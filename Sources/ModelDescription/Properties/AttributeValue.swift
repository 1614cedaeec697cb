public import Foundation

/// A value of an attribute, such as a default or a bound of its validation.
public enum AttributeValue: Hashable, Sendable {
  case integer(Int64)
  case decimal(Decimal)
  case double(Double)
  case string(String)
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case binary(Data)
  case uuid(UUID)
  case uri(String)

  /// Compares values as SQLite stores them: texts are equal if their bytes are, so “é” as one character differs from two.
  public static func == (first: AttributeValue, second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.integer(let one), .integer(let two)): one == two
    case (.decimal(let one), .decimal(let two)): one == two
    case (.double(let one), .double(let two)): one == two
    case (.string(let one), .string(let two)): HashedText(one) == HashedText(two)
    case (.boolean(let one), .boolean(let two)): one == two
    case (.date(let one), .date(let two)): one == two
    case (.binary(let one), .binary(let two)): one == two
    case (.uuid(let one), .uuid(let two)): one == two
    case (.uri(let one), .uri(let two)): HashedText(one) == HashedText(two)
    default: false
    }
  }
}

/// A moment as text.
package enum DateText {
  /// The moment in ISO 8601, with exactly the digits that identify it; a moment outside of the calendar as a number of
  /// seconds.
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
