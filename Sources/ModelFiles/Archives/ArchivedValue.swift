public import Foundation
public import ModelDescription

/// A plain value in a keyed archive, as a transformable attribute without a transformer of the app's keeps it.
///
/// ```swift
/// let tags = ArchivedValue.array([.string("red"), .integer(3)])
/// let record = ["tags": RecordValue.transformed(tags.archive)]
/// ```
///
/// Source: the classes that `NSSecureUnarchiveFromDataTransformer` allows, and Foundation's archives of them.
public indirect enum ArchivedValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data(Data)
  case uuid(UUID)
  case array([ArchivedValue])
  case dictionary([String: ArchivedValue])
  /// A member of an array or a dictionary that is `NSNull`.
  case null
}

/// The reason why an archive cannot be read as a plain value.
public enum ArchivedValueError: Error, Hashable, Sendable {
  /// The bytes are not a keyed archive.
  case noArchive(ModelFileError)
  /// The archive lacks an object of this name; nil for the root object.
  case noRoot(named: String?)
  /// An object is of a class that is not a plain value.
  case otherClass(String)
  /// Values are nested too deep, or in a circle.
  case tooDeep(limit: Int)
  /// The archive has too many values.
  case tooLarge(limit: Int)
}

extension ArchivedValueError: AdvisedError {
  /// Always nil: the archive is a value, not a file.
  public var place: String? { nil }

  /// The cause in a few words.
  public var cause: String {
    switch self {
    case .noArchive(.brokenPropertyList(_, let error)): "it is not a keyed archive: \(error)"
    case .noArchive(.brokenArchive(_, let reason)): "it is not a keyed archive: \(reason)"
    case .noArchive: "it is not a keyed archive: its objects cannot be read"
    case .noRoot(named: nil): "it is not a keyed archive: it has no root object"
    case .noRoot(named: let name?): "it is not a keyed archive: it has no object “\(name)”"
    case .otherClass(let name): "it contains an object of \(name), which only the app can read"
    case .tooDeep(let limit): "its values are nested more than \(limit) deep, or in a circle"
    case .tooLarge(let limit): "it has more than \(limit) values"
    }
  }

  /// Always nil: only the app can read other archives.
  public var advice: Advice? { nil }
}

extension ArchivedValue {
  /// Reads a keyed archive; its bytes may be hostile.
  ///
  /// - Parameter archive: the bytes of a transformable attribute.
  public init(archive: Data) throws(ArchivedValueError) {
    let root: ArchivedObject?
    do {
      root = try KeyedArchive(archive, path: "").root
    } catch {
      throw .noArchive(error)
    }
    guard let root else { throw .noRoot(named: nil) }
    var reader = ArchivedValueReader()
    self = try reader.read(root, depth: 0)
  }

  /// Reads the object that an archive was made of under a name.
  package init(root name: String, of archive: KeyedArchive) throws(ArchivedValueError) {
    guard let root = archive.number(ofRoot: name).flatMap(archive.object(numbered:)) else { throw .noRoot(named: name) }
    var reader = ArchivedValueReader()
    self = try reader.read(root, depth: 0)
  }

  /// The value as `NSKeyedArchiver` archives it with secure coding.
  public var archive: Data { ArchivedValueWriter.archive(of: self) }
}

/// Reads plain values out of an archive, whose references may lead in circles or to one object many times.
struct ArchivedValueReader {
  static let depthLimit = 64
  static let valueLimit = 1_000_000

  private var count = 0

  mutating func read(_ object: ArchivedObject, depth: Int) throws(ArchivedValueError) -> ArchivedValue {
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    count += 1
    guard count <= Self.valueLimit else { throw .tooLarge(limit: Self.valueLimit) }
    guard let name = object.classNames.first(where: Self.classes.contains) ?? object.classNames.first else {
      return try plain(object)
    }
    switch name {
    case "NSString": if let text = object["NS.string"]?.string { return .string(text) }
    case "NSDate": if let seconds = object["NS.time"]?.value.real { return .date(seconds) }
    case "NSData": if let bytes = object["NS.data"]?.value.data { return .data(bytes) }
    case "NSUUID": if let uuid = object["NS.uuidbytes"]?.value.data.flatMap(Self.uuid) { return .uuid(uuid) }
    case "NSNull": return .null
    case "NSArray":
      var members: [ArchivedValue] = []
      for element in object.elements { members.append(try read(element, depth: depth + 1)) }
      return .array(members)
    case "NSDictionary":
      var entries: [String: ArchivedValue] = [:]
      for (key, value) in object.entries { entries[key] = try read(value, depth: depth + 1) }
      guard entries.count == object.entryCount else { throw .otherClass("\(name) with keys that are no texts") }
      return .dictionary(entries)
    default: break
    }
    throw .otherClass(name)
  }

  private static let classes: Set<String> = [
    "NSString", "NSDate", "NSData", "NSUUID", "NSNull", "NSArray", "NSDictionary",
  ]

  /// An object that the archive has no class for is a value of the property list.
  private func plain(_ object: ArchivedObject) throws(ArchivedValueError) -> ArchivedValue {
    switch object.value {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .single(let number): return .double(Double(number))
    case .boolean(let flag): return .boolean(flag)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .unsigned, .uid, .array, .dictionary: throw .otherClass("no class")
    }
  }

  private static func uuid(_ bytes: Data) -> UUID? {
    guard bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
