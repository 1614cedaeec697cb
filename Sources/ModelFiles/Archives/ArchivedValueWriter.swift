import Foundation

/// Lays a plain value out as the table of objects of a keyed archive.
struct ArchivedValueWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: UInt64] = [:]

  static func archive(of value: ArchivedValue) -> Data {
    var writer = ArchivedValueWriter()
    let root = writer.add(value)
    return PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(["root": root]),
      "$objects": .array(writer.objects),
    ]).binary
  }

  /// Appends an object with those that it refers to, and gives the reference.
  private mutating func add(_ value: ArchivedValue) -> PropertyList {
    let position = objects.count
    objects.append(.string("$null"))
    objects[position] = object(value)
    return .uid(UInt64(position))
  }

  private mutating func object(_ value: ArchivedValue) -> PropertyList {
    switch value {
    // As an object of its own it would be the archive's null.
    case .string("$null"): return of("NSString", ["NS.string": .string("$null")])
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .double(let number): return .real(number)
    case .boolean(let flag): return .boolean(flag)
    case .data(let bytes): return .data(bytes)
    case .date(let seconds): return of("NSDate", ["NS.time": .real(seconds)])
    case .uuid(let uuid): return of("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    case .null: return of("NSNull", [:])
    case .array(let members):
      return of("NSArray", ["NS.objects": .array(members.map { add($0) })])
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key < $1.key }
      return of(
        "NSDictionary",
        [
          "NS.keys": .array(sorted.map { add(.string($0.key)) }), "NS.objects": .array(sorted.map { add($0.value) }),
        ])
    }
  }

  private mutating func of(_ name: String, _ fields: [String: PropertyList]) -> PropertyList {
    let reference = classes[name] ?? UInt64(objects.count)
    if classes.updateValue(reference, forKey: name) == nil {
      let names = [name, "NSObject"].map { PropertyList.string($0) }
      objects.append(.dictionary(["$classname": .string(name), "$classes": .array(names)]))
    }
    return .dictionary(fields.merging(["$class": .uid(reference)]) { $1 })
  }
}
