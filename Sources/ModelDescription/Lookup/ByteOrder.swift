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
