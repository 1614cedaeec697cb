import ModelFiles

/// A value of a JSON text with its place.
struct JSONNode: Hashable, Sendable {
  /// The value itself.
  indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }

  let value: Value
  let location: SourceLocation

  /// The kind of the value, with its article.
  private var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  private func mismatch(_ expected: String) -> JSONFileError {
    JSONFileError(.wrongKind(expected: expected, found: kind), at: location)
  }
}

/// A key of an object with its value.
struct JSONMember: Hashable, Sendable {
  let key: String
  let keyLocation: SourceLocation
  let value: JSONNode
}

extension JSONNode {
  func string() throws(JSONFileError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  func bool() throws(JSONFileError) -> Bool {
    guard case .bool(let isTrue) = value else { throw mismatch("a Boolean") }
    return isTrue
  }

  func integer() throws(JSONFileError) -> Int {
    guard case .number(let number) = value, let integer = Int(exactly: number) else {
      throw mismatch("a whole number")
    }
    return integer
  }

  func array() throws(JSONFileError) -> [JSONNode] {
    guard case .array(let nodes) = value else { throw mismatch("a list") }
    return nodes
  }

  func strings() throws(JSONFileError) -> [String] {
    var strings: [String] = []
    for node in try array() { strings.append(try node.string()) }
    return strings
  }

  func object() throws(JSONFileError) -> JSONObject {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return JSONObject(members: members, location: location)
  }

  /// The object, when it has no other keys than these.
  func object(keys: [String]) throws(JSONFileError) -> JSONObject {
    let object = try object()
    for member in object.members where !keys.contains(member.key) {
      throw JSONFileError(.unknownKey(member.key, known: keys), at: member.keyLocation)
    }
    return object
  }
}
