import Foundation

/// The encoding of an XML text: by its first bytes, by its declaration, or UTF-8.
///
/// The rules are those of appendix F of the XML recommendation, for the encodings that editors write.
enum XMLEncoding {
  case utf8
  case utf16
  case utf16LittleEndian
  case utf16BigEndian
  case latin1
  case windows1252

  init(of data: Data) {
    let head = Array(data.prefix(4))
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      self = .utf16
    } else if head == [0x3C, 0x00, 0x3F, 0x00] {
      self = .utf16LittleEndian
    } else if head == [0x00, 0x3C, 0x00, 0x3F] {
      self = .utf16BigEndian
    } else {
      self = Self(declaredIn: data) ?? .utf8
    }
  }

  private init?(declaredIn data: Data) {
    let head = String(decoding: data.prefix(200), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let end = head.range(of: "?>"),
      let name = head[..<end.lowerBound].range(of: "encoding")
    else { return nil }
    let value = head[name.upperBound..<end.lowerBound].drop { $0 == "=" || $0.isWhitespace }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    switch value.dropFirst().prefix(while: { $0 != quote }).lowercased() {
    case "iso-8859-1", "iso_8859-1", "latin1", "us-ascii", "ascii": self = .latin1
    case "windows-1252", "cp1252": self = .windows1252
    default: return nil
    }
  }

  /// The name of the encoding in errors.
  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16, .utf16LittleEndian, .utf16BigEndian: "UTF-16"
    case .latin1: "ISO-8859-1"
    case .windows1252: "windows-1252"
    }
  }

  /// Reads the characters.
  ///
  /// - Parameter data: the bytes, with or without a byte order mark.
  /// - Returns: the text without a byte order mark; nil if the bytes are not in the encoding.
  func text(of data: Data) -> String? {
    guard let text = String(data: data, encoding: encoding) else { return nil }
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  private var encoding: String.Encoding {
    switch self {
    case .utf8: .utf8
    case .utf16: .utf16
    case .utf16LittleEndian: .utf16LittleEndian
    case .utf16BigEndian: .utf16BigEndian
    case .latin1: .isoLatin1
    case .windows1252: .windowsCP1252
    }
  }

  /// The location of the first byte that is not UTF-8.
  ///
  /// - Parameter data: the bytes.
  /// - Returns: the line and the column in characters, from 1.
  static func firstInvalid(in data: Data, file: String) -> SourceLocation {
    var decoder = UTF8()
    var bytes = data.makeIterator()
    var place = SourceLocation(file: file, line: 1, column: 1)
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      place =
        scalar == "\n"
        ? SourceLocation(file: file, line: place.line + 1, column: 1)
        : SourceLocation(file: file, line: place.line, column: place.column + 1)
    }
    return place
  }
}

/// Writes text so that XML takes it as it is.
package enum XMLText {
  /// The escaped value of an attribute in double quotes; a character that XML does not allow becomes U+FFFD.
  package static func attribute(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The escaped text between two tags; a character that XML does not allow becomes U+FFFD.
  package static func content(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\n", "\t", "\"": text.unicodeScalars.append(scalar)
      default: text += attribute(String(scalar))
      }
    }
    return text
  }

  /// One line of a comment, which must not contain two adjacent hyphens.
  static func comment(_ line: String) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "-" where text.hasSuffix("-"): text += " -"
      case "\n", "\r", "\t": text += " "
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
