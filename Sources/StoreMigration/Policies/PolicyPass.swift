/// A part of a plan in which policies in code run, object by object.
public struct PolicyPass: Hashable, Sendable {
  /// What the policies do.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The objects of one mapping are made.
    case create
    /// The objects of one mapping are linked.
    case relate
    /// The links of all objects are there.
    case linked
    /// Everything is there to be checked.
    case validate
  }

  /// What the policies do.
  public var stage: Stage
  /// The name of the entity mapping.
  public var mapping: String
  /// The policy's class.
  public var className: String
}
