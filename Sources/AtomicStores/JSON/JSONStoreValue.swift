import Foundation
import MappingModels
package import ModelDescription
package import ModelFiles
package import StoreRows

/// Values of objects in the JSON format.
package enum JSONStoreValue {
  /// The value of an attribute; nil for null.
  package static func value(
    _ node: JSONNode, _ attribute: AttributeDescription
  ) throws(JSONStoreError) -> RecordValue? {
    if node.value == .null { return nil }
    switch attribute.type {
    case .composite:
      guard case .object(let members) = node.value else { throw unfit(node, attribute) }
      var values: [String: RecordValue] = [:]
      for member in members {
        guard let element = attribute.elements.first(where: { $0.name == member.key }) else {
          let near = NearNames.nearest(to: member.key, among: attribute.elements.map(\.name))
          throw JSONStoreError(.unknownProperty(member.key, entity: attribute.name, near: near), at: member.keyLocation)
        }
        if let value = try value(member.value, element) { values[member.key] = value }
      }
      return .composite(values)
    case .transformable:
      guard case .string(let text) = node.value, let data = Base64.decoded(text) else { throw unfit(node, attribute) }
      return .transformed(data)
    case .undefined:
      guard case .object(let members) = node.value, members.count == 1, let only = members.first,
        let type = XMLStoreValue.type(named: only.key), let value = value(only.value, type)
      else { throw unfit(node, attribute) }
      return .attribute(value)
    default:
      guard let value = value(node, attribute.type) else { throw unfit(node, attribute) }
      return .attribute(value)
    }
  }

  /// The destination of a link: a key, and the entity if the text names it.
  package static func reference(_ node: JSONNode) throws(JSONFileError) -> (entity: String?, key: Int64) {
    guard case .object(let members) = node.value, members.count == 1, let only = members.first else {
      return (nil, Int64(try node.integer()))
    }
    return (only.key, Int64(try only.value.integer()))
  }

  package static func type(named name: String) -> AttributeType? { XMLStoreValue.type(named: name) }

  /// The name of an object's key: `id`, or `$id` if the entity has a property with that name.
  package static func keyName(of entity: String, in model: EntityHierarchy) -> String {
    name("id", of: entity, in: model)
  }

  /// The name of a member that is not a property, with a dollar sign if the entity has a property with that name.
  package static func name(_ word: String, of entity: String, in model: EntityHierarchy) -> String {
    model.allAttributes(of: entity)[word] == nil && model.allRelationships(of: entity)[word] == nil ? word : "$\(word)"
  }

  private static func unfit(_ node: JSONNode, _ attribute: AttributeDescription) -> JSONStoreError {
    let found = node.words
    if attribute.type == .integer64, node.literal != nil, node.wholeNumber != nil {
      return JSONStoreError(.unquotedNumber(found, property: attribute.name), at: node.location)
    }
    return JSONStoreError(.value(found, property: attribute.name, type: attribute.type.name), at: node.location)
  }

  private static func value(_ node: JSONNode, _ type: AttributeType) -> AttributeValue? {
    switch (type, node.value) {
    case (.integer16, .number(let number)): Int16(exactly: number).map { .integer(Int64($0)) }
    case (.integer32, .number(let number)): Int32(exactly: number).map { .integer(Int64($0)) }
    // 2^53 itself is taken, as it once was written without quotes.
    case (.integer64, .number): node.wholeNumber.flatMap { $0.magnitude <= 1 << 53 ? .integer($0) : nil }
    case (.integer64, .string(let text)): Int64(text).map { .integer($0) }
    case (.decimal, .string(let text)): decimal(text).map { .decimal($0) }
    case (.double, .number(let number)), (.float, .number(let number)): .double(number)
    case (.double, .string(let text)), (.float, .string(let text)):
      ["inf", "-inf", "nan"].contains(text) ? Double(text).map { .double($0) } : nil
    case (.string, .string(let text)): .string(text)
    case (.uri, .string(let text)): .uri(text)
    case (.boolean, .bool(let flag)): .boolean(flag)
    case (.date, _): JSONStoreDate.seconds(node).map { .date($0) }
    case (.binary, .string(let text)): Base64.decoded(text).map { .binary($0) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  /// A decimal number; nil if it has more digits than such a number can store.
  private static func decimal(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    return switch try? AttributeValue.parse(text, as: .decimal) {
    case .decimal(let number): number
    default: nil
    }
  }
}

/// Reads dates of a JSON store: a text of ISO 8601, or seconds since 2001.
enum JSONStoreDate {
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

/// An error in a value of the JSON format, with its location.
package struct JSONStoreError: Error, Hashable, Sendable {
  package let finding: StoreDocumentError.Finding
  package let location: SourceLocation

  init(_ finding: StoreDocumentError.Finding, at location: SourceLocation) {
    (self.finding, self.location) = (finding, location)
  }
}
