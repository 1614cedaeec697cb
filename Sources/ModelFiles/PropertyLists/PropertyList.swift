public import Foundation
public import ModelDescription

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

  /// The text of a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

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
  public var data: Data? { if case .data(let bytes) = self { bytes } else { nil } }

  /// The number of a reference.
  public var uid: UInt64? { if case .uid(let number) = self { number } else { nil } }

  /// The elements of an array.
  public var array: [PropertyList]? { if case .array(let elements) = self { elements } else { nil } }

  /// The entries of a dictionary.
  public var dictionary: [String: PropertyList]? { if case .dictionary(let entries) = self { entries } else { nil } }
}

extension PropertyList {
  /// Decodes a property list in the binary or the XML form.
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

/// The reason why bytes cannot be read as the expected property list.
public enum PropertyListError: Error, Hashable, Sendable {
  /// The bytes are neither a binary nor an XML property list.
  case notAPropertyList
  /// The bytes end too early, or point outside themselves.
  case truncated(offset: UInt64)
  /// The marker of an object is unknown.
  case unknownMarker(UInt8, offset: UInt64)
  /// A key of a dictionary is not a string.
  case keyIsNoString
  /// A string is not valid Unicode.
  case invalidText
  /// An object contains itself.
  case cycle
  /// Objects are nested too deep.
  case tooDeep(limit: Int)
  /// The list expands to too many objects.
  case tooManyObjects(limit: Int)
  /// An element of the XML format is unknown or has the wrong content.
  case badElement(SourceLocation, String)
  /// The XML is not well-formed.
  indirect case badXML(ModelFileError)
  /// An archive is not in the binary format.
  case notBinary
  /// The root is not a dictionary.
  case noDictionary
  /// The value of a key is not a string.
  case noString(key: String)
}

extension PropertyListError: AdvisedError {
  /// The location in an XML property list; nil for the other errors.
  public var place: String? {
    switch self {
    case .badElement(let location, _): location.description
    case .badXML(let error): error.place
    default: nil
    }
  }

  /// The cause in a few words.
  public var cause: String {
    switch self {
    case .notAPropertyList: "the bytes are neither a binary nor an XML property list"
    case .truncated(let offset): "it is cut off or points outside itself at byte \(offset)"
    case .unknownMarker(let marker, let offset):
      "it contains an object of the unknown kind 0x\(String(marker, radix: 16)) at byte \(offset)"
    case .keyIsNoString: "a key of a dictionary is not a string"
    case .invalidText: "it contains a string that is not valid Unicode"
    case .cycle: "an object contains itself"
    case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .tooManyObjects(let limit): "it expands to more than \(limit) objects"
    case .badElement(_, let name): "unexpected or empty <\(name)>"
    case .badXML(let error): error.cause
    case .notBinary: "it is not in the binary format"
    case .noDictionary: "it is not a dictionary"
    case .noString(let key): "\(key) is not a string"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    guard case .badXML(let error) = self else { return nil }
    return error.advice
  }
}

/// Decodes property lists in the XML form.
enum XMLPropertyListReader {
  static func read(_ data: Data, path: String) throws(PropertyListError) -> PropertyList {
    let root: MarkupElement
    do {
      root = try MarkupReader.read(data, path: path)
    } catch {
      throw .badXML(error)
    }
    return try read(root)
  }

  static func read(_ root: MarkupElement) throws(PropertyListError) -> PropertyList {
    guard root.name == "plist", root.children.count == 1, let value = root.children.first else {
      throw .badElement(root.location, root.name)
    }
    return try decode(value)
  }

  private static func decode(_ element: MarkupElement) throws(PropertyListError) -> PropertyList {
    switch element.name {
    case "dict": return reference(try entries(element))
    case "array":
      var elements: [PropertyList] = []
      for child in element.children { elements.append(try decode(child)) }
      return .array(elements)
    case "string": return .string(element.text)
    default: break
    }
    guard let leaf = leaf(element) else { throw .badElement(element.location, element.name) }
    return leaf
  }

  /// The XML form writes a reference of a keyed archive as a dictionary of one entry.
  private static func reference(_ entries: [String: PropertyList]) -> PropertyList {
    guard entries.count == 1, let number = entries["CF$UID"]?.integer, number >= 0 else { return .dictionary(entries) }
    return .uid(UInt64(number))
  }

  private static func leaf(_ element: MarkupElement) -> PropertyList? {
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element.name {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "integer": return integer(text)
    case "real": return Double(text).map { .real($0) }
    case "date": return date(text)
    case "data":
      return (Base64.decoded(text) ?? Data(base64Encoded: text, options: .ignoreUnknownCharacters)).map { .data($0) }
    default: return nil
    }
  }

  private static func integer(_ text: String) -> PropertyList? {
    if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16).map { .integer($0) } }
    return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
  }

  private static func date(_ text: String) -> PropertyList? {
    (try? Date(text, strategy: .iso8601)).map { .date($0.timeIntervalSinceReferenceDate) }
  }

  private static func entries(_ element: MarkupElement) throws(PropertyListError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    var key: String?
    for child in element.children {
      if let name = key {
        guard child.name != "key" else { throw .badElement(child.location, child.name) }
        entries[name] = try decode(child)
        key = nil
      } else {
        guard child.name == "key" else { throw .badElement(child.location, child.name) }
        key = child.text
      }
    }
    if key != nil { throw .badElement(element.location, element.name) }
    return entries
  }
}
