/// An object of the source store, as a policy sees it; its values are read through the ``MigrationManager``.
public struct SourceObject: Hashable, Sendable {
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
