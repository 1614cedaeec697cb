/// An object of the destination, as a policy sees it; it is read and changed through the ``MigrationManager``.
public struct DestinationObject: Hashable, Sendable {
  /// Its entity.
  public let entity: String
  /// Its key, `Z_PK`.
  public let key: Int64

  /// Names an object.
  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}
