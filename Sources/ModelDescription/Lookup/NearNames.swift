/// Finds the names that somebody who mistyped one may have meant.
package enum NearNames {
  /// The three names that are nearest, the nearest first; all of them when there are no more.
  package static func nearest(to name: String, among names: [String]) -> [String] {
    var seen: Set<String> = []
    let distinct = names.filter { seen.insert($0).inserted }
    let wanted = Array(name.lowercased().prefix(64))
    let ranked = distinct.map { (name: $0, distance: distance(wanted, Array($0.lowercased().prefix(64)))) }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// The names that are so near that somebody who mistyped one most likely meant them: a letter in three at most.
  package static func close(to name: String, among names: [String]) -> [String] {
    let wanted = Array(name.lowercased().prefix(64))
    let limit = max(1, wanted.count / 3)
    return nearest(to: name, among: names).filter {
      distance(wanted, Array($0.lowercased().prefix(64))) <= limit
    }
  }

  /// Levenshtein's distance.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var row = Array(0...second.count)
    for (line, left) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, right) in second.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count]
  }
}

extension String {
  /// Whether another name only seems to be this one: “é” is one character or two, an “e” and an accent.
  ///
  /// Swift takes the two for equal; hashes, SQLite and Core Data do not.
  package func isRespelled(as other: String) -> Bool {
    self == other && (utf8.count != other.utf8.count || !utf8.elementsEqual(other.utf8))
  }
}

extension String {
  /// True when this text comes before another by the bytes of UTF-8, as hashes and checksums sort names.
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
