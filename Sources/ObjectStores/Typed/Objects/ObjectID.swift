public import MappingModels
public import StoreRows

/// What identifies an object: the store, the entity of its row, and its key there.
public struct ObjectID<Object: StoredObject>: Hashable, Sendable {
  /// The entity of the row, which may be below that of the type, and its key.
  public let record: RecordID
  /// The UUID of the store.
  public let store: String

  init(_ record: RecordID, store: String) { (self.record, self.store) = (record, store) }

  /// The same object as one of a type of another entity of its family.
  ///
  /// - Returns: nil when the object is not of the entity.
  public init?<Other>(_ other: ObjectID<Other>) {
    guard Object.storedEntity.family.contains(other.record.entity) else { return nil }
    self.init(other.record, store: other.store)
  }

  /// Names the object of a key, which ``record`` of another identifier had.
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
  /// The same object as one of the parent entity, for relationships that lead there.
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

/// What an object was when it was read, by which a save knows what somebody changed, and whether somebody else did.
///
/// Two are equal when the object had been saved as often.
public struct ObjectVersion: Hashable, Sendable {
  /// How often the object had been saved, `Z_OPT`; nil where that is not known, and then nobody's save is a conflict.
  public let number: Int64?
  /// What the store keeps of the object, without to-many relationships.
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

/// The objects of a to-many relationship: not loaded, or loaded, and in both cases with what was edited since.
///
/// Saving an object writes the edits and nothing else, so that an object that was read without its rows never unlinks them.
public struct ObjectLinks<Object: StoredObject>: Hashable, Sendable {
  /// An edit, in the order in which it was made.
  enum Edit: Hashable, Sendable {
    case insert(ObjectID<Object>, at: Int?)
    case remove(ObjectID<Object>)
  }

  /// What was there when the object was read; nil when nobody asked for it.
  private let loaded: [ObjectID<Object>]?
  /// What somebody put in the place of all.
  private(set) var replacement: [ObjectID<Object>]?
  /// What was edited since.
  private(set) var edits: [Edit] = []

  /// Makes a relationship that is not loaded and not edited; of a new object, one without objects.
  public init() { loaded = nil }

  init(loaded: [ObjectID<Object>]?) { self.loaded = loaded }

  /// The objects with all edits, in their order, or by key; nil when they are not loaded.
  public var ids: [ObjectID<Object>]? { (replacement ?? loaded).map(edited) }

  /// True when the objects are known.
  public var isLoaded: Bool { replacement != nil || loaded != nil }

  /// True when there is something to save.
  public var isEdited: Bool { replacement != nil || !edits.isEmpty }

  /// Adds an object at the end, or at a place of an ordered relationship; one that is there moves to the place.
  public mutating func insert(_ id: ObjectID<Object>, at place: Int? = nil) { edits.append(.insert(id, at: place)) }

  /// Takes an object out.
  public mutating func remove(_ id: ObjectID<Object>) { edits.append(.remove(id)) }

  /// Gives an object another place in an ordered relationship; one that is not there is added.
  public mutating func move(_ id: ObjectID<Object>, to place: Int) { insert(id, at: place) }

  /// Makes the objects these, whatever was there.
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
  /// Makes the objects these, whatever was there.
  public init(arrayLiteral ids: ObjectID<Object>...) {
    self.init()
    set(ids)
  }
}
