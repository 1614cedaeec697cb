import ModelComparison
import ModelDescription

extension InferenceFailure {
  static func ambiguous(_ ambiguity: PairingAmbiguity) -> InferenceFailure {
    let (names, formers) = ambiguity.words(separator: " and ")
    return InferenceFailure(
      reason: "Ambiguous renaming identifier",
      element: ambiguity.element,
      explanation: """
        \(names) and the former \(formers) claim each other by the name “\(ambiguity.claimedName)”; \
        give each its own renaming identifier, so that every one has at most one former self
        """
    )
  }

  /// Core Data raises this as an exception while it migrates in place.
  static func mergedRoots(of root: String, sources: [String]) -> InferenceFailure {
    InferenceFailure(
      code: 134110,
      reason: "Cannot merge multiple root entity source tables into one destination entity root table",
      element: .entity(root),
      explanation: """
        \(sources.joined(separator: " and ")) had tables of their own and would share the table of \(root), where their \
        rows have the same primary keys; keep them apart, or merge them by a mapping model, which modelctl mapping new \
        writes for two versions
        """
    )
  }

  static func incompatibleTypes(_ conversion: TypeConversion, entity: String, attribute: String) -> InferenceFailure {
    let next =
      conversion.isCastable
      ? "migrate with modelctl migrate --cast \(entity).\(attribute), or say how in a mapping model, "
        + "which modelctl mapping new writes for two versions"
      : "say how in a mapping model, which modelctl mapping new writes for two versions, or add a new attribute"
    return InferenceFailure(
      reason: "Source and destination attribute types are incompatible",
      element: .property(entity: entity, name: attribute),
      explanation: """
        the type changes from \(conversion.from.name) to \(conversion.to.name), and inference converts only between \
        numbers; \(next)
        """
    )
  }

  static func unsuitableFill(type: AttributeType, entity: String, attribute: String) -> InferenceFailure {
    InferenceFailure(
      reason: "Source and destination attribute types are incompatible",
      element: .property(entity: entity, name: attribute),
      explanation: "the value given to fill \(entity).\(attribute) is not of its type, \(type.name)"
    )
  }
}

extension InferenceFailure: CustomStringConvertible {
  /// The place, Core Data's code and words, and ours.
  public var description: String {
    "\(element): \(reason) (NSCocoaErrorDomain \(code)): \(explanation)"
  }
}
