public import MappingModels
public import StoreRows

/// The identifier of an object: the store, the entity of its row, and its key.
public struct ObjectID<Object: StoredObject>: Hashable, Sendable {
  /// The entity of the row, which may be below that of the type, and its key.
  public let record: RecordID
  /// The UUID of the store.
  public let store: String

  init(_ record: RecordID, store: String) { (self.record, self.store) = (record, store) }

  /// Creates an identifier of the same object for another type of its entity family.
  ///
  /// - Returns: nil if the object is not of the entity.
  public init?<Other>(_ other: ObjectID<Other>) {
    guard Object.storedEntity.family.contains(other.record.entity) else { return nil }
    self.init(other.record, store: other.store)
  }

  /// Creates an identifier from a key, such as the key of a different identifier's ``record``.
  public init(key: Int64, in store: some ObjectReading) {
    self.init(RecordID(entity: Object.storedEntity.name, key: key), store: store.identity.uuid)
  }

  /// Reads an identifier that ``uri`` gave.
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

  func check(_ identity: StoreIdentity) throws(StoredObjectError) {
    guard store == identity.uuid else { throw .otherStore(id: uri, store: identity.path) }
  }
}

extension ObjectID where Object: StoredSubobject {
  /// The identifier of the same object as an object of the parent entity, for relationships to the parent.
  public var superobject: ObjectID<Object.Superobject> { ObjectID<Object.Superobject>(record, store: store) }
}

extension ObjectID: CustomStringConvertible {
  /// The object as people write it, such as `Order 42`.
  public var description: String { "\(record)" }
}

/// An identifier among the arguments of a predicate.
protocol IdentifyingArgument { var stores: Set<String> { get } }

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

/// The state of an object when it was read.
///
/// A save uses it to find changes of the object and conflicts with other saves.
///
/// Two versions are equal if the objects had the same number of saves.
public struct ObjectVersion: Hashable, Sendable {
  /// The number of saves of the object, `Z_OPT`.
  ///
  /// If it is nil, no save conflicts with it.
  public let number: Int64?
  /// The stored values of the object, without to-many relationships.
  let values: [String: RecordValue]

  init(number: Int64?, values: [String: RecordValue]) {
    self.number = number
    let hasLists = values.values.contains { if case .objects = $0 { true } else { false } }
    guard hasLists else {
      self.values = values
      return
    }
    self.values = values.filter { if case .objects = $0.value { false } else { true } }
  }

  /// True for versions of the same number.
  public static func == (first: ObjectVersion, second: ObjectVersion) -> Bool { first.number == second.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The objects of a to-many relationship, loaded or not loaded, with the edits since.
///
/// Saving an object writes only the edits. An object whose relationship was not loaded therefore keeps its links.
public struct ObjectLinks<Object: StoredObject>: Hashable, Sendable {
  /// An edit, in the order of the edits.
  enum Edit: Hashable, Sendable {
    case insert(ObjectID<Object>, at: Int?)
    case remove(ObjectID<Object>)
  }

  /// The objects when the object was read; nil if they were not loaded.
  private let loaded: [ObjectID<Object>]?
  /// The objects that replace all others.
  private(set) var replacement: [ObjectID<Object>]?
  /// The edits since.
  private(set) var edits: [Edit] = []

  /// Creates a relationship without edits that is not loaded; in a new object, it lacks objects.
  public init() { loaded = nil }

  init(loaded: [ObjectID<Object>]?) { self.loaded = loaded }

  /// The objects with all edits, in their order, or by key; nil when they are not loaded.
  public var ids: [ObjectID<Object>]? { (replacement ?? loaded).map(edited) }

  /// True if the objects are known.
  public var isLoaded: Bool { replacement != nil || loaded != nil }

  /// True if there are edits to save.
  public var isEdited: Bool { replacement != nil || !edits.isEmpty }

  /// Adds an object at the end, or at a position of an ordered relationship; an existing object is moved.
  public mutating func insert(_ id: ObjectID<Object>, at place: Int? = nil) { edits.append(.insert(id, at: place)) }

  /// Removes an object.
  public mutating func remove(_ id: ObjectID<Object>) { edits.append(.remove(id)) }

  /// Moves an object to a different position in an ordered relationship; a missing object is added.
  public mutating func move(_ id: ObjectID<Object>, to place: Int) { insert(id, at: place) }

  /// Replaces all objects.
  public mutating func set(_ ids: some Sequence<ObjectID<Object>>) {
    replacement = Array(ids)
    edits = []
  }

  func edited(_ ids: [ObjectID<Object>]) -> [ObjectID<Object>] {
    guard !edits.isEmpty else { return ids }
    var ids = ids
    var present = Set(ids)
    for edit in edits {
      switch edit {
      case .insert(let id, let place):
        let isNew = present.insert(id).inserted
        guard let place else {
          if isNew { ids.append(id) }
          continue
        }
        if !isNew { ids.removeAll { $0 == id } }
        ids.insert(id, at: min(max(0, place), ids.count))
      case .remove(let id):
        if present.remove(id) != nil { ids.removeAll { $0 == id } }
      }
    }
    return ids
  }
}

extension ObjectLinks: ExpressibleByArrayLiteral {
  /// Creates a relationship whose objects replace all others.
  public init(arrayLiteral ids: ObjectID<Object>...) {
    self.init()
    set(ids)
  }
}
