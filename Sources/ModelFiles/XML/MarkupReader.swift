import CLibXML2
package import Foundation

/// Reads XML text into a tree, through libxml2: nothing is loaded from elsewhere and no entity is expanded.
package enum MarkupReader {
  /// The deepest nesting of elements that is read.
  static let depthLimit = 100
  /// The most elements that are read.
  package static let elementLimit = 100_000

  /// The library wants to be set up once, before threads use it.
  static let isReady: Void = xmlInitParser()

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8, UTF-16, ISO-8859-1 or windows-1252, as ``XMLEncoding`` finds it.
  ///   - path: the path that locations name.
  ///   - byteLimit: the most bytes.
  ///   - elementLimit: the most elements.
  /// - Returns: the root element.
  /// - Throws: ``ModelFileError`` with line and column where there is one.
  package static func read(
    _ data: Data, path: String, byteLimit: Int = FileBytes.limit, elementLimit: Int = elementLimit
  ) throws(ModelFileError) -> MarkupElement {
    guard !data.isEmpty else { throw .empty(path: path) }
    guard data.count <= byteLimit else {
      throw .tooLarge(path: path, what: "its size in bytes", limit: byteLimit)
    }
    guard !data.starts(with: Data("bplist".utf8)) else { throw .propertyListInsteadOfXML(path: path) }
    _ = isReady
    let bytes = try utf8(data, path: path)
    let session = MarkupSession(bytes, path: path, elementLimit: elementLimit)
    session.run(bytes)
    if let failure = session.failure {
      if case .syntax = failure, let marker = session.cursor.conflictMarker {
        throw .conflictMarkers(location: marker)
      }
      throw failure
    }
    guard let root = session.root else {
      throw .syntax(location: SourceLocation(file: path, line: 1, column: 1), message: "there is no element")
    }
    return root
  }

  /// The text in UTF-8 without a byte order mark.
  static func utf8(_ data: Data, path: String) throws(ModelFileError) -> [UInt8] {
    let encoding = XMLEncoding(of: data)
    guard let body = encoding.text(of: data) else {
      let place =
        encoding == .utf8
        ? XMLEncoding.firstInvalid(in: data, file: path) : SourceLocation(file: path, line: 1, column: 1)
      throw .syntax(location: place, message: "the text is not \(encoding.name)")
    }
    guard !body.isEmpty else { throw .empty(path: path) }
    return Array(body.utf8)
  }
}
