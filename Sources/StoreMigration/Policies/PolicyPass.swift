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

extension PolicyPass {
  /// The pass in one sentence.
  var sentence: String {
    switch stage {
    case .create: "the policy \(className) makes the objects of \(mapping), row by row"
    case .relate: "the policy \(className) links the objects of \(mapping), row by row"
    case .linked: "the policy \(className) is told that the objects of \(mapping) are linked"
    case .validate: "the policy \(className) checks the objects of \(mapping)"
    }
  }
}
