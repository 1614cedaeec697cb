import AtomicStores
import ModelDescription
import ModelFiles

/// Fields of a table as values of JSON, so that both forms have one rule.
enum CSVValue {
  /// A field, null where it is empty and not in quotes.
  static func node(_ field: CSVReader.Field, _ type: AttributeType) -> JSONNode {
    if field.text.isEmpty, !field.isQuoted { return JSONNode(value: .null, location: field.location) }
    return node(field.text, type, field.location)
  }

  /// A text that is there; what is none of the type stays a text, which nobody takes for one.
  static func node(_ text: String, _ type: AttributeType, _ location: SourceLocation) -> JSONNode {
    JSONNode(value: value(text, type, location), location: location)
  }

  /// A key, with each of its digits.
  static func key(_ text: String, _ location: SourceLocation) -> JSONNode {
    guard let key = Int64(text) else { return JSONNode(value: .string(text), location: location) }
    let literal = key.magnitude < 1 << 53 ? nil : text
    return JSONNode(value: .number(Double(key)), location: location, literal: literal)
  }

  private static func value(_ text: String, _ type: AttributeType, _ location: SourceLocation) -> JSONNode.Value {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Int64(text), number.magnitude < 1 << 53 else { return .string(text) }
      return .number(Double(number))
    case .double, .float, .date: return number(text).map { .number($0) } ?? .string(text)
    case .boolean: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .undefined:
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let type = JSONStoreValue.type(named: parts[0]) else { return .string(text) }
      return .object([JSONMember(key: parts[0], keyLocation: location, value: node(parts[1], type, location))])
    default: return .string(text)
    }
  }

  /// A number of JSON.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}
