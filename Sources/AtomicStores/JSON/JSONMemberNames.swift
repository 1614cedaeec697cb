import Foundation

/// The names that the beginning of a JSON text gives away; the text may be cut or broken.
enum JSONMemberNames {
  private static let white: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// The names of the outermost object's members, as they are written; none where the text is no object.
  static func outermost(in start: Data) -> Set<String> {
    var bytes = Array(start)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard bytes.first(where: { !white.contains($0) }) == UInt8(ascii: "{") else { return [] }
    var names: Set<String> = []
    var depth = 0
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let end = end(ofText: bytes[position...].dropFirst())
        let next = bytes[end...].dropFirst().first { !white.contains($0) }
        if depth == 1, next == UInt8(ascii: ":") {
          names.insert(String(decoding: bytes[position..<end].dropFirst(), as: UTF8.self))
        }
        position = end
      default: break
      }
      position += 1
    }
    return names
  }

  /// The place of the quotation mark that ends a text, or the end of all.
  private static func end(ofText bytes: ArraySlice<UInt8>) -> Int {
    var isEscaped = false
    for (position, byte) in zip(bytes.indices, bytes) {
      if byte == UInt8(ascii: "\""), !isEscaped { return position }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return bytes.endIndex
  }
}
