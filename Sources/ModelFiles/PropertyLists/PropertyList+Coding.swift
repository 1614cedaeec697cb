public import Foundation

extension PropertyList {
  /// Decodes a property list in the binary or the XML form.
  ///
  /// - Parameters:
  ///   - data: the bytes; they may be hostile.
  ///   - path: the path that errors in XML name.
  /// - Throws: ``PropertyListError``.
  public init(decoding data: Data, path: String = "property list") throws(PropertyListError) {
    if data.starts(with: Data("bplist".utf8)) {
      self = try BinaryPropertyListReader.read(data)
    } else if data.contains(UInt8(ascii: "<")) {
      self = try XMLPropertyListReader.read(data, path: path)
    } else {
      throw .notAPropertyList
    }
  }

  /// The list in the binary form; equal lists give equal bytes.
  public var binary: Data { BinaryPropertyListWriter.write(self) }
}
