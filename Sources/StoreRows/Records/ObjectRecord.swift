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
