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
