package import Foundation

/// Lays values out as the table of objects of a keyed archive.
package struct ArchivedValueWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [PropertyList: PropertyList] = [:]

  /// Starts with a table of nothing but the archive's null.
  package init() {}

  static func archive(of value: ArchivedValue) -> Data {
    var writer = ArchivedValueWriter()
    let root = writer.add(value)
    return writer.archive(of: ["root": root])
  }

  /// The bytes of an archive that is made of some of the objects, by names.
  package func archive(of roots: [String: PropertyList]) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(roots),
      "$objects": .array(objects),
    ]).binary
  }

  /// Appends an object, and gives the reference.
  package mutating func append(_ object: PropertyList) -> PropertyList {
    objects.append(object)
    return .uid(UInt64(objects.count - 1))
  }

  /// Puts an object in the place of one that was appended, which may refer to those that came after it.
  package mutating func replace(_ reference: PropertyList, with object: PropertyList) {
    guard let number = reference.uid, number < UInt64(objects.count) else { return }
    objects[Int(number)] = object
  }

  /// The reference to the description of a class; each is in the table once.
  package mutating func reference(toClass description: PropertyList) -> PropertyList {
    if let reference = classes[description] { return reference }
    let reference = append(description)
    classes[description] = reference
    return reference
  }

  /// Appends an object with those that it refers to, and gives the reference.
  package mutating func add(_ value: ArchivedValue) -> PropertyList {
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
    object(of: [name, "NSObject"], fields)
  }

  /// An object of a class, which comes before those it inherits from; it is not yet appended.
  package mutating func object(of classes: [String], _ fields: [String: PropertyList]) -> PropertyList {
    let names = classes.map { PropertyList.string($0) }
    let description = PropertyList.dictionary(["$classname": .string(classes.first ?? ""), "$classes": .array(names)])
    return .dictionary(fields.merging(["$class": reference(toClass: description)]) { $1 })
  }
}
