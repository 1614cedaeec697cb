import AtomicStores
import Foundation
import ModelDescription
import PersistentStores
import StoreRows

/// Dumps objects as comma-separated values, a file for each entity.
struct CSVDump {
  private let part: DumpedPart
  private let reading: RecordReading

  init(_ part: DumpedPart, _ reading: RecordReading) { (self.part, self.reading) = (part, reading) }

  func write(_ begin: (String) throws -> DumpStream) throws -> StoreDump.Outcome {
    var outcome = StoreDump.Outcome()
    let references = DumpedReferences(in: reading) { "\($0):" }
    for entity in part.entities {
      guard !entity.name.hasPrefix("."), !entity.name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
      else { throw DumpError.unusableName(entity: entity.name) }
      var stream = try begin("\(entity.name).csv")
      let objects = try CSVObjects(of: entity, part, references, in: reading)
      let count = try objects.write(to: &stream, counting: &outcome)
      outcome.objects[entity.name] = count
      try stream.flush()
    }
    return outcome
  }
}

/// Writes objects of an entity as comma-separated values (RFC 4180), each on a line.
struct CSVObjects {
  private let objects: DumpedObjects
  private let part: DumpedPart
  private let references: DumpedReferences
  private let fields: [Field]
  private let header: String

  private struct Field {
    let path: String
    let content: DumpedProperty.Content

    /// The fields of a property: one field per element of a composite attribute.
    static func fields(of property: DumpedProperty, _ prefix: String = "") -> [Field] {
      let path = prefix + property.name
      guard case .composite(let elements) = property.content else {
        return [Field(path: path, content: property.content)]
      }
      return elements.flatMap { fields(of: $0, "\(path).") }
    }

    var isAttribute: Bool { if case .value = content { true } else { false } }
  }

  init(
    of entity: EntityDescription, _ part: DumpedPart, _ references: DumpedReferences, in reading: RecordReading
  ) throws {
    objects = try DumpedObjects(of: entity, part, in: reading) { Self.isListed($0, in: reading.hierarchy) }
    (self.part, self.references) = (part, references)
    let all = objects.properties.flatMap { Field.fields(of: $0) }
    fields = all.filter(\.isAttribute) + all.filter { !$0.isAttribute }
    var names = ByteText()
    names.append(JSONStoreValue.keyName(of: entity.name, in: reading.hierarchy))
    for field in fields {
      names.append(",")
      let start = names.count
      names.append(field.path)
      names.quoteField(from: start)
    }
    header = String(decoding: names.bytes, as: UTF8.self) + "\n"
  }

  /// Whether a to-many relationship is written: if its inverse is not to-one, or if it has an order.
  ///
  /// Of two unordered inverse relationships, the relationship whose entity and name come first is written.
  private static func isListed(
    _ list: EntityHierarchy.Declared<RelationshipDescription>, in model: EntityHierarchy
  ) -> Bool {
    guard !list.property.isOrdered, let name = list.property.inverseName,
      let destination = list.property.destinationEntityName,
      let inverse = model.allRelationships(of: destination)[name], !inverse.property.isTransient
    else { return true }
    guard inverse.property.isToMany, !inverse.property.isOrdered else { return false }
    return (list.entity.name, list.property.name) <= (inverse.entity.name, inverse.property.name)
  }

  func write(to stream: inout DumpStream, counting outcome: inout StoreDump.Outcome) throws -> Int {
    stream.text.append(header)
    var count = 0
    while let key = try objects.next() {
      stream.text.append(key)
      for field in fields {
        stream.text.append(",")
        try append(field, of: key, to: &stream, &outcome)
      }
      stream.text.append("\n")
      count += 1
      try stream.flushIfFull()
    }
    return count
  }

  private func append(
    _ field: Field, of key: Int64, to stream: inout DumpStream, _ outcome: inout StoreDump.Outcome
  ) throws {
    switch field.content {
    case .value(let column): try append(try objects.value(of: column), to: &stream)
    case .composite: break
    case .object(let column, let destination):
      guard let (target, number) = try objects.object(of: column, counting: &outcome) else { return }
      append(target, number, destination, to: &stream, &outcome)
    case .objects(let links, let destination):
      var isFirst = true
      try links.forEach(of: key) { target, number in
        if !isFirst { stream.text.append(" ") }
        isFirst = false
        append(target, number, destination, to: &stream, &outcome)
        try stream.flushIfFull()
      }
    }
  }

  private func append(
    _ target: Int64, _ number: Int64?, _ destination: Int64?, to stream: inout DumpStream,
    _ outcome: inout StoreDump.Outcome
  ) {
    if !part.holds(target, ofEntity: number) { outcome.outwardLinks += 1 }
    if let beginning = references.beginning(ofEntity: number, destination: destination) {
      stream.text.append(beginning)
    }
    stream.text.append(target)
  }

  private func append(_ value: CellValue, to stream: inout DumpStream) throws {
    switch value {
    case .null: break
    case .integer(let number), .wholeDecimal(let number): stream.text.append(number)
    case .boolean(let flag): stream.text.append(flag ? "true" : "false")
    case .real(let number): stream.text.append(number)
    case .date(let seconds): stream.text.append(date: seconds)
    case .decimal(let number): stream.text.append(decimal: number)
    case .longDecimal(let number): stream.text.append("\(number)")
    case .notANumber: stream.text.append("NaN")
    case .text(let text):
      let start = stream.text.count
      stream.text.append(text)
      stream.text.quoteField(from: start)
    case .uuid(let bytes): stream.text.append(uuid: bytes)
    case .data(let data):
      let start = stream.text.count
      stream.text.append(base64: data)
      stream.text.quoteField(from: start)
    case .file(let name):
      if try !stream.append(file: objects.path(ofFile: name), { $0.append(base64: $1) }) { stream.text.append("\"\"") }
    }
  }
}

extension ByteText {
  /// Quotes a field if it would be misread without quotes: an empty text, or a text with commas, quotes, line breaks or
  /// spaces around it.
  mutating func quoteField(from start: Int) {
    let field = bytes[start...]
    let space = UInt8(ascii: " ")
    let isPlain =
      !field.isEmpty && field.first != space && field.last != space
      && field.allSatisfy { byte in
        byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\r")
          && byte != UInt8(ascii: "\n")
      }
    if isPlain { return }
    let text = Array(field)
    cut(to: start)
    append("\"")
    for byte in text {
      if byte == UInt8(ascii: "\"") { append("\"") }
      append(byte: byte)
    }
    append("\"")
  }
}
