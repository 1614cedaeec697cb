import Foundation
import MappingModels
import ModelDescription
import StoreRows
import VersionHashing

/// The JSON form of an object and its included objects.
struct RecordObject: Encodable {
  let record: ObjectRecord
  let graph: RecordGraph
  let inclusion: InclusionTree
  let store: String

  private enum CodingKeys: CodingKey {
    case entity, key, uri, saves, values
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(record.id.entity, forKey: .entity)
    try container.encode(record.id.key, forKey: .key)
    try container.encode(record.id.uri(inStore: store), forKey: .uri)
    try container.encodeIfPresent(record.version, forKey: .saves)
    try container.encode(
      record.values.mapValues { RecordElement(value: $0, graph: graph, inclusion: InclusionTree(), store: store) }
        .merging(
          inclusion.branches.compactMap { name, further in
            record.values[name].map {
              (name, RecordElement(value: $0, graph: graph, inclusion: further, isIncluded: true, store: store))
            }
          }
        ) { _, included in included }, forKey: .values)
  }
}

/// A value of a property in its JSON form.
struct RecordElement: Encodable {
  let value: RecordValue
  let graph: RecordGraph
  let inclusion: InclusionTree
  var isIncluded = false
  let store: String

  private struct Reference: Encodable {
    let entity: String
    let key: Int64
    let uri: String
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .composite(let elements):
      try elements.mapValues {
        RecordElement(value: $0, graph: graph, inclusion: inclusion, store: store)
      }.encode(to: encoder)
    case .object(let id): try encode(id, to: encoder)
    case .objects(let ids):
      var container = encoder.unkeyedContainer()
      for id in ids { try encode(id, to: container.superEncoder()) }
    default:
      var container = encoder.singleValueContainer()
      try encode(into: &container)
    }
  }

  private func encode(_ id: RecordID, to encoder: any Encoder) throws {
    guard isIncluded, let record = graph[id] else {
      return try Reference(entity: id.entity, key: id.key, uri: id.uri(inStore: store)).encode(to: encoder)
    }
    try RecordObject(record: record, graph: graph, inclusion: inclusion, store: store).encode(to: encoder)
  }

  private func encode(into container: inout any SingleValueEncodingContainer) throws {
    switch value {
    case .attribute(.integer(let number)): try container.encode(number)
    case .attribute(.boolean(let isTrue)): try container.encode(isTrue)
    case .attribute(.double(let number)) where number.isFinite: try container.encode(number)
    case .attribute(.decimal(let number)) where !number.isNaN: try container.encode(number)
    case .null: try container.encodeNil()
    default: try container.encode(value.text ?? "")
    }
  }
}

extension RecordID {
  /// The object's address as Core Data writes it.
  func uri(inStore uuid: String) -> String { "x-coredata://\(uuid)/\(entity)/p\(key)" }
}

extension RecordValue {
  /// The complete value as text; nil for no value.
  var text: String? {
    switch self {
    case .null: nil
    case .attribute(.integer(let number)): "\(number)"
    case .attribute(.double(let number)): "\(number)"
    case .attribute(.decimal(let number)): "\(number)"
    case .attribute(.boolean(let isTrue)): isTrue ? "true" : "false"
    case .attribute(.string(let text)), .attribute(.uri(let text)): text
    case .attribute(.uuid(let uuid)): uuid.uuidString
    // What no calendar of four digits has is given as seconds since 2001.
    case .attribute(.date(let seconds)): ISO8601Date.exactText(of: seconds) ?? "\(seconds)"
    case .attribute(.binary(let data)), .transformed(let data): data.base64EncodedString()
    case .external: externalFile ?? "a file that is not named"
    case .composite(let elements):
      elements.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text ?? "nil")" }.joined(separator: ", ")
    case .object(let id): "\(id)"
    case .objects(let ids): ids.map(\.description).joined(separator: ", ")
    }
  }

  var isNumber: Bool {
    switch self {
    case .attribute(.integer), .attribute(.double), .attribute(.decimal): true
    default: false
    }
  }

  private static let shownBytes = 24

  /// The value as part of a line: texts in quotation marks, many bytes by their number and the beginning of their hash.
  var shown: String {
    switch self {
    case .null: "nil"
    case .attribute(.string(let text)): "“\(text)”"
    case .attribute(.binary(let data)), .transformed(let data):
      data.count <= Self.shownBytes
        ? data.base64EncodedString()
        : "\(Quantity.text(data.count, "byte")), SHA-256 \(Self.hash(of: data))"
    case .composite(let elements):
      elements.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ")
    default: text ?? "nil"
    }
  }

  private static func hash(of data: Data) -> String {
    DataDigest.sha256(of: data).prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension ObjectRecord {
  /// One text per property with a value, sorted by name.
  var shownFacts: [String] { shownValues.map { "\($0.name): \($0.text)" } }

  var shownValues: [(name: String, text: String)] {
    values.filter { $0.value != .null && $0.value != .objects([]) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.shown) }
  }
}
