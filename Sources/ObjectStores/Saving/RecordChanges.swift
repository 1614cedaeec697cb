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
