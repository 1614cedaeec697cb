public import ModelComparison
public import ModelDescription

/// The reason that no mapping between two models is inferred.
public struct InferenceRefusal: Error, Hashable, Sendable {
  /// The obstacle to inference.
  public enum Kind: Hashable, Sendable {
    /// Several elements claim each other by a renaming identifier.
    case ambiguous(PairingAmbiguity)
    /// Rows of several root entities would share a table. Core Data raises an exception during the migration.
    case mergedRoots([String], into: String)
    /// The names look equal and have different characters: “é” can be one character, or an “e” and an accent.
    case respelled(from: String, to: String)
    /// Inference does not convert between the two types.
    case incompatibleTypes(TypeConversion)
    /// The value to fill an attribute with is not of its type.
    case unsuitableFill(AttributeType)
  }

  /// The obstacle to inference.
  public var kind: Kind
  /// The destination entity or property that cannot be inferred.
  public var element: ModelElement

  /// Creates a refusal.
  public init(_ kind: Kind, at element: ModelElement) { (self.kind, self.element) = (kind, element) }

  /// The error that Core Data fails with; nil if Core Data would migrate and lose data.
  public var code: CoreDataError? {
    switch kind {
    case .ambiguous, .incompatibleTypes, .unsuitableFill: .inferredMappingModel
    case .mergedRoots: .migration
    case .respelled: nil
    }
  }
}
