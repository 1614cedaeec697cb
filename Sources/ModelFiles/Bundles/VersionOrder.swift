/// The natural order of version names: digits compare as numbers, so that “Model 2” comes before “Model 10”.
public enum VersionOrder {
  /// True when the first name comes before the second.
  public static func isOrdered(_ first: String, before second: String) -> Bool {
    Key(first) < Key(second)
  }

  /// The elements in the natural order of their names, each of which is taken apart once.
  package static func sorted<Element>(
    _ elements: some Sequence<Element>,
    by name: (Element) -> String
  ) -> [Element] {
    elements.map { (key: Key(name($0)), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }

  /// The names in their natural order.
  package static func sorted(_ names: some Sequence<String>) -> [String] { sorted(names) { $0 } }

  /// A name and its runs.
  private struct Key: Comparable {
    let name: String
    let parts: [Part]

    init(_ name: String) {
      self.name = name
      parts = VersionOrder.parts(name)
    }

    static func < (first: Key, second: Key) -> Bool {
      for (left, right) in zip(first.parts, second.parts) where left != right { return left < right }
      return first.parts.count == second.parts.count
        ? first.name.utf8.lexicographicallyPrecedes(second.name.utf8) : first.parts.count < second.parts.count
    }
  }

  /// A run of digits or of anything else; a number sorts before text.
  private enum Part: Comparable {
    case number(length: Int, digits: String)
    case text(String)
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.utf8[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      let digits = String(Substring(run.drop { $0 == UInt8(ascii: "0") }))
      parts.append(
        isNumber ? .number(length: digits.utf8.count, digits: digits) : .text(Substring(run).lowercased()))
    }
    return parts
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
