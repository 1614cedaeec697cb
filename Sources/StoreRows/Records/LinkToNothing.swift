/// A link that leads to an object which is not there, as a delete leaves it that no inverse and no delete rule follows.
public struct LinkToNothing: Hashable, Sendable {
  /// The object that has the link.
  public let object: RecordID
  /// The name of the relationship.
  public let relationship: String

  /// Names a link.
  package init(object: RecordID, relationship: String) {
    (self.object, self.relationship) = (object, relationship)
  }
}
