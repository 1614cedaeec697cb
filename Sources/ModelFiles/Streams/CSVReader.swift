public import ModelDescription

/// Reads a table of RFC 4180 row by row; the header shows whether commas, semicolons or tabs separate the fields.
package struct CSVReader {
  /// A field of a row.
  package struct Field: Hashable, Sendable {
    package let text: String
    /// True for a field in quotes: an empty field in quotes is an empty text, without quotes it is a missing value.
    package let isQuoted: Bool
    package let location: SourceLocation
  }

  /// The most bytes that one row may have.
  private static let rowSize = 1 << 28
  private static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]

  /// The fields of the first row.
  package private(set) var header: [Field] = []
  private let bytes: ByteStream
  private var delimiter = UInt8(ascii: ",")

  /// Opens a file and reads its header.
  package init(_ path: String) throws {
    bytes = try ByteStream(path)
    guard try bytes.peek() != nil else { throw CSVFileError(.noHeader, at: bytes.location) }
    header = try row(isHeader: true)
  }

  /// The fields of the next row, as many as the header has; nil after the last.
  package mutating func next() throws -> [Field]? {
    while try bytes.peek() != nil {
      let location = bytes.location
      let fields = try row(isHeader: false)
      // A line without anything is no row.
      if fields.count == 1, header.count > 1, fields[0].text.isEmpty, !fields[0].isQuoted { continue }
      guard fields.count == header.count else {
        throw CSVFileError(.fields(fields.count, header: header.count), at: location)
      }
      return fields
    }
    return nil
  }

  private mutating func row(isHeader: Bool) throws -> [Field] {
    var isOpen = isHeader
    var fields: [Field] = []
    var size = 0
    while true {
      let location = bytes.location
      var text: [UInt8] = []
      let isQuoted = try bytes.peek() == UInt8(ascii: "\"")
      if isQuoted { text = try quoted(location) }
      while let byte = try bytes.peek(), byte != 0x0A {
        if isOpen, Self.delimiters.contains(byte) { (delimiter, isOpen) = (byte, false) }
        if byte == delimiter { break }
        if isQuoted || byte == UInt8(ascii: "\"") {
          // A carriage return before the line's end belongs to the end.
          if isQuoted, byte == 0x0D, try isEnd() { break }
          throw CSVFileError(.strayQuote, at: bytes.location)
        }
        text.append(byte)
        bytes.skip()
        size += 1
        guard size <= Self.rowSize else { throw CSVFileError(.oversized(limit: Self.rowSize), at: location) }
      }
      let next = try bytes.peek()
      if !isQuoted, next != delimiter, text.last == 0x0D { text.removeLast() }
      guard let string = String(validating: text, as: UTF8.self) else { throw CSVFileError(.encoding, at: location) }
      fields.append(Field(text: string, isQuoted: isQuoted, location: location))
      bytes.skip()
      if next != delimiter { return fields }
      // A delimiter at the end of the file is followed by an empty field.
    }
  }

  /// Passes a carriage return; true when the line ends behind it.
  private func isEnd() throws -> Bool {
    bytes.skip()
    let next = try bytes.peek()
    return next == nil || next == 0x0A
  }

  private func quoted(_ location: SourceLocation) throws -> [UInt8] {
    bytes.skip()
    var text: [UInt8] = []
    while let byte = try bytes.peek() {
      bytes.skip()
      if byte == UInt8(ascii: "\"") {
        guard try bytes.peek() == byte else { return text }
        bytes.skip()
      }
      text.append(byte)
      guard text.count <= Self.rowSize else { throw CSVFileError(.oversized(limit: Self.rowSize), at: location) }
    }
    throw CSVFileError(.openQuote, at: location)
  }
}

/// An error in a table, with its location.
public struct CSVFileError: Error, Hashable, Sendable {
  /// The kind of the error.
  public enum Finding: Hashable, Sendable {
    /// The file is empty.
    case noHeader
    /// A row has another number of fields than the header.
    case fields(Int, header: Int)
    /// A quoted field has no closing quote.
    case openQuote
    /// A quote is inside an unquoted field, or text follows a closing quote.
    case strayQuote
    /// The bytes are not UTF-8.
    case encoding
    /// A row exceeds the limit.
    case oversized(limit: Int)
  }

  /// The kind of the error.
  public let finding: Finding
  /// The location in the file.
  public let location: SourceLocation

  init(_ finding: Finding, at location: SourceLocation) { (self.finding, self.location) = (finding, location) }
}

extension CSVFileError: AdvisedError {
  /// The location in the file.
  public var place: String? { location.description }

  /// The cause as a sentence.
  public var cause: String {
    switch finding {
    case .noHeader: "the file is empty"
    case .fields(let count, let header):
      "the row has \(count) \(count == 1 ? "field" : "fields"), and the header \(header)"
    case .openQuote: "the quote that opens here is not closed"
    case .strayQuote: "a quote is in the middle of a field"
    case .encoding: "the text is not UTF-8"
    case .oversized(let limit): "the row has more than \(limit) bytes"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    switch finding {
    case .noHeader: "name the columns in the first line"
    case .fields: "quote fields that contain the delimiter or a line break"
    case .openQuote: "write a quote inside a field as \"\""
    case .strayQuote: "put the field in quotes, and write a quote inside it as \"\""
    case .encoding, .oversized: nil
    }
  }
}
