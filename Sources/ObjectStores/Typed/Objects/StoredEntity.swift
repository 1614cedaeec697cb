/// An entity as a type was generated from it.
public struct StoredEntity: Sendable {
  /// Its name.
  public let name: String
  /// Its version hash in base64: types of another definition would misread its objects.
  public let hash: String
  /// The names of the entity and of those below it.
  let family: Set<String>
  /// The types at the other ends of its relationships.
  let destinations: [String: any StoredObject.Type]

  /// Describes an entity.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - hash: its version hash in base64.
  ///   - subentities: the names of all entities below it.
  ///   - destinations: the types at the other ends of its relationships, by their names.
  public init(
    _ name: String, hash: String, subentities: [String] = [], destinations: [String: any StoredObject.Type] = [:]
  ) {
    (self.name, self.hash, self.destinations) = (name, hash, destinations)
    family = Set(subentities + [name])
  }

  /// Checks that a store has the entity as the type was generated from it.
  func check(_ identity: StoreIdentity) throws(StoredObjectError) {
    guard identity.hashes[name] != hash else { return }
    throw .otherDefinition(entity: name, path: identity.path, isKnown: identity.hashes[name] != nil)
  }
}

/// A type of objects, named where only types are looked up: a property of the same name does not hide it there.
public enum StoredType<Object: StoredObject> {
  /// The type.
  public static var type: any StoredObject.Type { Object.self }
}
