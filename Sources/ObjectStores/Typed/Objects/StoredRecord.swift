import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// The source of a generated struct: the values of an object, or the elements of one of its composite attributes.
public struct StoredRecord {
  let id: RecordID
  let identity: StoreIdentity
  let number: Int64?
  let values: [String: RecordValue]
  /// The composite attributes that the values are elements of, outermost first.
  var path: [String] = []

  init(_ record: ObjectRecord, of identity: StoreIdentity) {
    (id, number, values, self.identity) = (record.id, record.version, record.values, identity)
  }

  init(_ id: RecordID, number: Int64?, _ values: [String: RecordValue], of identity: StoreIdentity) {
    (self.id, self.number, self.values, self.identity) = (id, number, values, identity)
  }

  /// The identifier of the object.
  public func objectID<Object>() -> ObjectID<Object> { ObjectID(id, store: identity.uuid) }

  /// The current state of the object.
  public var version: ObjectVersion { ObjectVersion(number: number, values: values) }

  // MARK: Values

  /// The value of an attribute that is not optional.
  public func required<Value: StoredValue>(_ name: String) throws(StoredObjectError) -> Value {
    guard let value: Value = try optional(name) else { throw missing(name) }
    return value
  }

  /// The value of an attribute that is optional.
  public func optional<Value: StoredValue>(_ name: String) throws(StoredObjectError) -> Value? {
    let value: AttributeValue
    switch values[name] {
    case nil, .null: return nil
    case .attribute(let found): value = found
    case .transformed(let data): value = .binary(data)
    case .external(let reference): value = .binary(try external(reference, name))
    case .composite, .object, .objects: throw wrong(name)
    }
    guard let found = Value(storedValue: value) else { throw wrong(name) }
    return found
  }

  private func external(_ reference: Data, _ name: String) throws(StoredObjectError) -> Data {
    guard let file = ExternalData.fileName(in: reference) else { throw wrong(name) }
    let path = "\(ExternalData.folder(ofStore: identity.path))/\(file)"
    guard let data = try? FileBytes.whole(path) else {
      throw .noFile(object: id, property: place(of: name), path: path)
    }
    return data
  }

  // MARK: Composite attributes

  /// Returns the elements of a composite attribute that is not optional; if no element has a value, all are empty.
  ///
  /// - Throws: ``StoredObjectError``.
  public func requiredComposite<Composite: StoredComposite>(_ name: String) throws -> Composite {
    if let composite: Composite = try optionalComposite(name) { return composite }
    return try Composite(elements([:], of: name))
  }

  /// Returns the elements of an optional composite attribute; nil if no element has a value.
  ///
  /// - Throws: ``StoredObjectError``.
  public func optionalComposite<Composite: StoredComposite>(_ name: String) throws -> Composite? {
    switch values[name] {
    case nil, .null: nil
    case .composite(let values): try Composite(elements(values, of: name))
    default: throw wrong(name)
    }
  }

  private func elements(_ values: [String: RecordValue], of name: String) -> StoredRecord {
    var elements = StoredRecord(id, number: number, values, of: identity)
    elements.path = path + [name]
    return elements
  }

  // MARK: Relationships

  /// Returns the object of a to-one relationship that is not optional.
  public func requiredLink<Object>(_ name: String) throws(StoredObjectError) -> ObjectID<Object> {
    guard let id: ObjectID<Object> = try optionalLink(name) else { throw missing(name) }
    return id
  }

  /// Returns the object of an optional to-one relationship.
  public func optionalLink<Object>(_ name: String) throws(StoredObjectError) -> ObjectID<Object>? {
    switch values[name] {
    case nil, .null: nil
    case .object(let id): ObjectID(id, store: identity.uuid)
    default: throw wrong(name)
    }
  }

  /// Returns the objects of a to-many relationship, not loaded unless they were requested.
  public func links<Object>(_ name: String) -> ObjectLinks<Object> {
    guard case .objects(let ids) = values[name] else { return ObjectLinks(loaded: nil) }
    return ObjectLinks(loaded: ids.map { ObjectID($0, store: identity.uuid) })
  }

  // MARK: Errors

  private func place(of name: String) -> String { (path + [name]).joined(separator: ".") }

  private func missing(_ name: String) -> StoredObjectError { .noValue(object: id, property: place(of: name)) }

  private func wrong(_ name: String) -> StoredObjectError { .wrongValue(object: id, property: place(of: name)) }
}
