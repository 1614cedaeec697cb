import ModelDescription

/// A key that a value itself has, as key-value coding finds it on Foundation's classes.
package enum ValueMember: String, Hashable, Sendable, CaseIterable {
  case length
  case uppercaseString
  case lowercaseString
  case absoluteString
  case uuidString = "UUIDString"
  case timeIntervalSinceReferenceDate
  case timeIntervalSince1970
  case itself = "self"

  /// What the key gives for a value of a type, nil when the type has no such key.
  func type(of type: AttributeType) -> AttributeType? {
    switch (self, type) {
    case (.length, .string), (.length, .binary): .integer64
    case (.uppercaseString, .string), (.lowercaseString, .string), (.absoluteString, .uri), (.uuidString, .uuid):
      .string
    case (.timeIntervalSinceReferenceDate, .date), (.timeIntervalSince1970, .date): .double
    case (.itself, _): type
    default: nil
    }
  }
}
