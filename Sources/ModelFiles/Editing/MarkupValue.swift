/// The value of an attribute as XML readers see it.
enum MarkupValue {
  /// References replaced, white space turned into spaces.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let raw = String(decoding: bytes, as: UTF8.self)
    guard raw.unicodeScalars.contains(where: { $0 == "&" || $0.value < 0x20 }) else { return raw }
    var text = ""
    var rest = Substring(raw).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "&", let end = rest.firstIndex(of: ";"), let meant = Self.scalar(String(rest[..<end])) {
        text.unicodeScalars.append(meant)
        rest = rest[rest.index(after: end)...]
      } else if scalar == "\r", rest.first == "\n" {
        continue
      } else {
        text.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
      }
    }
    return text
  }

  private static func scalar(_ reference: String) -> Unicode.Scalar? {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    if reference.hasPrefix("#x") { return UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
    return reference.hasPrefix("#") ? UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init) : nil
  }
}
