/// Finds locations inside the values of attributes, which the parser does not report.
struct AttributeLocation {
  private let text: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var column = 1

  private init(_ bytes: [UInt8]) { text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars) }

  /// The place of a scalar in an attribute's value.
  ///
  /// - Parameters:
  ///   - offset: the number of scalars before it in the parsed value.
  ///   - element: the place of the element's `<`.
  ///   - bytes: the document in UTF-8, without a byte order mark.
  /// - Returns: the place; nil if the element lacks this attribute.
  static func location(
    of offset: Int, in attribute: String, of element: SourceLocation, bytes: [UInt8]
  ) -> SourceLocation? {
    var place = AttributeLocation(bytes)
    while let scalar = place.current, place.line < element.line || place.column < element.column {
      place.step(scalar)
    }
    guard place.current == "<", place.enterValue(of: attribute) else { return nil }
    for _ in 0..<offset { place.stepValue() }
    return SourceLocation(file: element.file, line: place.line, column: place.column)
  }

  private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func step(_ scalar: Unicode.Scalar) {
    position += 1
    (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
  }

  private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
    while let scalar = current, condition(scalar) { step(scalar) }
  }

  /// Moves from a start tag's `<` to the beginning of an attribute's value.
  private mutating func enterValue(of attribute: String) -> Bool {
    skip { !$0.properties.isWhitespace && $0 != ">" }
    while true {
      skip { $0.properties.isWhitespace }
      let start = position
      skip { !$0.properties.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }
      let name = text[start..<position].split(separator: ":").last.map(Array.init) ?? []
      guard !name.isEmpty else { return false }
      skip { $0 != "\"" && $0 != "'" && $0 != ">" }
      guard let quote = current, quote != ">" else { return false }
      step(quote)
      if name == Array(attribute.unicodeScalars) { return true }
      skip { $0 != quote }
      if let end = current { step(end) }
    }
  }

  /// Passes one scalar of a value: a reference is one, and so is a line break of two characters.
  private mutating func stepValue() {
    guard let scalar = current else { return }
    step(scalar)
    if scalar == "&" {
      skip { $0 != ";" }
      if let end = current { step(end) }
    } else if scalar == "\r", current == "\n" {
      step("\n")
    }
  }
}
