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
