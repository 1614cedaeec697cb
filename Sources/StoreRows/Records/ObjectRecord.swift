/// An object of a store as a value: its properties by their names.
public struct ObjectRecord: Hashable, Sendable {
  /// The identifier of the object.
  public let id: RecordID
  /// The number of saves of the object, `Z_OPT`, when it was read; nil if the row does not have it.
  public let version: Int64?
  /// The properties that were read, without those that were not requested.
  public var values: [String: RecordValue]
  /// The values at the time of reading, which a save compares with the current values.
  public let read: [String: RecordValue]

  /// Creates a record.
  public init(id: RecordID, version: Int64?, values: [String: RecordValue]) {
    (self.id, self.version, self.values, read) = (id, version, values, values)
  }

  /// The value of a property; nil if it was not read.
  public subscript(property: String) -> RecordValue? { values[property] }
}

/// The objects of a request, and the objects that were loaded with them.
public struct RecordGraph: Hashable, Sendable {
  /// The requested objects in their order.
  public let objects: [ObjectRecord]
  /// The destination objects of included relationships.
  public internal(set) var related: [RecordID: ObjectRecord] = [:]

  /// Creates a graph from objects and the objects that were loaded with them.
  public init(objects: [ObjectRecord], related: [RecordID: ObjectRecord] = [:]) {
    (self.objects, self.related) = (objects, related)
  }

  /// The object with an identifier of a relationship; nil if it was not included or does not exist.
  public subscript(id: RecordID) -> ObjectRecord? { related[id] }
}

/// A tree of relationships to follow from an object.
public struct InclusionTree: Hashable, Sendable {
  /// The subtrees by the names of the relationships.
  public private(set) var branches: [String: InclusionTree] = [:]

  /// Creates a tree from key paths such as `customer` and `rows.service`.
  public init(_ paths: [String] = []) {
    for path in paths { insert(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]) }
  }

  private mutating func insert(_ path: ArraySlice<String>) {
    guard let first = path.first else { return }
    branches[first, default: InclusionTree()].insert(path.dropFirst())
  }
}

/// A link to an object that does not exist.
///
/// A delete leaves it if neither an inverse nor a delete rule covers the link.
public struct LinkToNothing: Hashable, Sendable {
  /// The object that has the link.
  public let object: RecordID
  /// The name of the relationship.
  public let relationship: String

  package init(object: RecordID, relationship: String) { (self.object, self.relationship) = (object, relationship) }
}
