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
  ///   - encoding: the encoding of the bytes, where the declaration does not say it.
  /// - Throws: ``ModelFileError`` for what can be read and not be edited.
  init(_ data: Data, path: String, encoding: XMLEncoding? = nil) throws(ModelFileError) {
    bytes = Array(data)
    let encoding = encoding ?? XMLEncoding(of: data)
    guard encoding == .utf8 else { throw .notUTF8(path: path, encoding: encoding.name) }
    var scanner = MarkupScanner(bytes)
    do {
      root = try scanner.document()
    } catch {
      throw .notEditable(path: path)
    }
  }

  /// The bytes of a range.
  subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}
