/// Why bytes are no property list, one that is not safe to decode, or another than the one that is read.
public enum PropertyListError: Error, Hashable, Sendable {
  case notAPropertyList
  /// The bytes end before what they announce, or point outside themselves.
  case truncated(offset: UInt64)
  case unknownMarker(UInt8, offset: UInt64)
  case keyIsNoString
  case invalidText
  case cycle
  case tooDeep(limit: Int)
  case tooManyObjects(limit: Int)
  /// An element of the XML form that is unknown or does not hold what it must.
  case badElement(SourceLocation, String)
  indirect case badXML(ModelFileError)
  /// An archive is not in the binary form.
  case notBinary
  case noDictionary
  /// The value of a key is no string.
  case noString(key: String)
}

extension PropertyListError: CustomStringConvertible {
  /// The cause in a few words.
  public var description: String {
    switch self {
    case .notAPropertyList: "the bytes are neither a binary nor an XML property list"
    case .truncated(let offset): "it is cut off or points outside itself at byte \(offset)"
    case .unknownMarker(let marker, let offset):
      "it holds an object of the unknown kind 0x\(String(marker, radix: 16)) at byte \(offset)"
    case .keyIsNoString: "a dictionary has a key that is no string"
    case .invalidText: "it holds a string that is not valid Unicode"
    case .cycle: "an object contains itself"
    case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .tooManyObjects(let limit): "it expands to more than \(limit) objects"
    case .badElement(let location, let name): "\(location): unexpected or empty <\(name)>"
    case .badXML(let error): error.description
    case .notBinary: "it is not in the binary form"
    case .noDictionary: "it holds no dictionary"
    case .noString(let key): "\(key) is no string"
    }
  }
}
