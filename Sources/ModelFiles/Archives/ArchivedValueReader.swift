import Foundation

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
