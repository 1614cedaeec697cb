import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Writes a JSON store.
struct JSONStoreWriter {
  private let document: StoreDocument
  private let model: EntityHierarchy

  init(_ document: StoreDocument, _ model: EntityHierarchy) { (self.document, self.model) = (document, model) }

  func bytes() throws(StoreDocumentError) -> Data {
    var entries = document.metadata.entries.map { ($0.key, JSONPropertyList.text($0.value, key: $0.key)) }
    entries.append(("NSStoreUUID", Self.quoted(document.metadata.uuid)))
    let metadata = entries.sorted { $0.0 < $1.0 }.map { "\(Self.quoted($0.0)): \($0.1)" }
    var text = Array(
      "{\"format\": \(JSONStoreText.format), \"metadata\": {\(metadata.joined(separator: ",\n  "))},\n".utf8)
    if !document.lastKeys.isEmpty {
      let keys = document.lastKeys.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)): \($0.value)" }
      text += Array(" \"lastKeys\": {\(keys.joined(separator: ", "))},\n".utf8)
    }
    text += Array(" \"objects\": {".utf8)
    var entity: String?
    for object in document.objects {
      if object.id.entity == entity {
        text += Array(",\n   ".utf8)
      } else {
        text += Array("\(entity == nil ? "" : "],")\n  \(Self.quoted(object.id.entity)): [\n   ".utf8)
        entity = object.id.entity
      }
      text += Array(try line(object).utf8)
    }
    text += Array("\(entity == nil ? "" : "]")}}\n".utf8)
    return Data(text)
  }

  private func line(_ object: StoreDocument.Object) throws(StoreDocumentError) -> String {
    let entity = object.id.entity
    var members = ["\"\(Self.keyName(of: entity, in: model))\": \(object.id.key)"]
    let attributes = model.allAttributes(of: entity)
    let relationships = model.allRelationships(of: entity)
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
      let text: String?
      if let attribute = attributes[name]?.property {
        guard !attribute.isTransient else { continue }
        text = try self.text(value, attribute, of: object.id)
      } else if let relationship = relationships[name]?.property, !relationship.isTransient {
        text = links(value, to: relationship.destinationEntityName ?? "")
      } else {
        throw StoreDocumentError(
          path: "", .object("\(object.id)", property: nil),
          .unknownProperty(name, entity: entity, near: NearNames.nearest(to: name, among: attributes.keys.sorted())))
      }
      if let text { members.append("\(Self.quoted(name)): \(text)") }
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private func links(_ value: RecordValue, to destination: String) -> String? {
    func reference(_ id: RecordID) -> String {
      id.entity == destination ? "\(id.key)" : "{\(Self.quoted(id.entity)): \(id.key)}"
    }
    switch value {
    case .object(let id): return reference(id)
    case .objects(let ids) where !ids.isEmpty: return "[\(ids.map(reference).joined(separator: ", "))]"
    default: return nil
    }
  }

  private func text(
    _ value: RecordValue, _ attribute: AttributeDescription, of id: RecordID
  ) throws(StoreDocumentError) -> String? {
    switch value {
    case .null: return nil
    case .transformed(let data): return "\"\(data.base64EncodedString())\""
    case .attribute(let value) where attribute.type == .undefined:
      guard let type = XMLStoreValue.name(of: value.attributeType) else { return nil }
      return "{\"\(type)\": \(Self.text(value))}"
    case .attribute(let value): return Self.text(value)
    case .composite(let values):
      let elements = Dictionary(attribute.elements.map { ($0.name, $0) }) { first, _ in first }
      var members: [String] = []
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let element = elements[name], let text = try text(value, element, of: id) else { continue }
        members.append("\(Self.quoted(name)): \(text)")
      }
      return "{\(members.joined(separator: ", "))}"
    case .external, .object, .objects:
      throw StoreDocumentError(
        path: "", .object("\(id)", property: nil),
        .value("\(value)", property: attribute.name, type: attribute.type.name))
    }
  }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let number): number.magnitude <= 1 << 53 ? "\(number)" : "\"\(number)\""
    case .decimal(let number): "\"\(number)\""
    case .double(let number): number.isFinite ? "\(number)" : "\"\(number)\""
    case .string(let text), .uri(let text): quoted(text)
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let seconds): JSONStoreDate.text(seconds)
    case .binary(let data): "\"\(data.base64EncodedString())\""
    case .uuid(let uuid): "\"\(uuid.uuidString)\""
    }
  }

  /// What an object's key is called: `id`, or `$id` where the entity has a property of that name.
  static func keyName(of entity: String, in model: EntityHierarchy) -> String {
    model.allAttributes(of: entity)["id"] == nil && model.allRelationships(of: entity)["id"] == nil ? "id" : "$id"
  }

  /// A text in double quotes, everything but quotes, backslashes and control characters as it is.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
      case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Dates of a JSON store: a text of ISO 8601 where it gives the moment exactly, else seconds since 2001.
enum JSONStoreDate {
  static func text(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "\"\(seconds)\"" }
    if let text = ISO8601Date.text(of: seconds) ?? ISO8601Date.exactText(of: seconds),
      ISO8601Date.secondsSinceReferenceDate(text) == seconds,
      !(seconds == 0 && seconds.sign == .minus)
    {
      return "\"\(text)\""
    }
    return "\(seconds)"
  }

  static func seconds(_ node: JSONNode) -> Double? {
    switch node.value {
    case .number(let number): number
    case .string(let text): ISO8601Date.secondsSinceReferenceDate(text) ?? nonFinite(text)
    default: nil
    }
  }

  private static func nonFinite(_ text: String) -> Double? {
    ["inf", "-inf", "nan"].contains(text) ? Double(text) : nil
  }
}
