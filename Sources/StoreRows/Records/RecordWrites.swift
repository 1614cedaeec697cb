public import PersistentStores

/// The rows that a save writes: a value, so that what is written can be shown without writing.
public struct RecordWrites: Hashable, Sendable {
  /// A row that comes or changes.
  public struct Row: Hashable, Sendable {
    /// The object.
    public let id: RecordID
    /// The version before; of a new row the one that it gets, nil for the first.
    public let version: Int64?
    /// The values to write: every one of a new row, the changed ones of another.
    public var values: [String: RecordValue]
    /// The properties of a saved object that changed, to-many relationships among them; none of a new row.
    public var changed: Set<String>
    /// The to-many relationships without inverse that came to a saved object or went.
    public var incoming: Set<PropertyAddress> = []

    package init(id: RecordID, version: Int64?, values: [String: RecordValue], changed: Set<String>) {
      (self.id, self.version, self.values, self.changed) = (id, version, values, changed)
    }
  }

  /// A link of a relationship that no row keeps in a column of its own.
  public struct Link: Hashable, Sendable {
    /// The relationship, by the entity that declares it.
    public let relationship: PropertyAddress
    /// The object that has it.
    public let near: Int64
    /// The object at the other end.
    public let far: Int64

    package init(relationship: PropertyAddress, near: Int64, far: Int64) {
      (self.relationship, self.near, self.far) = (relationship, near, far)
    }
  }

  /// A place in an order.
  public struct Place: Hashable, Sendable {
    /// The ordered to-many relationship, by the entity that declares it.
    public let relationship: PropertyAddress
    /// The object that has it.
    public let near: Int64
    /// The object whose place it is.
    public let far: Int64
    /// The place; nil when it has none any more.
    public let place: Int64?

    package init(relationship: PropertyAddress, near: Int64, far: Int64, place: Int64?) {
      (self.relationship, self.near, self.far, self.place) = (relationship, near, far, place)
    }
  }

  /// New rows, in the order in which they were asked for.
  public var insertions: [Row] = []
  /// Rows that change, by entity and key.
  public var updates: [Row] = []
  /// Rows that go, with what they held, by entity and key.
  public var deletions: [ObjectRecord] = []
  /// Links that come.
  public var newLinks: Set<Link> = []
  /// Links that go.
  public var oldLinks: Set<Link> = []
  /// Places that are given or taken.
  public var places: [Place] = []

  package init() {}

  /// True when there is nothing to write.
  public var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && newLinks.isEmpty && oldLinks.isEmpty && places.isEmpty
  }
}
