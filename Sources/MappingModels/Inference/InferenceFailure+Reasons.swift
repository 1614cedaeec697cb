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
      code: .migration,
      reason: "Cannot merge multiple root entity source tables into one destination entity root table",
      element: .entity(root),
      explanation: """
        \(sources.joined(separator: " and ")) had tables of their own and would share the table of \(root), where their \
        rows have the same primary keys; keep them apart, or merge them by a mapping model; see how one is made \
        with: modelctl mapping new --help
        """
    )
  }

  /// “é” is one character or two, an “e” and an accent, and looks the same.
  static func respelled(_ element: ModelElement, from former: String, to name: String) -> InferenceFailure {
    func characters(_ text: String) -> String {
      text.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
    }
    return InferenceFailure(
      code: nil,
      reason: "The name looks the same and is spelled with other Unicode characters",
      element: element,
      explanation: """
        it was \(characters(former)) and is \(characters(name)), so that Core Data takes it for another name; copy it \
        from the version before, or give it a name that is new to the eye, too, and the former one as renaming identifier
        """
    )
  }

  static func incompatibleTypes(_ conversion: TypeConversion, entity: String, attribute: String) -> InferenceFailure {
    let next =
      conversion.isCastable
      ? "migrate with the option --cast \(entity).\(attribute), or say how in a mapping model"
      : "add a new attribute, or say how in a mapping model"
    return InferenceFailure(
      reason: "Source and destination attribute types are incompatible",
      element: .property(entity: entity, name: attribute),
      explanation: """
        the type changes from \(conversion.from.name) to \(conversion.to.name), and inference converts only between \
        numbers; \(next); see how one is made with: modelctl mapping new --help
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
    "\(element): \(reason)\(code.map { " (\($0))" } ?? ""): \(explanation)"
  }
}
