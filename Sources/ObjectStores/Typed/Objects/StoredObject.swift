public import ModelDescription
public import StoreRows

/// An entity as a type was generated from it.
public struct StoredEntity: Sendable {
  /// Its name.
  public let name: String
  /// The entity's version hash in base64; a type with a different hash would read its objects incorrectly.
  public let hash: String
  /// The names of the entity and its subentities.
  let family: Set<String>
  /// The types of the destinations of its relationships.
  let destinations: [String: any StoredObject.Type]

  /// Describes an entity.
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

/// A type of objects, for generated code in which a property could hide the type's name.
public enum StoredType<Object: StoredObject> {
  /// The type.
  public static var type: any StoredObject.Type { Object.self }
}

/// A struct for the objects of an entity.
///
/// `modelctl generate types --stored` generates the conformance; properties that are not stored do not affect it.
///
/// A struct of a parent entity also represents the objects of its subentities, with their inherited properties. A fetch
/// of the parent returns them as parents, and saving one changes its inherited properties. ``ObjectID/init(_:)`` gives
/// the identifier for reading the complete object.
public protocol StoredObject: Hashable, Sendable {
  /// The properties that requests can use.
  associatedtype Properties: StoredProperties

  /// The entity, as the type was generated from it.
  static var storedEntity: StoredEntity { get }

  /// The identifier of the object; nil before it is saved.
  var objectID: ObjectID<Self>? { get set }

  /// The state of the object when it was read; nil if it was never read.
  var version: ObjectVersion? { get set }

  /// Creates the struct from a record.
  ///
  /// - Throws: ``StoredObjectError`` for a value that does not fit the struct.
  init(_ record: StoredRecord) throws

  /// Writes the stored values.
  ///
  /// - Throws: ``StoredObjectError/otherStore(id:store:)``.
  func store(in values: inout StoredValues) throws
}

/// A struct of an entity that has a parent.
public protocol StoredSubobject: StoredObject {
  /// The struct of the parent.
  associatedtype Superobject: StoredObject
}

/// A struct of a composite attribute, whose elements are stored in the row of its object.
public protocol StoredComposite: Hashable, Sendable {
  /// The properties of its elements that requests can use.
  associatedtype Properties: StoredProperties

  /// Creates the struct from the elements in a record.
  ///
  /// - Throws: ``StoredObjectError`` for a value that does not fit the struct.
  init(_ record: StoredRecord) throws

  /// Gives the elements.
  ///
  /// - Throws: ``StoredObjectError``.
  func store(in values: inout StoredValues) throws
}

/// An error if a struct cannot be read or saved.
public enum StoredObjectError: Error, Hashable, Sendable {
  /// The store's entity differs from the one that the type was generated from, or does not exist.
  case otherDefinition(entity: String, path: String, isKnown: Bool)
  /// The identifier is of an object of a different store.
  case otherStore(id: String, store: String)
  /// A text is not a valid identifier of an object of the entity.
  case noIdentifier(String, entity: String)
  /// The object does not exist, or does not exist any more.
  case notFound(id: String)
  /// The object was not loaded with the requested objects.
  case notIncluded(RecordID)
  /// A to-many relationship is not loaded.
  case notLoaded(entity: String)
  /// The object lacks an identifier: it was never saved.
  case notSaved(entity: String)
  /// The object to insert has an identifier: it is in a store.
  case alreadySaved(id: String)
  /// The object lacks a value for a property that the struct requires.
  case noValue(object: RecordID, property: String)
  /// The object has a value that does not fit the struct.
  case wrongValue(object: RecordID, property: String)
  /// The file of the value does not exist or cannot be read.
  case noFile(object: RecordID, property: String, path: String)

  /// Core Data error number; nil for errors that only Swift types have.
  ///
  /// Source of the numbers: the public header `CoreDataErrors.h`.
  public var code: Int? {
    switch self {
    case .notFound: 133_000
    case .otherStore: 133_010
    default: nil
    }
  }
}

extension StoredObjectError: AdvisedError {
  /// The path of the store if the error is about its model.
  public var place: String? {
    guard case .otherDefinition(_, let path, _) = self else { return nil }
    return path
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .otherDefinition(let entity, _, isKnown: true):
      "\(entity) differs from the entity that its Swift type was generated from"
    case .otherDefinition(let entity, _, isKnown: false):
      CommonWords.unknown("entity", entity, in: "the store", near: [])
    case .otherStore(let id, let store): "\(id) is an object of another store than \(store)"
    case .noIdentifier(let text, let entity): "“\(text)” is not a valid identifier of \(entity)"
    case .notFound(let id): "\(id) does not exist; it was deleted or never saved"
    case .notIncluded(let id): "\(id) was not loaded with the requested objects, or does not exist"
    case .notLoaded(let entity): "the objects of \(entity) were not loaded with the requested objects"
    case .notSaved(let entity): "a new \(entity) has no identifier"
    case .alreadySaved(let id): "\(id) is already in a store"
    case .noValue(let object, let property): "\(object) has no \(property), but its Swift type requires a value"
    case .wrongValue(let object, let property): "\(object): the stored value of \(property) does not fit the Swift type"
    case .noFile(let object, let property, let path):
      "\(object): \(property) is stored in \(path), which cannot be read"
    }
  }

  /// The next step to try; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .otherDefinition(_, _, isKnown: true):
      "generate the types of the store's version: \(run: "modelctl", "generate", "types", "--stored")"
    case .otherDefinition(_, _, isKnown: false): "open it with the model that the Swift type was generated from"
    case .otherStore: "use the identifier with its own store"
    case .noIdentifier(_, let entity): "write it as x-coredata://UUID/\(entity)/p42"
    case .notFound: nil
    case .notIncluded: "add the relationship that points to it to the argument `including`"
    case .notLoaded: "add the relationship to the argument `including`, or call related(_:of:)"
    case .notSaved: "insert it first"
    case .alreadySaved: "update it, or insert a copy whose objectID is nil"
    case .noValue: "give it a value, or make the property optional in the model"
    case .wrongValue: "read the stored value without the Swift type, and correct it"
    case .noFile: "restore the file, or set the property to nil"
    }
  }
}
