import Foundation
package import ModelDescription

/// Lays values out as the table of objects of a keyed archive.
package struct ArchivedValueWriter {
  private var table = ArchivedTable()
  private var descriptions: [PropertyList: PropertyList] = [:]
  /// The references to the descriptions of classes, by the names of the class and of those that it inherits from.
  private var classes: [[String]: PropertyList] = [:]

  /// Starts with a table that contains only the archive's null.
  package init() {}

  static func archive(of value: ArchivedValue) -> Data {
    var writer = ArchivedValueWriter()
    let root = writer.add(value)
    return Data(writer.archive(of: ["root": root]))
  }

  /// The bytes of an archive that is made of some of the objects, by names.
  package func archive(of roots: [String: PropertyList]) -> [UInt8] {
    BinaryPropertyListWriter.write(table, roots: roots)
  }

  package mutating func append(_ object: PropertyList) -> PropertyList { .uid(UInt64(table.append(object))) }

  /// Puts an object in the place of one that was appended, which may refer to those that came after it.
  package mutating func replace(_ reference: PropertyList, with object: PropertyList) {
    guard let number = reference.uid.flatMap(Int.init(exactly:)) else { return }
    table.replace(number, with: object)
  }

  /// The reference to the description of a class; each is in the table once.
  package mutating func reference(toClass description: PropertyList) -> PropertyList {
    if let reference = descriptions[description] { return reference }
    let reference = append(description)
    descriptions[description] = reference
    return reference
  }

  /// Appends an object with those that it refers to, and gives the reference.
  package mutating func add(_ value: ArchivedValue) -> PropertyList {
    let reference = append(.string("$null"))
    replace(reference, with: object(value))
    return reference
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
    case .array(let members): return of("NSArray", ["NS.objects": .array(members.map { add($0) })])
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

  /// An object of a class, which precedes its superclasses; the object is not appended yet.
  package mutating func object(of classes: [String], _ fields: [String: PropertyList]) -> PropertyList {
    var fields = fields
    fields["$class"] = reference(toClass: classes)
    return .dictionary(fields)
  }

  private mutating func reference(toClass names: [String]) -> PropertyList {
    if let reference = classes[names] { return reference }
    let reference = reference(
      toClass: .dictionary([
        "$classname": .string(names.first ?? ""), "$classes": .array(names.map { .string($0) }),
      ]))
    classes[names] = reference
    return reference
  }

  /// Appends the value of an attribute, and gives the reference.
  package mutating func add(constant value: AttributeValue) -> PropertyList {
    switch value {
    case .integer(let number): add(.integer(number))
    case .double(let number): add(.double(number))
    case .string(let text): add(.string(text))
    case .boolean(let flag): add(.boolean(flag))
    case .date(let seconds): add(.date(seconds))
    case .binary(let bytes): add(.data(bytes))
    case .uuid(let uuid): add(.uuid(uuid))
    case .decimal(let number):
      append(object(of: ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"], Self.fields(of: number)))
    case .uri(let text):
      append(object(of: ["NSURL", "NSObject"], ["NS.base": .uid(0), "NS.relative": add(.string(text))]))
    }
  }

  /// The fields of a decimal number: a whole number of 128 bits, least parts first, and a power of ten.
  private static func fields(of number: Decimal) -> [String: PropertyList] {
    var parts = [UInt32](repeating: 0, count: 8)
    for digit in "\(number.significand)".utf8 where !number.isNaN && (0x30...0x39).contains(digit) {
      var carry = UInt32(digit - 0x30)
      for position in parts.indices {
        let part = parts[position] * 10 + carry
        (parts[position], carry) = (part & 0xFFFF, part >> 16)
      }
    }
    let mantissa = Data(parts.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    let length = (parts.lastIndex { $0 != 0 }).map { $0 + 1 } ?? 0
    return [
      "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(1),
      "NS.exponent": .integer(number.isNaN ? 0 : Int64(number.exponent)),
      "NS.negative": .boolean(number.isNaN || number.isSignMinus), "NS.length": .integer(Int64(length)),
      "NS.compact": .boolean(true),
    ]
  }
}
