/// What the code of stored types names: a type or a property of such a name would hide it.
enum StoredWords {
  /// The types.
  static let types: Set<String> = [
    "ModelKit", "ObjectVersion", "Properties", "StoredComposite", "StoredEntity", "StoredObject", "StoredPath",
    "StoredProperties", "StoredProperty", "StoredRecord", "StoredSubobject", "StoredToMany", "StoredToOne",
    "StoredType", "StoredValues", "Superobject", "ObjectLinks",
  ]

  /// The types and what has a meaning of its own in a struct.
  static let properties = types.union(["version", "storedPath"])
}
