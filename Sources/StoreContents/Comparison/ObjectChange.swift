public import StoreRows

/// What became of one object from one store to another.
public enum ObjectChange: Hashable, Sendable {
  /// Only the second store has it; with all values, and the objects of to-many relationships.
  case added(ObjectRecord)
  /// Only the first store has it.
  case removed(ObjectRecord)
  /// Both have it, under keys that may differ, and some properties are not the same.
  case changed(RecordID, to: RecordID, [PropertyChange])

  /// The object, as the first store that has it names it.
  public var id: RecordID {
    switch self {
    case .added(let record), .removed(let record): record.id
    case .changed(let id, _, _): id
    }
  }
}

/// What became of one property of an object.
public struct PropertyChange: Hashable, Sendable {
  /// What became of it.
  public enum Content: Hashable, Sendable {
    /// An attribute or a to-one relationship has another value.
    case value(RecordValue, to: RecordValue)
    /// A to-many relationship has other objects, or the same ones in another order; removed ones are those of the first
    /// store.
    case list(added: [RecordID], removed: [RecordID], isReordered: Bool)
  }

  /// The property's name.
  public let property: String
  /// What became of it.
  public let content: Content

  /// Makes a change.
  public init(_ property: String, _ content: Content) { (self.property, self.content) = (property, content) }
}
