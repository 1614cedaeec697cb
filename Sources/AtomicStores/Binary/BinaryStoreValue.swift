import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreRows

/// The values of attributes as a binary store archives them.
enum BinaryStoreValue {
  /// Reads a value.
  ///
  /// - Returns: the value; nil if it is not valid for the attribute's type.
  static func value(
    _ number: UInt64, of attribute: AttributeDescription, in archive: KeyedArchive, depth: Int = 0
  ) -> RecordValue? {
    guard depth < 32, let object = archive.object(numbered: number) else { return nil }
    if object.isKind(of: "NSNull") { return .null }
    switch attribute.type {
    case .composite: return composite(object, attribute, archive, depth: depth)
    case .transformable:
      if let bytes = data(object) { return .transformed(bytes) }
      // The value itself is archived, not the output of a transformer.
      return ArchivedGraph.bytes(of: number, in: archive).map { .transformed($0) }
    case .undefined, .objectID, .unrecognized:
      guard let type = type(of: object) else {
        return ArchivedGraph.bytes(of: number, in: archive).map { .transformed($0) }
      }
      return ArchivedAttributeValue.value(object, as: type).map { .attribute($0) }
    case .decimal
    where object.isKind(of: "NSDecimalNumber") && object["NS.length"]?.leaf?.integer == 0
      && object.flag("NS.negative"):
      return .attribute(.decimal(.nan))
    default:
      guard let value = ArchivedAttributeValue.value(object, as: attribute.type), value.suits(attribute.type) else {
        return nil
      }
      return .attribute(value)
    }
  }

  private static func data(_ object: ArchivedObject) -> Data? { object.leaf?.data ?? object["NS.data"]?.leaf?.data }

  private static func composite(
    _ object: ArchivedObject, _ attribute: AttributeDescription, _ archive: KeyedArchive, depth: Int
  ) -> RecordValue? {
    guard object.isKind(of: "NSDictionary"), let keys = object.numbers(in: "NS.keys"),
      let values = object.numbers(in: "NS.objects"), keys.count == values.count
    else { return nil }
    var elements: [String: RecordValue] = [:]
    for (key, value) in zip(keys, values) {
      guard let name = archive.object(numbered: key)?.string,
        let element = attribute.elements.first(where: { $0.name == name }),
        let found = self.value(value, of: element, in: archive, depth: depth + 1)
      else { return nil }
      if found != .null { elements[name] = found }
    }
    return .composite(elements)
  }

  /// The type of an archived value; nil for a class that no attribute has.
  static func type(of object: ArchivedObject) -> AttributeType? {
    switch object.value {
    case .string: return .string
    case .integer: return .integer64
    case .real: return .double
    case .single: return .float
    case .boolean: return .boolean
    case .date: return .date
    case .data: return .binary
    case .unsigned, .uid, .array: return nil
    case .dictionary: break
    }
    let types: [(String, AttributeType)] = [
      ("NSString", .string), ("NSDate", .date), ("NSData", .binary), ("NSUUID", .uuid), ("NSURL", .uri),
      ("NSDecimalNumber", .decimal),
    ]
    return types.first { object.isKind(of: $0.0) }?.1
  }

  /// Appends a value to an archive.
  ///
  /// - Returns: the reference; nil for a value that is not of the attribute's type.
  static func add(
    _ value: RecordValue, of attribute: AttributeDescription, to writer: inout ArchivedValueWriter
  ) -> PropertyList? {
    switch value {
    case .null: return writer.append(writer.object(of: ["NSNull", "NSObject"], [:]))
    case .transformed(let bytes): return ArchivedGraph.add(bytes, to: &writer) ?? writer.add(.data(bytes))
    case .composite(let values):
      guard attribute.type == .composite else { return nil }
      var (keys, elements): ([PropertyList], [PropertyList]) = ([], [])
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let element = attribute.elements.first(where: { $0.name == name }),
          let reference = add(value, of: element, to: &writer)
        else { return nil }
        keys.append(writer.add(.string(name)))
        elements.append(reference)
      }
      return writer.append(
        writer.object(of: ["NSDictionary", "NSObject"], ["NS.keys": .array(keys), "NS.objects": .array(elements)]))
    case .attribute(let value):
      // A type that has no values of its own takes those of all others.
      let type = XMLStoreValue.name(of: attribute.type) == nil ? value.attributeType : attribute.type
      return add(value, type: type, to: &writer)
    case .external, .object, .objects: return nil
    }
  }

  private static func add(
    _ value: AttributeValue, type: AttributeType, to writer: inout ArchivedValueWriter
  ) -> PropertyList? {
    switch (type, value) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      value.suits(type) ? writer.add(constant: value) : nil
    case (.float, .double(let number)) where Double(Float(number)) == number: writer.append(.single(Float(number)))
    case (.float, .double), (.double, .double), (.decimal, .decimal), (.string, .string), (.boolean, .boolean),
      (.date, .date), (.binary, .binary), (.uuid, .uuid), (.uri, .uri):
      writer.add(constant: value)
    default: nil
    }
  }
}

/// An object of an archive with the objects that it refers to, as a separate archive.
///
/// A binary store's transformable values are stored in this form.
enum ArchivedGraph {
  private static let depthLimit = 256
  private static let objectLimit = 1_000_000

  /// Extracts an object from an archive.
  ///
  /// - Returns: a complete archive; nil if the object's references are too deep or too many.
  static func bytes(of number: UInt64, in archive: KeyedArchive) -> Data? {
    var copy = Copy(source: archive, writer: ArchivedValueWriter())
    guard let root = copy.add(number, depth: 0) else { return nil }
    return Data(copy.writer.archive(of: ["root": root]))
  }

  /// Adds the object of a complete archive to a different archive.
  ///
  /// - Returns: the reference; nil for bytes that are not an archive, or that would not be extracted unchanged.
  static func add(_ bytes: Data, to writer: inout ArchivedValueWriter) -> PropertyList? {
    guard bytes.starts(with: Data("bplist00".utf8)), let archive = try? KeyedArchive(bytes, path: ""),
      let number = archive.number(ofRoot: "root"), self.bytes(of: number, in: archive) == bytes,
      // A value that is read as bytes or as null must not represent a graph.
      let root = archive.object(numbered: number), !root.isKind(of: "NSNull"), root.value.data == nil,
      !root.isKind(of: "NSData")
    else { return nil }
    var copy = Copy(source: archive, writer: ArchivedValueWriter())
    // A second reference to the written values would copy them for each object.
    swap(&copy.writer, &writer)
    defer { swap(&copy.writer, &writer) }
    return copy.add(number, depth: 0)
  }

  /// Copies objects one at a time, each before the objects that it refers to, and its class after them.
  private struct Copy {
    let source: KeyedArchive
    var writer: ArchivedValueWriter
    private var references: [UInt64: PropertyList] = [:]

    init(source: KeyedArchive, writer: ArchivedValueWriter) { (self.source, self.writer) = (source, writer) }

    mutating func add(_ number: UInt64, depth: Int) -> PropertyList? {
      if let reference = references[number] { return reference }
      guard depth < ArchivedGraph.depthLimit, references.count < ArchivedGraph.objectLimit else { return nil }
      // A number that no object has is the archive's null, which is object 0 everywhere.
      guard let object = source.object(numbered: number)?.value else { return .uid(0) }
      if let fields = object.dictionary, fields["$classname"] != nil {
        let reference = writer.reference(toClass: object)
        references[number] = reference
        return reference
      }
      let reference = writer.append(.string("$null"))
      references[number] = reference
      guard let copy = copy(object, depth: depth) else { return nil }
      writer.replace(reference, with: copy)
      return reference
    }

    private mutating func copy(_ list: PropertyList, depth: Int) -> PropertyList? {
      guard depth < ArchivedGraph.depthLimit else { return nil }
      switch list {
      case .uid(let number): return add(number, depth: depth + 1)
      case .array(let elements):
        var copies: [PropertyList] = []
        for element in elements {
          guard let copy = copy(element, depth: depth + 1) else { return nil }
          copies.append(copy)
        }
        return .array(copies)
      case .dictionary(let entries):
        var copies: [String: PropertyList] = [:]
        let keys = entries.keys.filter { $0 != "$class" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for key in keys + (entries["$class"] == nil ? [] : ["$class"]) {
          guard let value = entries[key], let copy = copy(value, depth: depth + 1) else { return nil }
          copies[key] = copy
        }
        return .dictionary(copies)
      default: return list
      }
    }
  }
}
