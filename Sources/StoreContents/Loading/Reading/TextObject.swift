import ModelFiles

/// An object as a text has it.
struct TextObject {
  /// The name of its entity; nil where neither the text nor anybody else names one.
  let entity: (name: String, location: SourceLocation)?
  /// Its key and properties; the member that names the entity among them where a text has one.
  let members: [JSONMember]
  let location: SourceLocation
  /// True where what is left out has no value, false where it has its default.
  let isComplete: Bool
  /// The elements of composite attributes that the text says nothing of though it does of others, by attribute.
  var unsaid: [String: [[String]]] = [:]
}
