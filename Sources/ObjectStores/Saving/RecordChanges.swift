public import StoreRows

/// The requested changes of a save, in their order.
public struct RecordChanges: Hashable, Sendable {
  /// A requested change.
  public enum Operation: Hashable, Sendable {
    /// A new object with the values that were set; other properties get their defaults.
    case insert(RecordID, [String: RecordValue])
    /// Other values of an object.
    case update(RecordUpdate)
    /// A deletion; the version is the one that was read, or nil to delete any version.
    case delete(RecordID, version: Int64?)
  }

  /// The requested changes.
  public var operations: [Operation]

  /// Creates a list of changes, empty by default.
  public init(_ operations: [Operation] = []) { self.operations = operations }
}

/// An update of a single object.
public struct RecordUpdate: Hashable, Sendable {
  /// The object.
  public var id: RecordID
  /// The version that was read; nil to change any version.
  public var version: Int64?
  /// The values when the object was read, for a merge policy.
  public var read: [String: RecordValue]
  /// The new values: attributes, to-one relationships, and complete to-many relationships.
  public var values: [String: RecordValue]
  /// Edits of to-many relationships, which do not affect other objects of the relationship.
  public var edits: [String: [LinkEdit]]
  /// True to reset missing properties to their defaults, because a new object replaces this one.
  var isWhole = false

  /// Creates an update.
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
  /// Adds the object at the end, or at a position of an ordered relationship; an existing object is moved.
  case insert(RecordID, at: Int? = nil)
  /// Removes the object.
  case remove(RecordID)
}

/// The objects as they were before a save: a store's rows, or values in memory.
public protocol SavedObjects {
  /// Returns the existing objects with these identifiers, with all attributes and to-one relationships.
  ///
  /// - Parameter root: the root entity of the objects.
  /// - Throws: the errors of reading.
  func records(of root: String, keys: [Int64]) throws -> [ObjectRecord]

  /// The objects of a to-many relationship for each of several objects, in their order.
  func placedLinks(along relationship: String, of entity: String, from keys: [Int64]) throws -> [Int64: [PlacedLink]]

  /// Returns the objects that refer to some others in a relationship, by the keys of the others.
  func owners(along relationship: String, of entity: String, having keys: [Int64]) throws -> [Int64: [RecordID]]

  /// Returns the keys of objects with given values in some properties.
  ///
  /// - Parameters:
  ///   - entity: the entity whose objects are searched, including its subentities.
  ///   - tuples: the values; none may be missing.
  /// - Throws: the errors of reading.
  func objects(
    of entity: String, with properties: [String], in tuples: [[RecordValue]]
  ) throws -> [[RecordValue]: [RecordID]]
}

extension RecordReading: SavedObjects {}
