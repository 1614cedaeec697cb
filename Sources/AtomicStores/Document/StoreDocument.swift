public import PersistentStores
public import StoreRows

/// The metadata and the objects of a store as one value, whatever kind of file they are kept in.
///
/// Values are those that `RecordReading` gives, but that binary data in files of its own stands in the document
/// (`RecordValue.external` does not occur). Derived attributes have the values that the store had.
public struct StoreDocument: Hashable, Sendable {
  /// An object with its attributes and relationships by name.
  public struct Object: Hashable, Sendable {
    /// Which object it is; keys are unique among the objects of a root entity.
    public var id: RecordID
    /// Its attributes and relationships; what has no value may be left out, as may a to-many relationship without objects.
    public var values: [String: RecordValue]

    /// Names an object and its values.
    public init(id: RecordID, values: [String: RecordValue]) { (self.id, self.values) = (id, values) }
  }

  /// What the store says about itself.
  public var metadata: StoreMetadata
  /// The objects, by entity and key.
  public var objects: [Object]
  /// The last key that was given among the objects of each root entity, by its name; the greatest key that is there where it
  /// is not named.
  public var lastKeys: [String: Int64]

  /// Takes what a store holds; the objects are sorted by entity and key.
  public init(metadata: StoreMetadata, objects: [Object], lastKeys: [String: Int64] = [:]) {
    self.metadata = metadata
    self.objects = objects.sorted { ($0.id.entity, $0.id.key) < ($1.id.entity, $1.id.key) }
    self.lastKeys = lastKeys
  }
}
