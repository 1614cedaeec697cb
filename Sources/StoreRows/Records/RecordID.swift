/// What names an object in a store: the entity of its row, and its key.
public struct RecordID: Hashable, Sendable {
  /// The entity that the row is of, which may be below the one that was asked for.
  public var entity: String
  /// The key, `Z_PK`, which is unique among the objects of one table.
  public var key: Int64

  /// Names an object.
  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

extension RecordID: CustomStringConvertible {
  /// The object as people write it, such as `Order 42`.
  public var description: String { "\(entity) \(key)" }
}
