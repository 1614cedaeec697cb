/// An attribute of an entity's objects that has no type, or such an element of a composite one.
struct UntypedAttribute: Hashable {
  /// The entity that the objects are of.
  let entity: String
  /// The name of the attribute, and those of the elements within a composite one.
  let path: [String]

  /// The name by which a loss of its values is allowed.
  var name: String { name(in: entity) }

  /// Its name as one of an entity above.
  func name(in entity: String) -> String { ([entity] + path).joined(separator: ".") }
}
