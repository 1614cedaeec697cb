import Foundation

/// One object of a Core Data store in the XML form.
struct XMLStoreObject {
  let id: String
  let type: String
  let location: SourceLocation
  private let element: MarkupElement
  private let values: [String: MarkupElement]

  init(_ element: MarkupElement) throws(ModelFileError) {
    guard let id = element[attribute: "id"], !id.isEmpty else {
      throw .mapping(location: element.location, finding: .missingMarkup("id"))
    }
    guard let type = element[attribute: "type"], !type.isEmpty else {
      throw .mapping(location: element.location, finding: .missingMarkup("type"))
    }
    var values: [String: MarkupElement] = [:]
    for value in element.children where ["attribute", "relationship"].contains(value.name) {
      guard let name = value[attribute: "name"] else {
        throw .mapping(location: value.location, finding: .missingMarkup("name of an \(value.name)"))
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .mapping(location: value.location, finding: .duplicateValue(name))
      }
    }
    self.id = id
    self.type = type
    self.element = element
    self.values = values
    location = element.location
  }

  /// The names of all values in the file's order.
  var names: [String] { element.children.compactMap { $0[attribute: "name"] } }

  func location(of name: String) -> SourceLocation { values[name]?.location ?? location }

  /// The text of an attribute; an empty one counts as none.
  func text(_ name: String) throws(ModelFileError) -> String? {
    guard let value = values[name], value.name == "attribute", !value.text.isEmpty else { return nil }
    guard let text = SwappedEscapes.decoded(value.text) else {
      throw .mapping(location: value.location, finding: .badValue(attribute: name, text: value.text))
    }
    return text
  }

  func number(_ name: String) throws(ModelFileError) -> Int? {
    guard let text = try text(name)?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
    guard let number = Int16(text) else {
      throw .mapping(location: location(of: name), finding: .badValue(attribute: name, text: text))
    }
    return Int(number)
  }

  func flag(_ name: String) throws(ModelFileError) -> Bool? {
    guard let text = try text(name)?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
    guard text == "0" || text == "1" else {
      throw .mapping(location: location(of: name), finding: .badValue(attribute: name, text: text))
    }
    return text == "1"
  }

  /// The bytes of a binary attribute, whose base64 is broken into lines.
  func data(_ name: String) throws(ModelFileError) -> Data? {
    guard let value = values[name], value.name == "attribute" else { return nil }
    guard let data = Base64.decoded(value.text) else {
      throw .mapping(location: value.location, finding: .badBase64(attribute: name))
    }
    return data.isEmpty ? nil : data
  }

  /// The ids a relationship refers to, in the file's order.
  func references(_ name: String) -> [String] {
    guard let value = values[name], value.name == "relationship" else { return [] }
    return (value[attribute: "idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The type that a relationship announces, nil when it does not.
  func announcedDestination(_ name: String) -> String? { values[name]?[attribute: "destination"] }
}

/// The escapes of Core Data's XML stores: `\uXXXX` is a UTF-16 unit whose two bytes are swapped, so `\u3c00` is `<`.
enum SwappedEscapes {
  /// The text without escapes, nil when they form no valid text.
  static func decoded(_ text: String) -> String? {
    guard text.contains("\\u") else { return text }
    var units: [UInt16] = []
    var rest = Substring(text).utf16
    while let unit = rest.first {
      if unit == 0x5C, let escaped = escapedUnit(rest) {
        units.append(escaped)
        rest = rest.dropFirst(6)
      } else {
        units.append(unit)
        rest = rest.dropFirst()
      }
    }
    let decoded = String(decoding: units, as: UTF16.self)
    return decoded.utf16.elementsEqual(units) ? decoded : nil
  }

  private static func escapedUnit(_ rest: Substring.UTF16View) -> UInt16? {
    let escape = Array(rest.prefix(6))
    guard escape.count == 6, escape[1] == 0x75 else { return nil }
    let digits = String(decoding: escape[2...], as: UTF16.self)
    guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else { return nil }
    return unit.byteSwapped
  }
}
