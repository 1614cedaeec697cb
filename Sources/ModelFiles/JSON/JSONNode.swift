import ModelDescription

/// A value of a JSON text with its place.
package struct JSONNode: Hashable, Sendable {
  package indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }

  /// From it on a double is not every whole number.
  package static let exact = 0x1p53

  package let value: Value
  package let location: SourceLocation
  /// A number from 2^53 on as the text has it, which the value may only come near to.
  package let literal: String?

  /// Makes a value of a text of another form.
  package init(value: Value, location: SourceLocation, literal: String? = nil) {
    (self.value, self.location, self.literal) = (value, location, literal)
  }

  /// The whole number with each of its digits; nil for anything else.
  package var wholeNumber: Int64? {
    guard case .number(let number) = value else { return nil }
    guard let literal else { return Int64(exactly: number) }
    return Int64(literal)
  }

  /// The value as a message shows it.
  package var words: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number):
      literal.map { String($0.prefix(40)) } ?? Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let text): String(text.prefix(40))
    case .array: "a list"
    case .object(let members): members.count == 1 ? "\(members[0].key) \(members[0].value.words)" : "an object"
    }
  }

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
package struct JSONMember: Hashable, Sendable {
  package let key: String
  package let keyLocation: SourceLocation
  package let value: JSONNode

  /// Makes a member of a text of another form.
  package init(key: String, keyLocation: SourceLocation, value: JSONNode) {
    (self.key, self.keyLocation, self.value) = (key, keyLocation, value)
  }
}

extension JSONNode {
  package func string() throws(JSONFileError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  package func bool() throws(JSONFileError) -> Bool {
    guard case .bool(let isTrue) = value else { throw mismatch("a Boolean") }
    return isTrue
  }

  package func integer() throws(JSONFileError) -> Int {
    guard let number = wholeNumber, let integer = Int(exactly: number) else { throw mismatch("a whole number") }
    return integer
  }

  package func array() throws(JSONFileError) -> [JSONNode] {
    guard case .array(let nodes) = value else { throw mismatch("a list") }
    return nodes
  }

  package func strings() throws(JSONFileError) -> [String] {
    var strings: [String] = []
    for node in try array() { strings.append(try node.string()) }
    return strings
  }

  package func object() throws(JSONFileError) -> JSONObject {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return JSONObject(members: members, location: location)
  }

  /// The object, when it has no other keys than these.
  package func object(keys: [String]) throws(JSONFileError) -> JSONObject {
    let object = try object()
    for member in object.members where !keys.contains(member.key) {
      throw JSONFileError(.unknownKey(member.key, known: keys), at: member.keyLocation)
    }
    return object
  }
}

/// An object of a JSON text, its keys in the text's order and each there once.
package struct JSONObject: Hashable, Sendable {
  package let members: [JSONMember]
  package let location: SourceLocation

  /// The value of a key, nil when it is not there.
  package subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.value }

  package func required(_ key: String) throws(JSONFileError) -> JSONNode {
    guard let node = self[key] else { throw JSONFileError(.missingKey(key), at: location) }
    return node
  }
}

/// What is wrong with a JSON file of ours, with its place.
public struct JSONFileError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Finding: Hashable, Sendable {
    /// The text is no JSON.
    case syntax(String)
    /// The text still holds both sides of a merge.
    case conflictMarkers(advice: String?)
    /// An object has a key twice.
    case duplicateKey(String)
    /// A list or an object lies too deep in others.
    case tooDeep(limit: Int)
    /// The file holds more values than any of ours.
    case tooManyValues(limit: Int)
    /// A key that nothing reads.
    case unknownKey(String, known: [String])
    /// A key that must be there is not.
    case missingKey(String)
    /// A value of another kind than the one that is read here.
    case wrongKind(expected: String, found: String)
    /// A value that means nothing, in one clause.
    case wrongValue(String)
    /// A path names no bundle that can be used.
    case unusableBundle(path: String, ModelFileError)
  }

  /// What is wrong.
  public let finding: Finding
  /// Where.
  public let location: SourceLocation

  /// Makes an error.
  public init(_ finding: Finding, at location: SourceLocation) { (self.finding, self.location) = (finding, location) }
}

extension JSONFileError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String { "\(location): \(words)" }

  /// The cause and what to try next.
  package var words: String {
    switch finding {
    case .syntax(let problem): return "not well-formed JSON: \(problem)"
    case .conflictMarkers(let advice):
      return
        "merge conflict markers; \(advice ?? "resolve them, then run: git add \(ShellWord(path: location.file).text)")"
    case .duplicateKey(let key): return "the key “\(key)” is there a second time; remove one of the two"
    case .tooDeep(let limit): return "lists and objects lie more than \(limit) deep"
    case .tooManyValues(let limit): return "the file holds more than \(limit) values"
    case .unknownKey(let key, let known):
      let near = NearNames.nearest(to: key, among: known)
      return "the key “\(key)” is unknown" + NearNames.clause(near, else: "; remove it")
    case .missingKey(let key): return "the key “\(key)” is missing"
    case .wrongKind(let expected, let found): return "\(expected) must stand here, not \(found)"
    case .wrongValue(let problem): return problem
    case .unusableBundle(let path, let error): return "“\(path)” is no bundle that can be used: \(error)"
    }
  }
}

extension JSONFileError: LocatedError {
  /// The location, the cause and what to try next.
  package var located: (location: SourceLocation, words: String)? { (location, words) }
}
