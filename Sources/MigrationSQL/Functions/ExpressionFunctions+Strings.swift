import GRDB

extension ExpressionFunctions {
  /// `BEGINSWITH`, `ENDSWITH`, `CONTAINS` and `LIKE`: false, or NULL, if either side is missing.
  ///
  /// The third argument holds the options: 1 for `[c]`, 2 for `[d]`, and 4 for NULL if a text is missing. Without
  /// options, texts are compared by code units.
  static let stringFunctions: [RowFunction] = [
    comparison("modelctl_begins") { $0.utf8.starts(with: $1.utf8) },
    comparison("modelctl_ends") { $0.utf8.reversed().starts(with: $1.utf8.reversed()) },
    comparison("modelctl_contains") { $0.containsUnits(of: $1) },
    comparison("modelctl_like") { WildcardPattern($1).matches($0) },
  ]

  /// `MATCHES`, with a cache of the connection's patterns.
  package static var matching: RowFunction {
    let expressions = RegularExpressions()
    return function("modelctl_matches", 6) { values in
      guard let text = values[0].text, let pattern = values[1].text else { return missing(values[2]) }
      let collation = StringCollation(flags: Int.fromDatabaseValue(values[2]) ?? 0)
      do throws(RegularExpressions.PatternError) {
        return try expressions.matches(text, pattern, collation) ? 1 : 0
      } catch {
        throw RowLocation(values[3...]).failure(.pattern(error))
      }
    }
  }

  /// Returns the result for a missing text.
  private static func missing(_ flags: DatabaseValue) -> Int? {
    (Int.fromDatabaseValue(flags) ?? 0) & PredicateLogic.unknownFlag == 0 ? 0 : nil
  }

  private static func comparison(
    _ name: String, _ isTrue: @escaping @Sendable (String, String) -> Bool
  ) -> RowFunction {
    function(name, 3) { values in
      guard let text = values[0].text, let other = values[1].text else { return missing(values[2]) }
      let collation = StringCollation(flags: Int.fromDatabaseValue(values[2]) ?? 0)
      return isTrue(collation.folded(text), collation.folded(other)) ? 1 : 0
    }
  }
}

extension String {
  /// True if this text contains the other text, compared by code units.
  ///
  /// The time is proportional to the sum of the lengths: after a mismatch the search continues with the longest prefix
  /// of the other text that still matches, and reads no unit twice.
  fileprivate func containsUnits(of other: String) -> Bool {
    var (text, other) = (self, other)
    return other.withUTF8 { wanted in
      guard !wanted.isEmpty else { return true }
      return text.withUTF8 { units in
        guard units.count >= wanted.count else { return false }
        let borders = Self.borders(of: wanted)
        var matched = 0
        for unit in units {
          while matched > 0, unit != wanted[matched] { matched = borders[matched - 1] }
          if unit == wanted[matched] { matched += 1 }
          if matched == wanted.count { return true }
        }
        return false
      }
    }
  }

  /// Returns, for each prefix of the units, the length of its longest proper prefix that is also its suffix.
  private static func borders(of units: UnsafeBufferPointer<UInt8>) -> [Int] {
    var borders = [Int](repeating: 0, count: units.count)
    var matched = 0
    for position in units.indices.dropFirst() {
      while matched > 0, units[position] != units[matched] { matched = borders[matched - 1] }
      if units[position] == units[matched] { matched += 1 }
      borders[position] = matched
    }
    return borders
  }
}

/// A pattern of `LIKE`: `*` matches any characters, `?` matches one, and a backslash escapes the next character.
struct WildcardPattern {
  private enum Element: Equatable {
    case exactly(Unicode.Scalar)
    case one
    case any
  }

  private var elements: [Element] = []

  /// Reads a pattern; every text is a valid pattern.
  init(_ pattern: String) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        elements.append(.exactly(scalar))
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "?": elements.append(.one)
      case "*": if elements.last != .any { elements.append(.any) }
      default: elements.append(.exactly(scalar))
      }
    }
    if isEscaped { elements.append(.exactly("\\")) }
  }

  /// True if the complete text matches the pattern.
  ///
  /// After a mismatch only the last `*` takes one more character, so the time is at most proportional to the product of
  /// the lengths.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    var element = 0
    var retry: (position: Int, element: Int)?
    while position < scalars.count {
      let current = element < elements.count ? elements[element] : nil
      if current == .any {
        retry = (position, element)
        element += 1
      } else if current == .one || current == .exactly(scalars[position]) {
        position += 1
        element += 1
      } else if let last = retry {
        retry = (last.position + 1, last.element)
        (position, element) = (last.position + 1, last.element + 1)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .any }
  }
}
