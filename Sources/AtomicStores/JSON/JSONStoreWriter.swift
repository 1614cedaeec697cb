import Foundation
import MappingModels
import ModelDescription
import ModelFiles
package import PersistentStores
import StoreRows

package struct JSONStoreWriter {
  private let model: EntityHierarchy

  static func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    let writer = JSONStoreWriter(model: model)
    var bytes = Data()
    var text = beginning(content.metadata, lastKeys: content.lastKeys)
    var entity: String?
    try content.forEach(Array(content.ids.indices)) { object in
      if object.id.entity == entity {
        text.append(nextObject)
      } else {
        text.append(firstObject(of: object.id.entity, isFirstEntity: entity == nil))
        entity = object.id.entity
      }
      try writer.append(object, to: &text)
      text.move(to: &bytes, above: pieceSize)
    }
    text.append(end(hasObjects: entity != nil))
    text.move(to: &bytes)
    return bytes
  }

  /// The number of bytes from which a text is moved to the bytes of a store, so that there are never two complete
  /// copies.
  private static let pieceSize = 1 << 16

  /// The text before the objects.
  package static func beginning(_ metadata: StoreMetadata, lastKeys: [String: Int64]) -> ByteText {
    var entries = metadata.entries.map { ($0.key, JSONPropertyList.text($0.value, key: $0.key)) }
    entries.append(("NSStoreUUID", quoted(metadata.uuid)))
    let members = entries.sorted { $0.0 < $1.0 }.map { "\(quoted($0.0)): \($0.1)" }
    var text = ByteText()
    text.append("{\"format\": \(JSONStoreText.format), \"metadata\": {\(members.joined(separator: ",\n  "))},\n")
    if !lastKeys.isEmpty {
      let keys = lastKeys.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }
      text.append(" \"lastKeys\": {\(keys.joined(separator: ", "))},\n")
    }
    text.append(" \"objects\": {")
    return text
  }

  /// The text before the first object of an entity.
  package static func firstObject(of entity: String, isFirstEntity: Bool) -> String {
    "\(isFirstEntity ? "" : "],")\n  \(quoted(entity)): [\n   "
  }

  /// The text before each further object of an entity.
  package static let nextObject = ",\n   "

  package static func end(hasObjects: Bool) -> String { "\(hasObjects ? "]" : "")}}\n" }

  private func append(_ object: StoreDocument.Object, to text: inout ByteText) throws(StoreDocumentError) {
    let entity = object.id.entity
    text.append("{\"\(JSONStoreValue.keyName(of: entity, in: model))\": ")
    text.append(object.id.key)
    let attributes = model.allAttributes(of: entity)
    let relationships = model.allRelationships(of: entity)
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
      let start = text.count
      text.append(", ")
      text.append(quoted: name)
      text.append(": ")
      let isWritten: Bool
      if let attribute = attributes[name]?.property {
        isWritten = attribute.isTransient ? false : try append(value, attribute, of: object.id, to: &text)
      } else if let relationship = relationships[name]?.property, !relationship.isTransient {
        isWritten = append(links: value, to: relationship.destinationEntityName ?? "", &text)
      } else {
        throw StoreDocumentError(
          path: "", .object("\(object.id)", property: nil),
          .unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: attributes.keys.sorted())))
      }
      if !isWritten { text.cut(to: start) }
    }
    text.append("}")
  }

  private func append(links value: RecordValue, to destination: String, _ text: inout ByteText) -> Bool {
    func append(_ id: RecordID) {
      if id.entity == destination { return text.append(id.key) }
      text.append("{\(Self.quoted(id.entity)): \(id.key)}")
    }
    switch value {
    case .object(let id): append(id)
    case .objects(let ids) where !ids.isEmpty:
      for (position, id) in ids.enumerated() {
        text.append(position == 0 ? "[" : ", ")
        append(id)
      }
      text.append("]")
    default: return false
    }
    return true
  }

  /// Appends the value of an attribute; false if it lacks a value.
  private func append(
    _ value: RecordValue, _ attribute: AttributeDescription, of id: RecordID, to text: inout ByteText
  ) throws(StoreDocumentError) -> Bool {
    switch value {
    case .null: return false
    case .transformed(let data): text.append(jsonData: data)
    case .attribute(let value) where attribute.type == .undefined:
      guard let type = XMLStoreValue.name(of: value.attributeType) else { return false }
      text.append("{\"\(type)\": ")
      text.append(json: value)
      text.append("}")
    case .attribute(let plain) where plain.isTooWide(for: attribute.type): throw unfit(value, attribute, of: id)
    case .attribute(let value): text.append(json: value)
    case .composite(let values):
      let elements = Dictionary(attribute.elements.map { ($0.name, $0) }) { first, _ in first }
      text.append("{")
      let first = text.count
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let element = elements[name] else { continue }
        let start = text.count
        if start > first { text.append(", ") }
        text.append(quoted: name)
        text.append(": ")
        if try !append(value, element, of: id, to: &text) { text.cut(to: start) }
      }
      text.append("}")
    case .external, .object, .objects: throw unfit(value, attribute, of: id)
    }
    return true
  }

  private func unfit(_ value: RecordValue, _ attribute: AttributeDescription, of id: RecordID) -> StoreDocumentError {
    StoreDocumentError(
      path: "", .object("\(id)", property: nil),
      .value(value.shortText, property: attribute.name, type: attribute.type.name))
  }

  /// A text in double quotes; only quotes, backslashes and control characters are escaped.
  package static func quoted(_ text: String) -> String {
    var quoted = ByteText()
    quoted.append(quoted: text)
    return String(decoding: quoted.bytes, as: UTF8.self)
  }
}
