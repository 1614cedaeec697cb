public import ModelDescription

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

  /// The first number from which a double cannot represent every whole number.
  package static let exact = 0x1p53

  package let value: Value
  package let location: SourceLocation
  /// A number from 2^53 on as the text has it, which the value may only come near to.
  package let literal: String?

  /// Makes a value of a text of a different form.
  package init(value: Value, location: SourceLocation, literal: String? = nil) {
    (self.value, self.location, self.literal) = (value, location, literal)
  }

  /// The whole number with each of its digits; nil for other values.
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

  /// Makes a member of a text of a different form.
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

  /// The value of a key; nil if it is not there.
  package subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.value }

  package func required(_ key: String) throws(JSONFileError) -> JSONNode {
    guard let node = self[key] else { throw JSONFileError(.missingKey(key), at: location) }
    return node
  }
}

/// An error in a JSON file that modelctl reads, with its location.
public struct JSONFileError: Error, Hashable, Sendable {
  /// The kind of the error.
  public enum Finding: Hashable, Sendable {
    /// The text is not JSON.
    case syntax(String)
    /// The text contains both sides of a merge; nil for the usual advice.
    case conflictMarkers(advice: Advice?)
    /// An object has a key twice.
    case duplicateKey(String)
    /// Lists and objects are nested too deep.
    case tooDeep(limit: Int)
    /// The file has too many values.
    case tooManyValues(limit: Int)
    /// A key is unknown.
    case unknownKey(String, known: [String])
    /// A required key is missing.
    case missingKey(String)
    /// A value is of a different kind than expected.
    case wrongKind(expected: String, found: String)
    /// A value is not valid: the cause in one clause, and the remedy.
    case wrongValue(String, Advice? = nil)
    /// The bundle at a path cannot be used.
    case unusableBundle(path: String, ModelFileError)
  }

  /// The kind of the error.
  public let finding: Finding
  /// The location in the file.
  public let location: SourceLocation

  /// Makes an error.
  public init(_ finding: Finding, at location: SourceLocation) { (self.finding, self.location) = (finding, location) }
}

extension JSONFileError: AdvisedError {
  /// The location in the file.
  public var place: String? { location.description }

  /// The cause as a sentence.
  public var cause: String {
    switch finding {
    case .syntax(let problem): "not well-formed JSON: \(problem)"
    case .conflictMarkers: "the file has merge conflict markers"
    case .duplicateKey(let key): "the key “\(key)” is there twice"
    case .tooDeep(let limit): "lists and objects are nested more than \(limit) deep"
    case .tooManyValues(let limit): "the file has more than \(limit) values"
    case .unknownKey(let key, let known):
      "the key “\(key)” is unknown\(NearNames.clause(NearNames.nearest(to: key, among: known)))"
    case .missingKey(let key): "the key “\(key)” is missing"
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .wrongValue(let problem, _): problem
    case .unusableBundle(let path, let error):
      "the bundle “\(path)” cannot be used: \(error.place == path ? error.cause : error.locatedWords.cause)"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    switch finding {
    case .conflictMarkers(let advice):
      advice
        ?? """
        resolve the conflicts, then stage the file: \
        \(run: "git", "add", location.file.hasPrefix("-") ? "./\(location.file)" : location.file)
        """
    case .duplicateKey: "remove one of the two"
    case .unknownKey(let key, let known): NearNames.nearest(to: key, among: known).isEmpty ? "remove it" : nil
    case .wrongValue(_, let advice): advice
    case .unusableBundle(_, let error): error.advice
    default: nil
    }
  }

  /// The cause, and the remedy with its commands, in a single line.
  package var words: String { ErrorWords(cause, advice).sentence }
}

extension JSONFileError: LocatedError {
  /// The location, and the cause with the remedy.
  package var located: (location: SourceLocation, words: String)? { (location, words) }
}
