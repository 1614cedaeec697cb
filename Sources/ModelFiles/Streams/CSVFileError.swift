/// What is wrong with a table, with its place.
public struct CSVFileError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Finding: Hashable, Sendable {
    /// The file is empty.
    case noHeader
    /// A row has another number of fields than the header.
    case fields(Int, header: Int)
    /// Nothing closes a quote.
    case openQuote
    /// A quote stands in a field that does not begin with one, or something follows the one that closes a field.
    case strayQuote
    /// The bytes are no UTF-8.
    case encoding
    /// A row is larger than any that is read.
    case oversized(limit: Int)
  }

  /// What is wrong.
  public let finding: Finding
  /// Where.
  public let location: SourceLocation

  init(_ finding: Finding, at location: SourceLocation) { (self.finding, self.location) = (finding, location) }
}

extension CSVFileError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String { "\(location): \(words)" }

  private var words: String {
    switch finding {
    case .noHeader: "the file is empty; its first line must name the columns"
    case .fields(let count, let header):
      "the row has \(count) \(count == 1 ? "field" : "fields"), and the header \(header); quote fields that hold the delimiter or a line's end"
    case .openQuote: "nothing closes the quote that opens here; write a quote inside a field as \"\""
    case .strayQuote: "a quote stands in the middle of a field; put the field in quotes, and write its own as \"\""
    case .encoding: "the text is not UTF-8"
    case .oversized(let limit): "the row has more than \(limit) bytes"
    }
  }
}
