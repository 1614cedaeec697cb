public import ModelComparison
public import ModelDescription

/// Why no mapping between two models is inferred.
public struct InferenceRefusal: Error, Hashable, Sendable {
  /// What keeps an entity or a property from being inferred.
  public enum Cause: Hashable, Sendable {
    /// Several claim each other by a renaming identifier.
    case ambiguous(PairingAmbiguity)
    /// Rows of several root entities would share a table; Core Data raises this as an exception while it migrates.
    case mergedRoots([String], into: String)
    /// The name looks like the one before: “é” is one character or two, an “e” and an accent.
    case respelled(from: String, to: String)
    /// No value of the one type becomes one of the other.
    case incompatibleTypes(TypeConversion)
    /// The value given to fill an attribute is not of its type.
    case unsuitableFill(AttributeType)
  }

  /// What keeps it from being inferred.
  public var cause: Cause
  /// The destination entity or property that cannot be inferred.
  public var element: ModelElement

  /// Makes a failure.
  public init(_ cause: Cause, at element: ModelElement) { (self.cause, self.element) = (cause, element) }

  /// What Core Data fails with; nil where it would go on and lose something.
  public var code: CoreDataError? {
    switch cause {
    case .ambiguous, .incompatibleTypes, .unsuitableFill: .inferredMappingModel
    case .mergedRoots: .migration
    case .respelled: nil
    }
  }
}
