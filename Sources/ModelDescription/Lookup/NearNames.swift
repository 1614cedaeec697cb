import Foundation

/// Finds the candidates for a misspelt name.
package enum NearNames {
  /// At most three similar names, nearest first: at most two letters in five differ, or one name contains the other.
  package static func nearest(to name: String, among names: [String]) -> [String] {
    ranked(name, names.map { ($0, [$0]) }).filter(\.isAlike).prefix(3).map(\.name)
  }

  /// The similar names, or the three nearest names if no name is similar.
  package static func candidates(for name: String, among names: [String]) -> [String] {
    candidates(for: name, among: names.map { ($0, [$0]) })
  }

  /// The candidates among names that are shown in a different form than they are typed.
  package static func candidates(for name: String, among names: [(shown: String, keys: [String])]) -> [String] {
    let ranked = ranked(name, names)
    let alike = ranked.filter(\.isAlike)
    return (alike.isEmpty ? ranked : alike).prefix(3).map(\.name)
  }

  /// The names that a misspelt name most likely means: at most one letter in three differs.
  package static func close(to name: String, among names: [String]) -> [String] {
    ranked(name, names.map { ($0, [$0]) }).filter { $0.isAlike && $0.rank.distance <= limit(name) }
      .prefix(3).map(\.name)
  }

  /// The names as every message lists them: `nearest: a, b`.
  package static func words(_ near: [String]) -> String { "nearest: \(near.joined(separator: ", "))" }

  /// The list of names after the cause of a message, or other words if there are no names.
  package static func clause(_ near: [String], else other: String = "") -> String {
    near.isEmpty ? other : "; \(words(near))"
  }

  /// The words about candidates: the nearest names if a name is similar, or some known names.
  package static func advice(for name: String, _ candidates: [String]) -> String {
    let hasLike = candidates.contains { candidate in
      [candidate, String(candidate.drop { $0 != "@" }.dropFirst())].contains { isAlike(name, $0) }
    }
    return hasLike ? words(candidates) : "known names include \(candidates.joined(separator: ", "))"
  }

  private struct Rank: Comparable {
    let distance: Int
    /// The distance of the numbers at the ends of the names, if nothing else differs.
    let gap: Int
    let name: String

    static func < (first: Rank, second: Rank) -> Bool {
      (first.distance, first.gap, first.name) < (second.distance, second.gap, second.name)
    }
  }

  private static func ranked(
    _ name: String, _ names: [(shown: String, keys: [String])]
  ) -> [(name: String, rank: Rank, isAlike: Bool)] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0.shown).inserted }.map { shown, keys in
      let ranks = keys.map { Rank(distance: distance(name, $0), gap: gap(name, $0), name: shown) }
      return (shown, ranks.min() ?? Rank(distance: .max, gap: 0, name: shown), keys.contains { isAlike(name, $0) })
    }
    .sorted { $0.rank < $1.rank }
  }

  private static func limit(_ name: String) -> Int { max(1, min(name.count, 64) / 3) }

  private static func isAlike(_ name: String, _ other: String) -> Bool {
    let (name, other) = ownParts(name, other)
    let (first, second) = (name.lowercased(), other.lowercased())
    if min(first.count, second.count) >= 3, first.contains(second) || second.contains(first) { return true }
    // A single common letter of two does not make names similar, unless a number follows it.
    let distance = distance(name, other)
    return distance <= max(1, min(name.count, 64) * 2 / 5) && distance < min(first.count, second.count)
  }

  /// Two names without a common entity or bundle in front.
  private static func ownParts(_ name: String, _ other: String) -> (String, String) {
    guard let end = name.lastIndex(where: { $0 == "." || $0 == "@" }) else { return (name, other) }
    let prefix = name[...end]
    return other.hasPrefix(prefix)
      ? (String(name[name.index(after: end)...]), String(other.dropFirst(prefix.count))) : (name, other)
  }

  private static func gap(_ name: String, _ other: String) -> Int {
    func parts(_ text: String) -> (stem: Substring, number: Int?) {
      let stem = text.lowercased()[...].reversed().drop { $0.isASCII && $0.isNumber }.count
      return (text.prefix(stem), Int(text.dropFirst(stem)))
    }
    let (first, second) = (parts(name), parts(other))
    guard first.stem.lowercased() == second.stem.lowercased(), let one = first.number, let two = second.number else {
      return 0
    }
    return Int(min(one.distance(to: two).magnitude, UInt(Int.max)))
  }

  private static func distance(_ name: String, _ other: String) -> Int {
    letters(Array(name.lowercased().prefix(64)), Array(other.lowercased().prefix(64)))
  }

  /// The Levenshtein distance, in which two exchanged neighbours count as one step.
  private static func letters(_ first: [Character], _ second: [Character]) -> Int {
    var former: [Int] = []
    var row = Array(0...second.count)
    for (line, left) in first.enumerated() {
      var next = [line + 1]
      for (column, right) in second.enumerated() {
        var least = min(row[column] + (left == right ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if line > 0, column > 0, left == second[column - 1], right == first[line - 1] {
          least = min(least, former[column - 1] + 1)
        }
        next.append(least)
      }
      (former, row) = (row, next)
    }
    return row[second.count]
  }
}

extension String {
  /// True if a different name is equal only in Swift: “é” is one character, or two characters, an “e” and an accent.
  ///
  /// Swift compares the two as equal; hashes, SQLite and Core Data do not.
  package func isRespelled(as other: String) -> Bool {
    self == other && !hasSameBytes(as: other)
  }

  /// True if a different text has the same bytes, as hashes compare texts.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count, !isEmpty else { return utf8.count == other.utf8.count }
    var (first, second) = (self, other)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        guard let first = first.baseAddress, let start = second.baseAddress else { return false }
        return memcmp(first, start, second.count) == 0
      }
    }
  }

  /// True if this text is before another text by the bytes of UTF-8, as hashes and checksums sort names.
  package func precedesByBytes(_ other: String) -> Bool {
    var (first, second) = (self, other)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        for position in 0..<min(first.count, second.count) where first[position] != second[position] {
          return first[position] < second[position]
        }
        return first.count < second.count
      }
    }
  }
}
