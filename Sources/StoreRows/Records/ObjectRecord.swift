/// An object of a store as a value: its properties by their names.
public struct ObjectRecord: Hashable, Sendable {
  /// Which object it is.
  public let id: RecordID
  /// How often it was saved, `Z_OPT`, when it was read; nil where the row does not say.
  public let version: Int64?
  /// The properties that were read; one that was not asked for is not among them.
  public var values: [String: RecordValue]
  /// The same when they were read, by which a save knows what somebody changed.
  public let read: [String: RecordValue]

  /// Makes a record.
  public init(id: RecordID, version: Int64?, values: [String: RecordValue]) {
    (self.id, self.version, self.values, read) = (id, version, values, values)
  }

  /// The value of a property, nil for one that was not read.
  public subscript(property: String) -> RecordValue? { values[property] }
}

/// Objects, and those that were brought along with them.
public struct RecordGraph: Hashable, Sendable {
  /// The objects that were asked for, in their order.
  public let objects: [ObjectRecord]
  /// The objects at the other ends of relationships that were included.
  public internal(set) var related: [RecordID: ObjectRecord] = [:]

  /// Takes objects, and those that were brought along.
  public init(objects: [ObjectRecord], related: [RecordID: ObjectRecord] = [:]) {
    (self.objects, self.related) = (objects, related)
  }

  /// The object of an identifier that a relationship gives; nil for one that was not included, or is not there.
  public subscript(id: RecordID) -> ObjectRecord? { related[id] }
}

/// Relationships that are followed from an object, each with those that are followed from there.
public struct InclusionTree: Hashable, Sendable {
  /// What is followed, by the names of the relationships.
  public private(set) var branches: [String: InclusionTree] = [:]

  /// Takes key paths such as `customer` and `rows.service`.
  public init(_ paths: [String] = []) {
    for path in paths { insert(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]) }
  }

  private mutating func insert(_ path: ArraySlice<String>) {
    guard let first = path.first else { return }
    branches[first, default: InclusionTree()].insert(path.dropFirst())
  }
}

/// A link that leads to an object which is not there, as a delete leaves it that no inverse and no delete rule follows.
public struct LinkToNothing: Hashable, Sendable {
  /// The object that has the link.
  public let object: RecordID
  /// The name of the relationship.
  public let relationship: String

  package init(object: RecordID, relationship: String) { (self.object, self.relationship) = (object, relationship) }
}
