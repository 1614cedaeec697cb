public import MappingModels
public import StoreRows

/// What identifies an object: the store, the entity of its row, and its key there.
public struct ObjectID<Object: StoredObject>: Hashable, Sendable {
  /// The entity of the row, which may be below that of the type, and its key.
  public let record: RecordID
  /// The UUID of the store.
  public let store: String

  /// Names an object of a store.
  init(_ record: RecordID, store: String) { (self.record, self.store) = (record, store) }

  /// The same object as one of a type of another entity of its family.
  ///
  /// - Returns: nil when the object is not of the entity.
  public init?<Other>(_ other: ObjectID<Other>) {
    guard Object.storedEntity.family.contains(other.record.entity) else { return nil }
    self.init(other.record, store: other.store)
  }

  /// Names the object of a key, which ``record`` of another identifier had.
  ///
  /// - Parameters:
  ///   - key: the key in the table of the entity.
  ///   - store: the store.
  public init(key: Int64, in store: some ObjectReading) {
    self.init(RecordID(entity: Object.storedEntity.name, key: key), store: store.identity.uuid)
  }

  /// Reads an identifier that ``uri`` gave.
  ///
  /// - Throws: ``StoredObjectError/noIdentifier(_:entity:)``.
  public init(uri: String) throws(StoredObjectError) {
    let parts = uri.split(separator: "/", omittingEmptySubsequences: false)
    let entity = Object.storedEntity
    guard parts.count == 5, parts[0] == "x-coredata:", parts[1].isEmpty, !parts[2].isEmpty,
      entity.family.contains(String(parts[3])), parts[4].first == "p", let key = Int64(parts[4].dropFirst()), key > 0
    else { throw .noIdentifier(uri, entity: entity.name) }
    self.init(RecordID(entity: String(parts[3]), key: key), store: String(parts[2]))
  }

  /// The identifier as Core Data writes it, such as `x-coredata://UUID/Order/p42`.
  public var uri: String { "x-coredata://\(store)/\(record.entity)/p\(record.key)" }

  /// Checks that it is of a store.
  func check(_ identity: StoreIdentity) throws(StoredObjectError) {
    guard store == identity.uuid else { throw .otherStore(id: uri, store: identity.path) }
  }
}

extension ObjectID where Object: StoredSubobject {
  /// The same object as one of the parent entity, for relationships that lead there.
  public var superobject: ObjectID<Object.Superobject> { ObjectID<Object.Superobject>(record, store: store) }
}

extension ObjectID: CustomStringConvertible {
  /// The object as people write it, such as `Order 42`.
  public var description: String { "\(record)" }
}

/// An identifier among the arguments of a predicate.
protocol IdentifyingArgument {
  /// The UUIDs of the stores.
  var stores: Set<String> { get }
}

extension ObjectID: PredicateArgument, IdentifyingArgument {
  /// The object.
  public var predicateExpression: ValueExpression? { record.predicateExpression }

  var stores: Set<String> { [store] }
}

extension Array: IdentifyingArgument where Element: IdentifyingArgument {
  var stores: Set<String> { Set(flatMap(\.stores)) }
}

extension Optional: IdentifyingArgument where Wrapped: IdentifyingArgument {
  var stores: Set<String> { self?.stores ?? [] }
}
