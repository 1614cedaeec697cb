public import StoreRows

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

/// A struct that stands for the objects of an entity.
///
/// `modelctl generate types --stored` writes the conformance; a property that is not stored has nothing to do with it.
///
/// A struct of a parent entity stands for the objects of its sub-entities too, with what they inherit: a fetch of the parent
/// gives them as parents, saving one changes what it has, and ``ObjectID/init(_:)`` gives the identifier by which the whole
/// object is read.
public protocol StoredObject: Hashable, Sendable {
  /// What requests can say of an object.
  associatedtype Properties: StoredProperties

  /// The entity, as the type was generated from it.
  static var storedEntity: StoredEntity { get }

  /// What identifies the object; nil before it is saved.
  var objectID: ObjectID<Self>? { get set }

  /// What the object was when it was read; nil for one that never was.
  var version: ObjectVersion? { get set }

  /// Takes the values of a record.
  ///
  /// - Throws: ``StoredObjectError`` for a value that the struct cannot have.
  init(_ record: StoredRecord) throws

  /// Gives the values that a store keeps.
  ///
  /// - Throws: ``StoredObjectError/otherStore(id:store:)``.
  func store(in values: inout StoredValues) throws
}

/// A struct of an entity that has a parent.
public protocol StoredSubobject: StoredObject {
  /// The struct of the parent.
  associatedtype Superobject: StoredObject
}

/// A struct of a composite type, whose elements are kept in the row of the object that has it.
public protocol StoredComposite: Hashable, Sendable {
  /// What requests can say of its elements.
  associatedtype Properties: StoredProperties

  /// Takes the elements of a record.
  ///
  /// - Throws: ``StoredObjectError`` for a value that the struct cannot have.
  init(_ record: StoredRecord) throws

  /// Gives the elements.
  ///
  /// - Throws: ``StoredObjectError``.
  func store(in values: inout StoredValues) throws
}

/// Why a struct cannot be read or saved.
public enum StoredObjectError: Error, Hashable, Sendable {
  /// The store has another definition of the entity than the one that the type was generated from, or none.
  case otherDefinition(entity: String, path: String, isKnown: Bool)
  /// The identifier is of an object of another store.
  case otherStore(id: String, store: String)
  /// A text is no identifier of an object of the entity.
  case noIdentifier(String, entity: String)
  /// There is no such object, or not any more.
  case notFound(id: String)
  /// The object was not brought along with the objects that were asked for.
  case notIncluded(RecordID)
  /// A to-many relationship is not loaded.
  case notLoaded(entity: String)
  /// The object has no identifier: it was never saved.
  case notSaved(entity: String)
  /// The object to insert has an identifier: it is in a store.
  case alreadySaved(id: String)
  /// The object has no value for a property that the struct must have.
  case noValue(object: RecordID, property: String)
  /// The object has a value that the struct cannot have.
  case wrongValue(object: RecordID, property: String)
  /// The file that has the value is not there, or cannot be read.
  case noFile(object: RecordID, property: String, path: String)

  /// Core Data's number of the error; nil for what only Swift types meet.
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

extension StoredObjectError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .otherDefinition(let entity, let path, let isKnown):
      isKnown
        ? "\(path): \(entity) is defined otherwise than when its Swift type was generated; generate the types of the store's "
          + "version: modelctl generate types --stored"
        : "\(path): the store has no entity \(entity); open it with the model that the Swift type was generated from"
    case .otherStore(let id, let store): "\(id) is an object of another store than \(store); look it up there"
    case .noIdentifier(let text, let entity):
      "“\(text)” is no identifier of \(entity); one looks like x-coredata://UUID/\(entity)/p42"
    case .notFound(let id): "\(id) is not there; somebody deleted it, or it was never saved"
    case .notIncluded(let id):
      "\(id) was not brought along, or is not there; name the relationship that leads to it behind including:"
    case .notLoaded(let entity):
      "the objects of \(entity) were not brought along; name the relationship behind including:, or ask for related(_:of:)"
    case .notSaved(let entity): "a new \(entity) has no identifier; insert it first"
    case .alreadySaved(let id): "\(id) is in a store; update it, or insert a copy whose objectID is nil"
    case .noValue(let object, let property):
      "\(object) has no \(property), which its Swift type must have; give it a value, or make it optional in the model"
    case .wrongValue(let object, let property):
      "\(object): what stands for \(property) does not fit the Swift type; look at it with: modelctl query"
    case .noFile(let object, let property, let path):
      "\(object): \(property) is kept in \(path), which cannot be read; bring the file back, or empty the property"
    }
  }
}
