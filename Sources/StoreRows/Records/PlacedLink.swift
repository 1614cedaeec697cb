/// An object of a to-many relationship, with its place where the relationship is ordered.
public struct PlacedLink: Hashable, Sendable {
  /// The object.
  public let id: RecordID
  /// What its place in the order is kept as (`Z_FOK_…`); nil for one without a place.
  public let place: Int64?

  /// Names an object and its place.
  public init(_ id: RecordID, place: Int64? = nil) { (self.id, self.place) = (id, place) }
}
