import ModelFiles

/// An object of a JSON text, its keys in the text's order and each there once.
struct JSONObject: Hashable, Sendable {
  let members: [JSONMember]
  let location: SourceLocation

  /// The value of a key, nil when it is not there.
  subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.value }

  /// The value of a key that must be there.
  func required(_ key: String) throws(JSONFileError) -> JSONNode {
    guard let node = self[key] else { throw JSONFileError(.missingKey(key), at: location) }
    return node
  }
}
