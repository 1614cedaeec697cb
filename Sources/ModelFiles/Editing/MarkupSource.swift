import Foundation

/// A well-formed document whose pieces know their bytes, so that it is edited in place and never written anew.
struct MarkupSource {
  let bytes: [UInt8]
  let root: MarkupNode

  /// Looks through a document that a reader has accepted, which bounds its size and its depth.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8.
  ///   - path: the path that messages name.
  /// - Throws: ``ModelFileError`` for what can be read and not be edited.
  init(_ data: Data, path: String) throws(ModelFileError) {
    bytes = Array(data)
    var scanner = MarkupScanner(bytes)
    do {
      root = try scanner.document()
    } catch {
      let place = SourceLocation(file: path, line: 1, column: 1)
      throw .syntax(
        location: place,
        message: "only UTF-8 without a document type, and with fewer than 1,000 attributes an element, can be edited")
    }
  }

  /// The bytes of a range.
  subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}
