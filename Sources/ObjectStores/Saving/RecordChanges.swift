public import StoreRows

/// What a save is asked to do, in the order in which it was asked.
public struct RecordChanges: Hashable, Sendable {
  /// One thing that is asked for.
  public enum Operation: Hashable, Sendable {
    /// A new object with the values that somebody set; the others get their defaults.
    case insert(RecordID, [String: RecordValue])
    /// Other values of an object.
    case update(RecordUpdate)
    /// An object goes; the version is the one that was read, nil to delete whatever is there.
    case delete(RecordID, version: Int64?)
  }

  /// What is asked for.
  public var operations: [Operation]

  /// Asks for nothing, or for these.
  public init(_ operations: [Operation] = []) { self.operations = operations }
}

/// Other values of one object.
public struct RecordUpdate: Hashable, Sendable {
  /// The object.
  public var id: RecordID
  /// The version that was read; nil to change whatever is there.
  public var version: Int64?
  /// The values when the object was read, which a merge policy asks for.
  public var read: [String: RecordValue]
  /// The new values: attributes, to-one relationships, and whole to-many relationships.
  public var values: [String: RecordValue]
  /// Edits of to-many relationships, which leave the objects alone that nobody names.
  public var edits: [String: [LinkEdit]]
  /// True when properties that are not named get their defaults: a new object takes the place of this one.
  var isWhole = false

  /// Asks for other values.
  public init(
    _ id: RecordID, version: Int64? = nil, read: [String: RecordValue] = [:], values: [String: RecordValue] = [:],
    edits: [String: [LinkEdit]] = [:]
  ) {
    (self.id, self.version, self.read, self.values, self.edits) = (id, version, read, values, edits)
  }

  init(_ id: RecordID, values: [String: RecordValue], edits: [String: [LinkEdit]], isWhole: Bool) {
    self.init(id, values: values, edits: edits)
    self.isWhole = isWhole
  }
}

/// An edit of a to-many relationship.
public enum LinkEdit: Hashable, Sendable {
  /// The object is added at the end, or at a place of an ordered relationship; one that is there moves.
  case insert(RecordID, at: Int? = nil)
  /// The object is taken out.
  case remove(RecordID)
}

/// The objects as they were before a save: a store's rows, or values in memory.
public protocol SavedObjects {
  /// The objects of these identifiers, with all attributes and to-one relationships; one that is not there is left out.
  ///
  /// - Parameter root: the entity without superentity that they are below.
  /// - Throws: what keeps them from being read.
  func records(of root: String, keys: [Int64]) throws -> [ObjectRecord]

  /// The objects of a to-many relationship for each of several objects, in their order.
  func placedLinks(along relationship: String, of entity: String, from keys: [Int64]) throws -> [Int64: [PlacedLink]]

  /// The objects that have some others in a relationship, by the keys of the others.
  func owners(along relationship: String, of entity: String, having keys: [Int64]) throws -> [Int64: [RecordID]]

  /// The keys of objects that have some values in some properties.
  ///
  /// - Parameters:
  ///   - entity: the entity whose objects, and those below it, are asked.
  ///   - tuples: the values, none of them missing.
  /// - Throws: what keeps them from being read.
  func objects(
    of entity: String, with properties: [String], in tuples: [[RecordValue]]
  ) throws -> [[RecordValue]: [RecordID]]
}

extension RecordReading: SavedObjects {}
