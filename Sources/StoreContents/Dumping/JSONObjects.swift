import AtomicStores
import Foundation
import ModelDescription
import StoreRows

/// Writes objects of an entity as JSON, each on a line.
struct JSONObjects {
  private let objects: DumpedObjects
  private let part: DumpedPart
  private let beginning: String
  private let members: [Member]
  private let references: DumpedReferences

  /// A class, as it is looked at for every object, and a copy of the value would take longer.
  private final class Member {
    /// Its name, with the surrounding characters.
    let name: [UInt8]
    let property: DumpedProperty
    let elements: [Member]

    init(_ property: DumpedProperty, isFirst: Bool) {
      name = Array("\(isFirst ? "" : ", ")\(JSONStoreWriter.quoted(property.name)): ".utf8)
      self.property = property
      if case .composite(let parts) = property.content {
        elements = parts.map { Member($0, isFirst: true) }
      } else {
        elements = []
      }
    }
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - references: the names of linked objects.
  ///   - namesEntity: whether each object names its entity.
  init(
    _ objects: DumpedObjects, _ part: DumpedPart, _ references: DumpedReferences, model: EntityHierarchy,
    namesEntity: Bool
  ) {
    (self.objects, self.part, self.references) = (objects, part, references)
    let name = objects.entity.name
    let key = "\"\(JSONStoreValue.keyName(of: name, in: model))\": "
    beginning =
      namesEntity
      ? "{\"\(JSONStoreValue.name("entity", of: name, in: model))\": \(JSONStoreWriter.quoted(name)), \(key)"
      : "{\(key)"
    members = objects.properties.map { Member($0, isFirst: false) }
  }

  /// The names of linked objects in JSON, for all entities.
  static func references(in reading: RecordReading) -> DumpedReferences {
    DumpedReferences(in: reading) { "{\(JSONStoreWriter.quoted($0)): " }
  }

  /// Writes the next object, without an end of line.
  ///
  /// - Parameters:
  ///   - stream: receives the object.
  ///   - separator: the text before the object.
  ///   - outcome: counts the links that point outside the part, or to objects that do not exist.
  /// - Returns: false at the end.
  func appendNext(
    to stream: inout DumpStream, after separator: String, counting outcome: inout StoreDump.Outcome
  ) throws -> Bool {
    guard let key = try objects.next() else { return false }
    stream.text.append(separator)
    stream.text.append(beginning)
    stream.text.append(key)
    for member in members { _ = try append(member, of: key, to: &stream, &outcome) }
    stream.text.append("}")
    return true
  }

  /// Appends a member; false if it lacks a value.
  private func append(
    _ member: Member, of key: Int64, to stream: inout DumpStream, _ outcome: inout StoreDump.Outcome
  ) throws -> Bool {
    switch member.property.content {
    case .value(let column):
      let value = try objects.value(of: column)
      if case .null = value { return false }
      stream.text.append(member.name)
      try append(value, to: &stream)
    case .composite:
      let start = stream.text.count
      stream.text.append(member.name)
      stream.text.append("{")
      var isFirst = true
      for element in member.elements {
        let place = stream.text.count
        if !isFirst { stream.text.append(", ") }
        if try append(element, of: key, to: &stream, &outcome) { isFirst = false } else { stream.text.cut(to: place) }
      }
      if isFirst {
        stream.text.cut(to: start)
        return false
      }
      stream.text.append("}")
    case .object(let column, let destination):
      guard let (target, number) = try objects.object(of: column, counting: &outcome) else { return false }
      stream.text.append(member.name)
      append(target, number, destination, to: &stream, &outcome)
    case .objects(let links, let destination):
      var isFirst = true
      try links.forEach(of: key) { target, number in
        if isFirst { stream.text.append(member.name) }
        stream.text.append(isFirst ? "[" : ", ")
        isFirst = false
        append(target, number, destination, to: &stream, &outcome)
        try stream.flushIfFull()
      }
      if !isFirst { stream.text.append("]") }
      return !isFirst
    }
    return true
  }

  private func append(
    _ target: Int64, _ number: Int64?, _ destination: Int64?, to stream: inout DumpStream,
    _ outcome: inout StoreDump.Outcome
  ) {
    if !part.holds(target, ofEntity: number) { outcome.outwardLinks += 1 }
    guard let beginning = references.beginning(ofEntity: number, destination: destination) else {
      return stream.text.append(target)
    }
    stream.text.append(beginning)
    stream.text.append(target)
    stream.text.append("}")
  }

  private func append(_ value: CellValue, to stream: inout DumpStream) throws {
    switch value {
    case .null: break
    case .integer(let number): stream.text.append(json: number)
    case .boolean(let flag): stream.text.append(flag ? "true" : "false")
    case .real(let number): stream.text.append(json: number)
    case .date(let seconds): stream.text.append(jsonDate: seconds)
    case .wholeDecimal(let number): appendQuoted(to: &stream) { $0.append(number) }
    case .decimal(let number): appendQuoted(to: &stream) { $0.append(decimal: number) }
    case .longDecimal(let number): appendQuoted(to: &stream) { $0.append("\(number)") }
    case .notANumber: stream.text.append("\"NaN\"")
    case .text(let text): stream.text.append(quoted: text)
    case .uuid(let bytes): appendQuoted(to: &stream) { $0.append(uuid: bytes) }
    case .data(let data): appendQuoted(to: &stream) { $0.append(base64: data) }
    case .file(let name):
      stream.text.append("\"")
      _ = try stream.append(file: objects.path(ofFile: name)) { $0.append(base64: $1) }
      stream.text.append("\"")
    }
  }

  private func appendQuoted(to stream: inout DumpStream, _ append: (inout ByteText) -> Void) {
    stream.text.append("\"")
    append(&stream.text)
    stream.text.append("\"")
  }
}
