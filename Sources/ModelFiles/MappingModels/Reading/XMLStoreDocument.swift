import Foundation

/// A Core Data store in the XML form: objects that refer to each other by id.
struct XMLStoreDocument {
  /// The objects in the file's order.
  let objects: [XMLStoreObject]
  let location: SourceLocation
  private let positions: [String: Int]

  init(_ root: MarkupElement) throws(ModelFileError) {
    guard root.name == "database" else { throw .mapping(location: root.location, finding: .unexpectedRoot(root.name)) }
    var objects: [XMLStoreObject] = []
    var positions: [String: Int] = [:]
    for element in root.children(named: "object") {
      let object = try XMLStoreObject(element)
      if let first = positions.updateValue(objects.count, forKey: object.id) {
        throw .mapping(location: object.location, finding: .duplicateID(object.id, first: objects[first].location))
      }
      objects.append(object)
    }
    (self.objects, self.positions) = (objects, positions)
    location = root.location
  }

  func onlyObject(ofType type: String) throws(ModelFileError) -> XMLStoreObject {
    let found = objects.filter { $0.type == type }
    guard let first = found.first else { throw .mapping(location: location, finding: .noMappingModel) }
    if found.count > 1 {
      throw .mapping(location: found[1].location, finding: .secondMappingModel(first: first.location))
    }
    return first
  }

  /// The objects that a relationship refers to; an object of this file has one owner, so that no id is taken twice.
  func targets(
    of relationship: String, of object: XMLStoreObject, type: String, taken: inout Set<String>
  ) throws(ModelFileError) -> [XMLStoreObject] {
    let location = object.location(of: relationship)
    var targets: [XMLStoreObject] = []
    for id in object.references(relationship) {
      guard let position = positions[id] else {
        throw .mapping(location: location, finding: .danglingReference(relationship: relationship, id: id))
      }
      let target = objects[position]
      let found = target.type == type ? object.announcedDestination(relationship) ?? type : target.type
      guard found == type else {
        throw .mapping(
          location: location,
          finding: .wrongDestination(relationship: relationship, id: id, found: found, expected: type))
      }
      guard taken.insert(id).inserted else {
        throw .mapping(location: location, finding: .sharedObject(relationship: relationship, id: id))
      }
      targets.append(target)
    }
    return targets
  }
}

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
    (self.id, self.type, self.element, self.values) = (id, type, element, values)
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

  /// The type that a relationship announces; nil if it does not.
  func announcedDestination(_ name: String) -> String? { values[name]?[attribute: "destination"] }
}

/// The escapes of Core Data's XML stores: `\uXXXX` is a UTF-16 unit whose two bytes are swapped, so `\u3c00` is `<`.
enum SwappedEscapes {
  /// The text as an XML store contains it: escape sequences and characters that XML does not allow are escaped.
  static func encoded(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var encoded = ""
    for (position, scalar) in scalars.enumerated() {
      let beginsEscape = scalar == "\\" && position + 1 < scalars.count && scalars[position + 1] == "u"
      let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
      guard beginsEscape || isControl || [0xFFFE, 0xFFFF].contains(scalar.value) else {
        encoded += XMLText.content(String(scalar))
        continue
      }
      let digits = String(UInt16(truncatingIfNeeded: scalar.value).byteSwapped, radix: 16)
      encoded += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return encoded
  }

  /// The text without escapes; nil if they form no valid text.
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
