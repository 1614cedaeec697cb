import ModelComparison
package import ModelDescription

extension InferenceRefusal: CustomStringConvertible {
  /// The place, Core Data's code and words, and ours.
  public var description: String { words.sentence }

  /// The place, Core Data's code and words and ours, and what to do.
  package var words: ErrorWords { words(in: .written) }

  /// The place, Core Data's code and words and ours, and what to do, to be read or heard.
  package func words(in style: WordStyle) -> ErrorWords {
    let lead = "\(element): \(reason)\(code.map { " (\($0))" } ?? "")"
    let explanation = explanation(in: style)
    return ErrorWords("\(lead): \(explanation.cause)", explanation.advice)
  }

  /// Core Data's own wording, so that people can search for it; ours where it would go on.
  public var reason: String {
    switch cause {
    case .ambiguous: "Ambiguous renaming identifier"
    case .mergedRoots: "Cannot merge multiple root entity source tables into one destination entity root table"
    case .respelled: "The name looks the same and is spelled with other Unicode characters"
    case .incompatibleTypes, .unsuitableFill: "Source and destination attribute types are incompatible"
    }
  }

  package var explanation: ErrorWords { explanation(in: .written) }

  private func explanation(in style: WordStyle) -> ErrorWords {
    switch cause {
    case .ambiguous(let ambiguity):
      let (names, sources) = ambiguity.words(separator: " and ")
      return .init(
        "\(names) and the source's \(sources) claim each other by the name \(style.quoted(ambiguity.claimedName))",
        "give each its own renaming identifier, so that every one has at most one former self")
    case .mergedRoots(let sources, let root):
      return .init(
        """
        \(sources.joined(separator: " and ")) had tables of their own and would share the table of \(root), where their \
        rows have the same primary keys
        """, "keep them apart, or merge them by a mapping model; \(Self.howToMakeOne)")
    case .respelled(let source, let destination):
      return .init(
        """
        it was \(Self.characters(source)) and is \(Self.characters(destination)), so that Core Data takes it for \
        another name
        """,
        """
        copy it from the version before, or give it a name that is new to the eye, too, and the former one as renaming \
        identifier
        """)
    case .incompatibleTypes(let conversion):
      let next =
        conversion.isCastable
        ? "migrate with the option --cast \(element), or say how in a mapping model"
        : "add a new attribute, or say how in a mapping model"
      return .init(
        """
        the type changes from \(conversion.from.name) to \(conversion.to.name), and inference converts only between \
        numbers
        """, "\(next); \(Self.howToMakeOne)")
    case .unsuitableFill(let type): return .init("the value given to fill \(element) is not of its type, \(type.name)")
    }
  }

  private static let howToMakeOne: Advice = "see how one is made with: \(command: "modelctl mapping new --help")"

  private static func characters(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
