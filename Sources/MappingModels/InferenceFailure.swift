public import ModelDescription

/// Why Core Data infers no mapping between two models, in its own words and ours.
public struct InferenceFailure: Error, Hashable, Sendable {
  /// The Cocoa error code, 134190 unless Core Data fails earlier or later; nil where it would go on and lose something.
  public var code: Int?
  /// Core Data's own wording, so that people can search for it; ours where it would go on.
  public var reason: String
  /// The destination entity or property that cannot be inferred.
  public var element: ModelElement
  /// What it means and what to do, in our words.
  public var explanation: String

  /// Makes a failure.
  public init(code: Int? = 134190, reason: String, element: ModelElement, explanation: String) {
    self.code = code
    self.reason = reason
    self.element = element
    self.explanation = explanation
  }
}
