public import PersistentStores

/// The rows that a save writes, as a value, so that they can be shown without writing.
public struct RecordWrites: Hashable, Sendable {
  /// An inserted or updated row.
  public struct Row: Hashable, Sendable {
    /// The object.
    public let id: RecordID
    /// The version before the save; for a new row, the version that it gets, or nil for the first version.
    public let version: Int64?
    /// The values to write: all values of a new row, or the changed values of an updated row.
    public var values: [String: RecordValue]
    /// The changed properties of an updated object, including to-many relationships; empty for a new row.
    public var changed: Set<String>
    /// The values before the save of the written properties of an updated object; empty for a new row.
    public var before: [String: RecordValue] = [:]
    /// The to-many relationships without inverse that came to a saved object or went.
    public var incoming: Set<PropertyAddress> = []

    package init(id: RecordID, version: Int64?, values: [String: RecordValue], changed: Set<String>) {
      (self.id, self.version, self.values, self.changed) = (id, version, values, changed)
    }
  }

  /// A link that is stored in a join table.
  public struct Link: Hashable, Sendable {
    /// The relationship, by the entity that declares it.
    public let relationship: PropertyAddress
    /// The object that has it.
    public let near: Int64
    /// The destination object.
    public let far: Int64

    package init(relationship: PropertyAddress, near: Int64, far: Int64) {
      (self.relationship, self.near, self.far) = (relationship, near, far)
    }
  }

  /// A position in an order.
  public struct Place: Hashable, Sendable {
    /// The ordered to-many relationship, by the entity that declares it.
    public let relationship: PropertyAddress
    /// The object that has it.
    public let near: Int64
    /// The object at the position.
    public let far: Int64
    /// The position; nil if it is removed.
    public let place: Int64?

    package init(relationship: PropertyAddress, near: Int64, far: Int64, place: Int64?) {
      (self.relationship, self.near, self.far, self.place) = (relationship, near, far, place)
    }
  }

  /// The new rows in the order of their insertion.
  public var insertions: [Row] = []
  /// Rows that change, by entity and key.
  public var updates: [Row] = []
  /// The deleted rows with their values, sorted by entity and key.
  public var deletions: [ObjectRecord] = []
  /// The added links.
  public var newLinks: Set<Link> = []
  /// The removed links.
  public var oldLinks: Set<Link> = []
  /// The added and removed positions.
  public var places: [Place] = []

  package init() {}

  /// True if there is nothing to write.
  public var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && newLinks.isEmpty && oldLinks.isEmpty && places.isEmpty
  }
}
