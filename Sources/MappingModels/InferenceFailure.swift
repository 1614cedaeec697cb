public import ModelDescription

/// Why Core Data infers no mapping between two models, in its own words and ours.
public struct InferenceFailure: Error, Hashable, Sendable {
  /// What Core Data fails with; nil where it would go on and lose something.
  public var code: CoreDataError?
  /// Core Data's own wording, so that people can search for it; ours where it would go on.
  public var reason: String
  /// The destination entity or property that cannot be inferred.
  public var element: ModelElement
  /// What it means and what to do, in our words.
  public var explanation: String

  /// Makes a failure.
  public init(code: CoreDataError? = .inferredMappingModel, reason: String, element: ModelElement, explanation: String)
  {
    self.code = code
    self.reason = reason
    self.element = element
    self.explanation = explanation
  }
}
