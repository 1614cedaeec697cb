/// The natural order of version names: digits compare as numbers, so that “Model 2” comes before “Model 10”.
public enum VersionOrder {
  /// True when the first name comes before the second.
  public static func isOrdered(_ first: String, before second: String) -> Bool {
    let (left, right) = (parts(first), parts(second))
    for (leftPart, rightPart) in zip(left, right) where leftPart != rightPart {
      return leftPart < rightPart
    }
    return left.count == right.count
      ? first.utf8.lexicographicallyPrecedes(second.utf8) : left.count < right.count
  }

  /// A run of digits or of anything else; a number sorts before text.
  private enum Part: Comparable {
    case number(length: Int, digits: String)
    case text(String)
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(name)
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest.dropFirst(run.count)
      let digits = String(run.drop { $0 == "0" })
      parts.append(isNumber ? .number(length: digits.count, digits: digits) : .text(run.lowercased()))
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
