import Foundation
import ModelDescription

extension ExpressionScanner {
  /// Reads a string in either quotation marks, with backslash escapes.
  mutating func string() throws(ExpressionSyntaxError) -> String {
    let start = position
    let quote = scalars[position]
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      position += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escape() : scalar)
    }
    throw ExpressionSyntaxError(reason: .unterminatedString, offset: start)
  }

  private mutating func escape() throws(ExpressionSyntaxError) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = peek() else { throw ExpressionSyntaxError(reason: .unterminatedString, offset: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "a": return "\u{7}"
    case "0": return "\0"
    case "\\", "'", "\"", "/", "?", "`": return scalar
    case "x":
      if let code = hexadecimal(2), let scalar = Unicode.Scalar(code) { return scalar }
    case "u":
      if let scalar = utf16Escape() { return scalar }
    case "U":
      if let code = hexadecimal(8), let scalar = Unicode.Scalar(code) { return scalar }
    default: break
    }
    let end = min(max(position, start + 2), scalars.count)
    let text = scalars[start..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
    throw ExpressionSyntaxError(reason: .invalidEscape(text), offset: start)
  }

  /// Reads the four digits after `\u`, and the second half of a surrogate pair.
  private mutating func utf16Escape() -> Unicode.Scalar? {
    guard let high = hexadecimal(4) else { return nil }
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), peek() == "\\", peek(1) == "u" else { return nil }
    position += 2
    guard let low = hexadecimal(4), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let scalar = peek(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Reads a number without a sign: a 64-bit integer, a longer integer as a decimal, or a floating-point number.
  mutating func number() throws(ExpressionSyntaxError) -> AttributeValue {
    let start = position
    if peek() == "0", let letter = peek(1), let radix = [Unicode.Scalar("x"): 16, "o": 8, "b": 2][letter] {
      position += 2
      let digits = word()
      guard let value = Int64(digits, radix: radix), isDigitOrLetter(digits) else { throw invalid(from: start) }
      return .integer(value)
    }
    var text = digits()
    var isInteger = true
    if peek() == ".", isDigit(peek(1)) {
      position += 1
      text += "." + digits()
      isInteger = false
    }
    if peek() == "e" || peek() == "E" {
      position += 1
      text += "e"
      if let sign = peek(), sign == "+" || sign == "-" {
        text.unicodeScalars.append(sign)
        position += 1
      }
      guard isDigit(peek()) else { throw invalid(from: start) }
      text += digits()
      isInteger = false
    }
    guard !isNameStart(peek()) else {
      _ = word()
      throw invalid(from: start)
    }
    if isInteger {
      if let value = Int64(text) { return .integer(value) }
      guard text.utf8.count <= 38, case .decimal(let value)? = try? AttributeValue.parse(text, as: .decimal) else {
        throw invalid(from: start)
      }
      return .decimal(value)
    }
    guard let value = Double(text.hasPrefix(".") ? "0" + text : text), value.isFinite else {
      throw invalid(from: start)
    }
    return .double(value)
  }

  private mutating func digits() -> String {
    var text = ""
    while let scalar = peek(), isDigit(scalar) {
      text.unicodeScalars.append(scalar)
      position += 1
    }
    return text
  }

  private mutating func word() -> String {
    var text = ""
    while let scalar = peek(), scalar.properties.isXIDContinue {
      text.unicodeScalars.append(scalar)
      position += 1
    }
    return text
  }

  private func isDigitOrLetter(_ text: String) -> Bool { text.utf8.allSatisfy { $0 != UInt8(ascii: "-") } }

  private func invalid(from start: Int) -> ExpressionSyntaxError {
    let text = scalars[start..<position].prefix(40).reduce(into: "") { $0.unicodeScalars.append($1) }
    return ExpressionSyntaxError(reason: .invalidNumber(text), offset: start)
  }
}
