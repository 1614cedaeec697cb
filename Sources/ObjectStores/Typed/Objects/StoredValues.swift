public import Foundation
import StoreRows

/// The result of a generated struct for a save: the values that differ from those that were read, and the edits of its
/// to-many relationships.
public struct StoredValues {
  private let identity: StoreIdentity
  /// The values that were read; nil for a new object.
  private let read: StoredRecord?
  private(set) var values: [String: RecordValue] = [:]
  private(set) var edits: [String: [LinkEdit]] = [:]

  /// Gathers the values of a new object.
  init(of identity: StoreIdentity) { (self.identity, read) = (identity, nil) }

  init(of identity: StoreIdentity, since version: ObjectVersion?, _ id: RecordID) {
    self.identity = identity
    read = StoredRecord(id, number: nil, version?.values ?? [:], of: identity)
  }

  /// Sets an attribute.
  public mutating func set<Value: StoredValue>(_ name: String, _ value: Value?) {
    set(name, value) { .attribute($0.storedValue) }
  }

  /// Sets a transformable attribute to the bytes from its transformer.
  public mutating func setTransformed(_ name: String, _ bytes: Data?) { set(name, bytes) { .transformed($0) } }

  private mutating func set<Value: StoredValue>(_ name: String, _ value: Value?, _ stored: (Value) -> RecordValue) {
    // The stored value is compared in the struct's form: two files are equal if their data is equal.
    if isUnchanged(name, value, { try $0.optional(name) }) { return }
    values[name] = value.map(stored) ?? .null
  }

  /// False as well for a value that cannot be read any more.
  private func isUnchanged<Value: Equatable>(
    _ name: String, _ value: Value?, _ decode: (StoredRecord) throws -> Value?
  ) -> Bool {
    guard let read, read.values[name] != nil else { return false }
    do { return try decode(read) == value } catch { return false }
  }

  /// Sets a composite attribute.
  ///
  /// - Throws: ``StoredObjectError``.
  public mutating func setComposite<Composite: StoredComposite>(_ name: String, _ composite: Composite?) throws {
    if isUnchanged(name, composite, { try $0.optionalComposite(name) }) { return }
    guard let composite else {
      values[name] = .null
      return
    }
    var elements = StoredValues(of: identity)
    try composite.store(in: &elements)
    let isEmpty = elements.values.values.allSatisfy { $0 == .null }
    // A row looks the same for a composite that is nil and for one whose elements all are.
    if isEmpty, let read, read.values[name] == .null { return }
    values[name] = isEmpty ? .null : .composite(elements.values)
  }

  /// Sets a to-one relationship.
  public mutating func setLink<Object>(_ name: String, _ id: ObjectID<Object>?) throws(StoredObjectError) {
    try id?.check(identity)
    let value = id.map { RecordValue.object($0.record) } ?? .null
    if let read, read.values[name] == value { return }
    values[name] = value
  }

  /// Gives the edits of a to-many relationship.
  public mutating func setLinks<Object>(_ name: String, _ links: ObjectLinks<Object>) throws(StoredObjectError) {
    guard links.isEdited else { return }
    // Loaded objects belong to the object that was read, so a new object only gets the objects that were added.
    if links.replacement != nil || read == nil {
      let ids = links.edited(links.replacement ?? [])
      for id in ids { try id.check(identity) }
      values[name] = .objects(ids.map(\.record))
      return
    }
    var edits: [LinkEdit] = []
    for edit in links.edits {
      switch edit {
      case .insert(let id, let place):
        try id.check(identity)
        edits.append(.insert(id.record, at: place))
      case .remove(let id):
        try id.check(identity)
        edits.append(.remove(id.record))
      }
    }
    self.edits[name] = edits
  }
}
