import Foundation

/// How a text ends its lines: as its first line does.
enum LineEnds {
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// The bytes at the end of the first line; nil for a text of one line.
  static func first(in data: some Collection<UInt8>) -> [UInt8]? {
    guard let end = data.firstIndex(of: lineFeed) else { return nil }
    return data[..<end].suffix(1).first == carriageReturn ? [carriageReturn, lineFeed] : [lineFeed]
  }

  /// A text whose lines end as another's do; the same text where one of the two has no line's end.
  static func matching(_ data: Data, to other: Data) -> Data {
    guard let old = first(in: data), let wanted = first(in: other), old != wanted else { return data }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count)
    for byte in data {
      if byte == lineFeed {
        if bytes.last == carriageReturn { bytes.removeLast() }
        bytes += wanted
      } else {
        bytes.append(byte)
      }
    }
    return Data(bytes)
  }
}
