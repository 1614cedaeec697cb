public import Foundation

/// A property list with the exact types that the binary form keeps apart.
public enum PropertyList: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  /// A whole number beyond the greatest `Int64`.
  case unsigned(UInt64)
  case real(Double)
  /// A real number of 32 bits.
  case single(Float)
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data(Data)
  /// A reference inside a keyed archive.
  case uid(UInt64)
  case array([PropertyList])
  case dictionary([String: PropertyList])
}

extension PropertyList {
  /// The text of a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of an integer, or of a boolean as archives write it.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }

  /// The number of a real or an integer.
  public var real: Double? {
    switch self {
    case .real(let number): number
    case .single(let number): Double(number)
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The truth of a boolean, or of an integer as archives write it.
  public var boolean: Bool? { integer.map { $0 != 0 } }

  /// The bytes of a data value.
  public var data: Data? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The number of a reference.
  public var uid: UInt64? {
    if case .uid(let number) = self { number } else { nil }
  }

  /// The elements of an array.
  public var array: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The entries of a dictionary.
  public var dictionary: [String: PropertyList]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }
}

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

  /// Decodes the `plist` element of a document in XML.
  package init(decoding element: MarkupElement) throws(PropertyListError) {
    self = try XMLPropertyListReader.read(element)
  }

  /// The list in the binary form; equal lists give equal bytes.
  public var binary: Data { Data(BinaryPropertyListWriter.write(self)) }
}
