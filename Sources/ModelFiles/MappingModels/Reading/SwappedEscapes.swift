/// The escapes of Core Data's XML stores: `\uXXXX` is a UTF-16 unit whose two bytes are swapped, so `\u3c00` is `<`.
enum SwappedEscapes {
  /// The text without escapes, nil when they form no valid text.
  static func decoded(_ text: String) -> String? {
    guard text.contains("\\u") else { return text }
    var units: [UInt16] = []
    var rest = Substring(text).utf16
    while let unit = rest.first {
      if unit == 0x5C, let escaped = escapedUnit(rest) {
        units.append(escaped)
        rest = rest.dropFirst(6)
      } else {
        units.append(unit)
        rest = rest.dropFirst()
      }
    }
    let decoded = String(decoding: units, as: UTF16.self)
    return decoded.utf16.elementsEqual(units) ? decoded : nil
  }

  private static func escapedUnit(_ rest: Substring.UTF16View) -> UInt16? {
    let escape = Array(rest.prefix(6))
    guard escape.count == 6, escape[1] == 0x75 else { return nil }
    let digits = String(decoding: escape[2...], as: UTF16.self)
    guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else { return nil }
    return unit.byteSwapped
  }
}
