import Foundation

/// A well-formed document whose pieces know their bytes, so that it is edited in place and never written anew.
struct MarkupSource {
  let bytes: [UInt8]
  let root: MarkupNode

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8.
  ///   - path: the path that messages name.
  /// - Throws: ``ModelFileError`` as ``MarkupReader`` does, which bounds size and depth.
  init(_ data: Data, path: String) throws(ModelFileError) {
    _ = try MarkupReader.read(data, path: path)
    bytes = Array(data)
    var scanner = MarkupScanner(bytes)
    do {
      root = try scanner.document()
    } catch {
      let place = SourceLocation(file: path, line: 1, column: 1)
      throw .syntax(location: place, message: "only plain UTF-8 without a document type can be edited")
    }
  }

  /// The bytes of a range.
  subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// The line of an offset, counted from 1.
  func line(at offset: Int) -> Int { bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }
}
